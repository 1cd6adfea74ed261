import { createHash } from 'node:crypto';
import { numberDigits } from './number.js';

/**
 * The contact of a number has the same id wherever it is made, so that the edge can name it without a lookup: a UUID of
 * version 5 (RFC 9562 §5.5) of the organization and the number. A merged contact's id stays valid as an alias.
 */

/** Demarc's own namespace; a change would give every contact a new id. */
const namespace = Buffer.from('69a95d1fc5c94245bf4673af011d9904', 'hex');

/**
 * @param organization its id
 * @param e164 with plus, no separators: `+14155550100`
 */
export function contactId(organization: string, e164: string): string {
  const digest = createHash('sha1').update(namespace).update(`${organization}\n${e164}`).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The E.164 number with plus that the user part of a SIP URI names; undefined for names, anonymous callers and extensions.
 * Without a plus, shorter texts than a number with its country code has in practice count as extensions.
 */
export function contactNumber(user: string | undefined): string | undefined {
  const digits = user === undefined ? undefined : numberDigits(user);
  if (digits === undefined || digits.startsWith('0')) return undefined;
  const isInternational = /^(\+|%2B)/i.test(user!) || /;phone-context=(\+|%2B)/i.test(user!);
  return digits.length >= (isInternational ? 7 : 8) ? `+${digits}` : undefined;
}

/**
 * The contact of a call's other party: the caller of an inbound call, the callee of an outbound one. Undefined: it has none.
 * @param user user part of the party's URI
 */
export function contactOf(
  organization: string,
  user: string | undefined,
): { readonly id: string; readonly number: string } | undefined {
  const number = contactNumber(user);
  return number === undefined ? undefined : { id: contactId(organization, number), number };
}
