import type { WebhookNotification } from './generated.js';

/** The signature is wrong or too old. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

export interface WebhookToVerify {
  /** The raw body, before any parser changes it. */
  readonly body: string | Uint8Array;
  /** The header `X-Demarc-Signature`. */
  readonly signature: string | null | undefined;
  /** The secret of the endpoint; several during a rotation. */
  readonly secret: string | readonly string[];
  /** Largest age of a signature in seconds. Default 300. */
  readonly toleranceSeconds?: number;
  /** Unix time in seconds. Default: now. */
  readonly now?: number;
}

/** Verifies the signature of a webhook and returns its event. Throws `WebhookSignatureError`. */
export async function verifyWebhook({
  body,
  signature,
  secret,
  toleranceSeconds = 300,
  now = Date.now() / 1_000,
}: WebhookToVerify): Promise<WebhookNotification> {
  const fields = (signature ?? '').split(',').map((field) => field.split('='));
  const time = fields.find(([name]) => name === 't')?.[1];
  if (time === undefined || !/^\d+$/.test(time))
    throw new WebhookSignatureError('The webhook has no X-Demarc-Signature.');
  if (Math.abs(now - Number(time)) > toleranceSeconds)
    throw new WebhookSignatureError('The signature of the webhook is too old, or a clock is wrong.');
  const octets = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${time}.`), octets);
  const given = fields.flatMap(([name, value = '']) => (name === 'v1' ? [octetsOf(value)] : []));
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(each),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    for (const value of given) {
      // The platform compares in constant time.
      if (value !== undefined && (await crypto.subtle.verify('HMAC', key, value, signed)))
        return JSON.parse(new TextDecoder().decode(octets)) as WebhookNotification;
    }
  }
  throw new WebhookSignatureError('The signature of the webhook is wrong.');
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function octetsOf(hex: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return undefined;
  return Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
