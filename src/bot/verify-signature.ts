import { timingSafeEqual } from 'node:crypto';
import { timedSignature } from '../contract/stream-signatures.js';

/** Header fields of a handshake, names in lower case, as Node.js has them. */
export type HandshakeFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the handshakes of a bot are signed with. */
export interface Signing {
  /** The URL as it is configured for the number, character for character. */
  readonly url: string;
  /** The secrets that are valid now: one, or two while one is being replaced. */
  readonly secrets: readonly string[];
}

const longestAgeSeconds = 300;

/**
 * Whether a handshake comes from Demarc, by its `X-Demarc-Signature`.
 * @param unixSeconds the time now
 */
export function isSigned(
  fields: HandshakeFields,
  { url, secrets }: Signing,
  unixSeconds = Date.now() / 1_000,
): boolean {
  const signature = textOf(fields['x-demarc-signature']);
  const accountSid = textOf(fields['x-demarc-account-id']);
  const callSid = textOf(fields['x-demarc-call-id']);
  const time = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN);
  if (!(Math.abs(unixSeconds - time) <= longestAgeSeconds)) return false;
  const expected = versionsOf(timedSignature(secrets, { url, accountSid, callSid }, time));
  return versionsOf(signature).some((given) => expected.some((each) => isEqual(each, given)));
}

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : '';

const versionsOf = (signature: string): string[] =>
  signature.split(',').flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []));

const isEqual = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
