import { createHash } from 'node:crypto';

/** The ids that bots for media streams know calls and accounts by: two letters and 32 hex digits. */

const hexOf = (id: string): string => {
  const plain = id.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : createHash('sha256').update(id).digest('hex').slice(0, 32);
};

/** `CA` and 32 hex digits: the digits of a UUID, so that they lead back to the call. */
export const callSidOf = (callId: string): string => `CA${hexOf(callId)}`;

/** `AC` and 32 hex digits, likewise. */
export const accountSidOf = (organization: string): string => `AC${hexOf(organization)}`;

/** The UUID that a `callSidOf` or `accountSidOf` stands for; undefined: it is none. */
export function idOfSid(sid: string, prefix: 'CA' | 'AC'): string | undefined {
  const [, hex] = /^(?:CA|AC)([0-9a-f]{32})$/.exec(sid) ?? [];
  if (hex === undefined || !sid.startsWith(prefix)) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
