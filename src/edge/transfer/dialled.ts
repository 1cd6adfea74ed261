import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Class of a dialled user, by cost and effect: extensions and names stay within the server; numbers go to the public network;
 * premium numbers charge for their owner; emergency numbers and feature codes have special effects.
 */
export type Dialled = 'extension' | 'number' | 'premium' | 'emergency' | 'feature';

/** A PBX may send longer strings of digits to the public network, with or without an outside-line prefix. */
const longestExtension = 6;

/** Emergency numbers by the country of the calling number (ITU-T E.129); each country knows 112, 911 and 999 or maps them. */
const everywhere = ['112', '911', '999', '000'];
const emergencies: Readonly<Record<string, readonly string[]>> = {
  AT: ['122', '133', '144'],
  AU: ['106'],
  BE: ['100', '101'],
  BR: ['190', '192', '193'],
  CH: ['117', '118', '144'],
  CN: ['110', '119', '120', '122'],
  DE: ['110'],
  ES: ['061', '062', '080', '091', '092'],
  FR: ['15', '17', '18', '114', '115', '119', '191', '196'],
  GB: ['18000'],
  IN: ['100', '101', '102', '108'],
  IT: ['113', '115', '118'],
  JP: ['110', '118', '119'],
  KR: ['119'],
  MX: ['066'],
  NZ: ['111'],
  PL: ['997', '998'],
  RU: ['101', '102', '103', '104'],
  SG: ['995'],
  US: ['933'],
  CA: ['933'],
  ZA: ['10111', '10177'],
};
/** Outside-line prefix of PBXs. */
const outsideLine = /^[09](?=.)/;

/** Networks that charge like premium numbers: satellites and international services. */
const costlyCodes = ['870', '878', '881', '882', '883', '888', '979'];

/** Digits and the signs of feature codes; undefined for a name. */
export function dialString(user: string): string | undefined {
  const text = user.replace(/;.*$/s, '').replace(/[-.()]/g, '');
  return /^\+?[0-9*#]+$/.test(text) ? text : undefined;
}

/** @param callingNumber E.164 digits without plus: whose country's emergency numbers count */
export function dialledAs(user: string, callingNumber: string): Dialled {
  const text = dialString(user);
  if (text === undefined) return 'extension';
  if (/[*#]/.test(text)) return 'feature';
  const digits = text.replace(/^\+/, '');
  const country = parsePhoneNumberFromString(`+${callingNumber}`)?.country ?? '';
  const emergency = [...everywhere, ...(emergencies[country] ?? [])];
  if (emergency.includes(digits) || emergency.includes(digits.replace(outsideLine, ''))) return 'emergency';
  if (text.startsWith('+')) return isPremium(digits) ? 'premium' : 'number';
  return digits.length <= longestExtension ? 'extension' : 'number';
}

function isPremium(digits: string): boolean {
  if (costlyCodes.some((code) => digits.startsWith(code))) return true;
  return parsePhoneNumberFromString(`+${digits}`)?.getType() === 'PREMIUM_RATE';
}

/** Whether a listed prefix covers premium numbers: at least three digits beyond the country code. */
export function namesPremium(prefix: string): boolean {
  const digits = prefix.replace(/^\+/, '');
  if (costlyCodes.some((code) => digits.startsWith(code))) return true;
  const codeLength = digits.startsWith('1') || digits.startsWith('7') ? 1 : countryCodeLength(digits);
  return digits.length >= codeLength + 3;
}

/** ITU-T E.164: two digits, or three for the ranges that are divided further. */
const countryCodeLength = (digits: string): number =>
  /^(2[1-689]|3[578]|42|5[09]|6[7-9]|8[057-9]|9[679])/.test(digits) ? 3 : 2;
