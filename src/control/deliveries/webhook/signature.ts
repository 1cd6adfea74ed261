import { createHmac, randomBytes } from 'node:crypto';

const secretOctets = 32;

/** How long the previous secret keeps signing after a rotation. */
export const rotationHours = 24;

/** The current secret first, then the previous one while it is valid. */
export type SigningSecrets = readonly [current: string, previous?: string];

export const newSigningSecret = (): string => `whsec_${randomBytes(secretOctets).toString('base64url')}`;

/** HMAC-SHA256 of the body as it is sent, in hexadecimal. It does not expire: a captured request verifies for ever. */
export const signatureOf = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/**
 * `t=1763800000,v1=…`: Unix seconds, then for each valid secret the HMAC-SHA256, in hexadecimal, of the seconds, a dot and the
 * body as it is sent.
 */
export function timestampedSignature(secrets: SigningSecrets, body: string, seconds: number): string {
  const values = secrets.flatMap((secret) =>
    secret === undefined ? [] : [`v1=${signatureOf(secret, `${seconds}.${body}`)}`],
  );
  return [`t=${seconds}`, ...values].join(',');
}

/** Headers that let the receiver check who sent the body, and when. */
export const signatureHeaders = (
  secrets: SigningSecrets,
  body: string,
  now = Date.now(),
): Readonly<Record<string, string>> => ({
  'x-webhook-signature': signatureOf(secrets[0], body),
  'x-demarc-signature': timestampedSignature(secrets, body, Math.floor(now / 1_000)),
});
