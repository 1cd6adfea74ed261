import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { DemarcError } from '../../errors.js';

/** Without look-alikes (0 O o, 1 l I), and nothing that a SIP URI or a PBX's configuration file would need to escape. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export const passwordLength = { minimum: 8, maximum: 256, standard: 16, long: 32 } as const;

/** A random password; the length is clamped to what the API takes. */
export function generatePassword(length: number): string {
  const clamped = Math.min(passwordLength.maximum, Math.max(passwordLength.minimum, length));
  return Array.from({ length: clamped }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * The password that the customer's PBX uses towards us: derived from the service's key and the customer's credentials, so that
 * neither of them alone reveals it. The same for all numbers that are attached with the same credentials.
 * Throws `DemarcError` `SECRET_KEY_MISSING` without a key.
 */
export function derivePbxPassword(
  serviceKey: string | undefined,
  organizationId: string,
  { username, password }: { readonly username: string; readonly password: string },
): string {
  if (serviceKey === undefined) throw new DemarcError('SECRET_KEY_MISSING');
  const key = Buffer.from(hkdfSync('sha256', serviceKey, '', 'demarc register password', 32));
  const digest = createHmac('sha512', key)
    .update(JSON.stringify([organizationId, username, password]))
    .digest();
  // Two octets a character keep the bias of the remainder below a thousandth.
  return Array.from(
    { length: passwordLength.long },
    (_, place) => alphabet[digest.readUInt16BE(place * 2) % alphabet.length],
  ).join('');
}
