import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { IdentifierType } from './tables.js';

/**
 * What a search finds a contact by: each term by its beginning. A number is there in three forms, so that it is found by its
 * first digits, with or without the country code, and by its last ones (the reversed form).
 */

export interface TermSource {
  readonly name: string;
  readonly identifiers: readonly { readonly type: IdentifierType; readonly value: string }[];
}

const maximumNameWords = 60;
/** All of a contact with as many identifiers as it can have. */
const maximumTerms = 400;
/** Longer terms are cut; an index entry holds 2,700 octets. */
const maximumTermLength = 100;

const cut = (term: string): string => [...term].slice(0, maximumTermLength).join('');

export const reversed = (digits: string): string => `~${[...digits].reverse().join('')}`;

/** As it is compared: without case and compatibility forms. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

const wordsOf = (text: string): string[] => folded(text).split(/[\s,;]+/);

const numberTerms = (value: string): string[] => {
  const digits = value.replace('+', '');
  const national = parsePhoneNumberFromString(value)?.nationalNumber;
  return [digits, reversed(digits), ...(national === undefined ? [] : [national])];
};

export function termsOf({ name, identifiers }: TermSource): string[] {
  const terms = identifiers.flatMap(({ type, value }) => {
    if (type === 'phone_number') return numberTerms(value);
    const text = folded(value);
    return type === 'email' ? [text, text.slice(text.indexOf('@'))] : [text];
  });
  const all = [...wordsOf(name).slice(0, maximumNameWords), ...terms].map(cut);
  return [...new Set(all)].filter((term) => term !== '').slice(0, maximumTerms);
}

const maximumWords = 5;

/** The beginnings of terms for each word of a search: a contact has one of them for every word. */
export function soughtTerms(search: string): string[][] {
  const text = folded(search).trim();
  // A number with separators is one word.
  const number = /^\+?[\d\s().-]{3,}$/.test(text) ? [text] : undefined;
  return (number ?? wordsOf(text))
    .filter((word) => word !== '')
    .slice(0, maximumWords)
    .map((word) => {
      const digits = /^\+?[\d\s().-]+$/.test(word) ? word.replace(/\D/g, '') : '';
      if (digits.length < 3) return [cut(word)];
      const forms = [word, digits, ...(word.startsWith('+') ? [] : [reversed(digits)])];
      return [...new Set(forms.map(cut))];
    });
}
