import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { completedNumber } from '../../contract/local-number.js';
import type { SipUri, TelUri } from '../../sip/uri.js';
import { userOf } from '../../sip/uri.js';

/**
 * Class of a dialled user, by cost and effect: extensions and names stay within the server; numbers go to the public network;
 * premium numbers charge for their owner; emergency numbers and feature codes have special effects. What is unclear is neither a
 * number nor a name: a switch may dial a part of it, or read letters as digits.
 */
export type DialledKind = 'extension' | 'number' | 'premium' | 'emergency' | 'feature' | 'unclear';

export interface Dialled {
  readonly kind: DialledKind;
  /** What is dialled: only this has been judged. Without parameters and visual separators. */
  readonly text: string;
}

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
/** Outside-line prefixes of PBXs. */
const outsideLines = ['9', '0', '8'];
/** International prefixes of other countries than the number's: the PBX may be there. */
const internationalPrefixes = ['00', '011', '0011', '119', '810'];
/** The pauses of dial strings, and what some switches take for one. */
const pauses = /[pwPW,;]/;
/** A name has no more digits. */
const maximumNameDigits = 6;
/** Directory enquiries, which connect and charge as well, outside North America. */
const enquiries = /^118\d{2,3}$/;

/** Networks that charge like premium numbers: satellites and international services. */
const costlyCodes = ['870', '878', '881', '882', '883', '888', '979'];
/** Personal numbers forward to anywhere, at the caller's expense. */
const costlyTypes: ReadonlySet<string | undefined> = new Set(['PREMIUM_RATE', 'PERSONAL_NUMBER']);

const keypad: Readonly<Record<string, string>> = Object.fromEntries(
  ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'].flatMap((letters, index) =>
    [...letters].map((letter) => [letter, String(index + 2)]),
  ),
);

/**
 * What a target's user dials, as a switch in the country of the calling number would read it. Undefined: the target has no user.
 * @param callingNumber E.164 digits without plus
 */
