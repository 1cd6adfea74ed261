import { keyText, secretName } from '../conversation/secret-patterns.js';

/** Names of fields whose values are addresses of the customer's systems, or sessions there. */
const systemName = /(^|[_\-.\s])sessions?($|[_\-.\s])|webhook|callback|endpoint/i;
const phoneName =
  /(^|[_\-.\s])(phone|mobile|cell|tel|telephone|msisdn|fax|caller|callee|from|to|ani|dnis)([_-]?(number|no|id))?s?($|[_\-.\s])|phonenumber/i;
/** Seven digits and more, with the separators that people write. */
const phoneNumber = /^\s*(tel:|sips?:)?\+?\(?\d[\d\s().\-/]{5,}\d(@\S+)?\s*$/i;
/** A full stop may follow, a decimal not. */
const phoneWithin = /(?<![\w.])\+?\(?\d[\d\s().-]{7,}\d(?!\w|\.\d)/g;
const url = /\bhttps?:\/\/\S+/gi;
const maximumDepth = 16;
/** In place of what was removed from a text. */
export const removed = '[removed]';

/**
 * Data of a call without phone numbers, URLs and keys, also in nested values: fields with such names or values are left out, and in
 * longer texts only the parts that look like them.
 */
export function withoutPersonal(data: Readonly<Record<string, unknown>>, depth = 0): Record<string, unknown> {
  const kept = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2');
    if (secretName.test(words) || systemName.test(words) || phoneName.test(words)) return [];
    const clean = cleaned(value, depth);
    return clean === undefined ? [] : [[name, clean]];
  });
  return Object.fromEntries(kept);
}

/** A text with `removed` in place of such parts. */
export const withoutPersonalText = (text: string): string =>
  text
    .replaceAll(url, removed)
    .replaceAll(keyText, removed)
    .replaceAll(phoneWithin, (found) => (isDate(found) ? found : removed));

/** Undefined: nothing of it may stay. */
function cleaned(value: unknown, depth: number): unknown {
  if (depth >= maximumDepth) return undefined;
  if (typeof value === 'string') {
    if (phoneNumber.test(value)) return isDate(value) ? value : undefined;
    const clean = withoutPersonalText(value);
    return clean.trim() === removed ? undefined : clean;
  }
  if (typeof value === 'number') return Math.abs(value) >= 1_000_000_000 ? undefined : value;
  if (Array.isArray(value))
    return value.map((item) => cleaned(item, depth + 1)).filter((item) => item !== undefined);
  if (typeof value === 'object' && value !== null)
    return withoutPersonal(value as Readonly<Record<string, unknown>>, depth + 1);
  return value;
}

const isDate = (text: string): boolean => /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text);
