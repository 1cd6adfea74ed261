import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * The digits of an E.164 number, without plus; visual separators are forgiven, a missing plus as well, and the blank that
 * an unescaped plus turns into in a query. Undefined for what no country's numbering plan can have.
 */
export function readPhoneNumber(text: string): string | undefined {
  const compact = text.trim().replace(/[\s().-]/g, '');
  if (!/^\+?[1-9][0-9]{2,14}$/.test(compact)) return undefined;
  const number = parsePhoneNumberFromString(compact.startsWith('+') ? compact : `+${compact}`);
  // By length only: plans gain ranges faster than libraries learn them.
  return number?.isPossible() === true ? number.number.slice(1) : undefined;
}

export const e164 = (digits: string): string => `+${digits}`;
