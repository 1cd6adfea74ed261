import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export const numberTypes = ['mobile', 'landline', 'toll-free', 'voip', 'unknown'] as const;
export type NumberType = (typeof numberTypes)[number];

export interface PlannedNumber {
  /** ISO 3166-1 alpha-2; undefined: of no country, such as +800. */
  readonly country: string | undefined;
  readonly type: NumberType;
  /** The numbering plan has such numbers. */
  readonly isAssigned: boolean;
}

const types: Readonly<Record<string, NumberType>> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'landline',
  TOLL_FREE: 'toll-free',
  VOIP: 'voip',
};

/**
 * What the numbering plan alone says of a number. North American plans do not tell mobile numbers from landlines: those are
 * `unknown`.
 * @param digits E.164 without plus
 */
export function planOf(digits: string): PlannedNumber {
  const number = parsePhoneNumberFromString(`+${digits}`);
  if (number === undefined) return { country: undefined, type: 'unknown', isAssigned: false };
  return {
    country: number.country ?? (number.countryCallingCode === '1' ? 'US' : undefined),
    type: types[number.getType() ?? ''] ?? 'unknown',
    isAssigned: number.isValid(),
  };
}