export function readDialled(uri: SipUri | TelUri, callingNumber: string): Dialled | undefined {
  const user = userOf(uri);
  if (user === undefined || !/^[\x21-\x7e]{1,128}$/.test(user)) return undefined;
  const semicolon = user.indexOf(';');
  const parameters = uri.kind === 'tel' ? uri.parameters : parametersOf(user, semicolon);
  const base = semicolon < 0 ? user : user.slice(0, semicolon);
  const plain = base.replace(/[-.()]/g, '');
  const isDialString = /^\+?[0-9*#]+$/.test(plain);
  if (!isDialString && parameters.size > 0) return { kind: 'unclear', text: user };
  const text = isDialString ? withContext(plain, parameters.get('phone-context')) : base;
  return text === undefined ? { kind: 'unclear', text: user } : { kind: kindOf(text, callingNumber), text };
}

/** RFC 3966 §3 within a SIP user (RFC 3261 §19.1.6). */
function parametersOf(user: string, semicolon: number): ReadonlyMap<string, string | undefined> {
  if (semicolon < 0) return new Map();
  return new Map(
    user
      .slice(semicolon + 1)
      .split(';')
      .map((part) => {
        const [name = '', ...value] = part.split('=');
        return [name.toLowerCase(), value.join('=')];
      }),
  );
}

/** RFC 3966 §5.1.5: a local number is completed by a global context; a domain only says whose extension it is. */
function withContext(text: string, context: string | undefined): string | undefined {
  if (context === undefined || text.startsWith('+')) return text;
  const prefix = context.replace(/[-.()]/g, '');
  if (/^\+[0-9]+$/.test(prefix)) {
    const digits = /^[0-9]+$/.test(text) ? completedNumber(text, prefix.slice(1)) : undefined;
    return digits === undefined ? undefined : `+${digits}`;
  }
  return /^[A-Za-z0-9.-]+$/.test(context) && /[A-Za-z]/.test(context) ? text : undefined;
}

function kindOf(text: string, callingNumber: string): DialledKind {
  const country = parsePhoneNumberFromString(`+${callingNumber}`)?.country;
  if (/^\+?[0-9*#]+$/.test(text)) return kindOfDigits(text, country);
  return isName(text, country) ? 'extension' : 'unclear';
}

function kindOfDigits(text: string, country: CountryCode | undefined): DialledKind {
  if (/[*#]/.test(text)) return 'feature';
  const isGlobal = text.startsWith('+');
  const digits = isGlobal ? text.slice(1) : text;
  if (isEmergency(digits, country)) return 'emergency';
  const readings = isGlobal ? [{ digits, isCertain: true }] : readingsOf(digits, country);
  const isCharged = readings.some((reading) => isPremium(reading.digits, reading.isCertain));
  if (isCharged || isEnquiry(digits, country)) return 'premium';
  return isGlobal || digits.length > longestExtension ? 'number' : 'extension';
}

const withoutOutsideLine = (digits: string): string[] => [
  digits,
  ...outsideLines.flatMap((line) => (digits.length > 1 && digits.startsWith(line) ? digits.slice(1) : [])),
];

function isEmergency(digits: string, country: CountryCode | undefined): boolean {
  const emergencyNumbers = [...everywhere, ...(emergencies[country ?? ''] ?? [])];
  const code = country === undefined ? undefined : getCountryCallingCode(country);
  const local = code !== undefined && digits.startsWith(code) ? [digits.slice(code.length)] : [];
  return [...withoutOutsideLine(digits), ...local].some((candidate) => emergencyNumbers.includes(candidate));
}

const isEnquiry = (digits: string, country: CountryCode | undefined): boolean =>
  country !== undefined &&
  getCountryCallingCode(country) !== '1' &&
  withoutOutsideLine(digits).some((candidate) => enquiries.test(candidate));

interface Reading {
  /** E.164, without plus. */
  readonly digits: string;
  /** It has the prefix of a national or international number, or its own country's code: a switch is likely to read it so. */
  readonly isCertain: boolean;
}

/** What digits without plus may mean: national numbers of the country, and international ones. */
function readingsOf(digits: string, country: CountryCode | undefined): Reading[] {
  if (digits.length <= longestExtension) return [];
  const readings: Reading[] = [];
  for (const candidate of withoutOutsideLine(digits)) {
    const national = country === undefined ? undefined : parsePhoneNumberFromString(candidate, country);
    const isAmerican = national?.countryCallingCode === '1';
    if (national !== undefined) {
      const isCertain = isAmerican || /^[01]/.test(candidate);
      readings.push({ digits: national.number.slice(1), isCertain });
    }
    for (const prefix of internationalPrefixes)
      if (candidate.startsWith(prefix))
        readings.push({ digits: candidate.slice(prefix.length), isCertain: true });
    // In North America ten digits are a national number, never a country code with one.
    const isNational = isAmerican && national?.isValid() === true;
    if (!isNational && !candidate.startsWith('0')) {
      const isCertain = country !== undefined && candidate.startsWith(getCountryCallingCode(country));
      readings.push({ digits: candidate, isCertain });
    }
  }
  return readings;
}

/** @param isCertain also judges those that lack the last digits, or have too many: switches complete and cut them */
function isPremium(digits: string, isCertain: boolean): boolean {
  if (costlyCodes.some((code) => digits.startsWith(code))) return true;
  const whole = parsePhoneNumberFromString(`+${digits}`);
  if (whole?.isValid() === true) return costlyTypes.has(whole.getType());
  if (!isCertain) return false;
  for (let length = shortestNumber; length < digits.length; length++)
    if (isCostly(digits.slice(0, length))) return true;
  for (let length = digits.length + 1; length <= longestNumber; length++)
    if (isCostly(digits.padEnd(length, filler))) return true;
  return false;
}

const shortestNumber = 8;
/** ITU-T E.164. */
const longestNumber = 15;
const filler = '5552368';

const isCostly = (digits: string): boolean =>
  costlyTypes.has(parsePhoneNumberFromString(`+${digits}`)?.getType());

/**
 * A name that no switch takes for something to dial: it begins with a letter and has few digits, or it is short and harmless in
 * each way of reading it.
 */
function isName(text: string, country: CountryCode | undefined): boolean {
  if (!/^[A-Za-z0-9_~'!$&=/+.-]+$/.test(text) || text.startsWith('+')) return false;
  const digits = text.replace(/[^0-9]/g, '');
  if (digits.length > maximumNameDigits) return false;
  const bare = text.replace(/[^A-Za-z0-9]/g, '');
  const isDialLike = /^[0-9]/.test(text) || /^[A-DPWa-dpw0-9]+$/.test(bare);
  if (digits === '' || !isDialLike) return /[A-Za-z]/.test(bare);
  const onKeypad = [...bare.toLowerCase()].map((sign) => keypad[sign] ?? sign).join('');
  const parts = bare.split(pauses).map((part) => part.replace(/[^0-9]/g, ''));
  const readings = [onKeypad, digits, ...parts].filter((reading) => reading !== '');
  return readings.every((reading) => kindOfDigits(reading, country) === 'extension');
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
