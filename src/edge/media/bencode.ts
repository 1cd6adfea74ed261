/**
 * The text of an NG command in bencoding: dictionaries, lists, texts and whole numbers; what is undefined is left out. The library
 * builds a buffer for each of a command's fifty values, sorted by key, which rtpengine does not need.
 */
export function bencoded(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `${Buffer.byteLength(value)}:${value}`;
    case 'number':
      return `i${Math.trunc(value)}e`;
    case 'boolean':
      return `i${value ? 1 : 0}e`;
    case 'object':
      if (value !== null) return Array.isArray(value) ? list(value) : dictionary(value);
  }
  throw new TypeError(`A value of type ${typeof value} cannot be sent to rtpengine.`);
}

function list(values: readonly unknown[]): string {
  let text = 'l';
  for (const value of values) text += bencoded(value);
  return `${text}e`;
}

function dictionary(values: object): string {
  let text = 'd';
  for (const [key, value] of Object.entries(values))
    if (value !== undefined) text += bencoded(key) + bencoded(value);
  return `${text}e`;
}
