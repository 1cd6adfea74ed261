/** A bencoded value; octet strings are read as latin1, so that a blob keeps its octets. */
export type Bencoded = string | number | readonly Bencoded[] | { readonly [key: string]: Bencoded };

export function bencode(value: Bencoded): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (typeof value === 'number') return `i${value}e`;
  if (Array.isArray(value)) return `l${value.map(bencode).join('')}e`;
  const entries = Object.entries(value as Record<string, Bencoded>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `d${entries.map(([key, item]) => bencode(key) + bencode(item)).join('')}e`;
}

/** Throws on text that is not exactly one value. */
export function readBencoded(text: string): Bencoded {
  let at = 0;
  const until = (end: string): string => {
    const stop = text.indexOf(end, at);
    if (stop < 0) throw new Error(`No ${end} after octet ${at}`);
    const part = text.slice(at, stop);
    at = stop + 1;
    return part;
  };
  const isEnd = (): boolean => {
    if (at >= text.length) throw new Error('Cut short');
    if (text[at] !== 'e') return false;
    at++;
    return true;
  };
  const read = (): Bencoded => {
    const type = text[at];
    if (type === 'i') {
      at++;
      return Number(until('e'));
    }
    if (type === 'l') {
      at++;
      const items: Bencoded[] = [];
      while (!isEnd()) items.push(read());
      return items;
    }
    if (type === 'd') {
      at++;
      const entries: [string, Bencoded][] = [];
      while (!isEnd()) entries.push([String(read()), read()]);
      return Object.fromEntries(entries);
    }
    const length = until(':');
    if (!/^\d+$/.test(length) || at + Number(length) > text.length)
      throw new Error(`Bad string at octet ${at}`);
    at += Number(length);
    return text.slice(at - Number(length), at);
  };
  const value = read();
  if (at !== text.length) throw new Error(`Octets behind the value, at ${at}`);
  return value;
}
