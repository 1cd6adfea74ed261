import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

const northAmerica = '1';

/** A country with that code; those that share one also share its prefixes. */
const countryOf = (callingCode: string): CountryCode | undefined =>
  callingCode === northAmerica
    ? 'US'
    : getCountries().find((country) => getCountryCallingCode(country) === callingCode);

/**
 * The E.164 digits of a local number in the context of a global prefix (RFC 3966 §5.1.5), all of them digits without plus. In the context
 * of a country, carriers also send what people there dial, with the international or the trunk prefix: `0049301234567` and `0301234567`
 * are both 49301234567 in `49`. Undefined: it is no number there.
 */
export function completedNumber(local: string, context: string): string | undefined {
  // A North American number begins with 2 to 9. Within an area, what follows its code may begin with 0.
  const isDialled = local.startsWith('0') || (context === northAmerica && local.startsWith('1'));
  const country = isDialled ? countryOf(context) : undefined;
  if (country === undefined) return `${context}${local}`;
  const number = parsePhoneNumberFromString(local, { defaultCountry: country, extract: false });
  if (number === undefined) return undefined;
  // Where a country has no trunk prefix, or as in Italy keeps it, a 0 is part of the number.
  const isNumber = number.nationalNumber.startsWith('0') ? number.isValid() : number.isPossible();
  return isNumber ? number.number.slice(1) : undefined;
}
