/** Half of a surrogate pair, or U+0000. */
export const unstorable = /[\0\p{Surrogate}]/u;
const unstorableOnes = new RegExp(unstorable, 'gu');

/** PostgreSQL stores UTF-8 without U+0000, so neither that nor half of a surrogate pair. */
export const storable = (text: string): string =>
  unstorable.test(text) ? text.replaceAll(unstorableOnes, '\ufffd') : text;

/** JSON for a `jsonb` column, of values that hold text from outside, or text that was cut. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unstorableEscapes, '$1\\ufffd');

/** `JSON.stringify` escapes both. An even number of backslashes before it belongs to the text. */
const unstorableEscapes = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;
