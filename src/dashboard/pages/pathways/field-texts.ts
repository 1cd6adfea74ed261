/** Values of fields as the texts of their controls. Pure. */

export const valueText = (value: unknown): string => (value === undefined ? '' : String(value));

/**
 * A string, number or boolean from its text; undefined: empty.
 * @param type of the variable; without one, what looks like a number or boolean is one
 */
export function valueFromText(text: string, type?: unknown): string | number | boolean | undefined {
  if (text === '') return undefined;
  if (type === 'string') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  // "05" and "1." stay texts, so that they can be typed.
  return String(Number(text)) === text ? Number(text) : text;
}

export const jsonText = (value: unknown): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);

export const cannotRead = Symbol('cannot read');

/** A JSON object from its text; undefined: empty. */
export function jsonOf(text: string): Record<string, unknown> | undefined | typeof cannotRead {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : cannotRead;
  } catch {
    return cannotRead;
  }
}
