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

/** What a person hears of a text that `readPhoneNumber` does not read; North Americans often leave the country code out. */
export function describeNoNumber(text: string): string {
  const shown = JSON.stringify(text.length > 32 ? `${text.slice(0, 32)}…` : text);
  const digits = text.replace(/\D/g, '');
  const meant = /^[2-9]\d{9}$/.test(digits) ? ` Did you mean +1${digits}?` : '';
  return `${shown} is not an E.164 number, such as +14155550100.${meant}`;
}
