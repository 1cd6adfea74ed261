/** Base64 (RFC 4648 §4, and when reading §5) from buffer to buffer: the functions of Node.js copy through a string, which takes three times as long. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const padding = 0x3d;
/** Of an octet that is no letter: a bit that none of the values has. */
const noLetter = 0x40;
const values = new Uint8Array(256).fill(noLetter);
for (const [value, code] of codes.entries()) values[code] = value;
values['-'.charCodeAt(0)] = 62;
values['_'.charCodeAt(0)] = 63;

/** Writes four letters for each three octets, and padding. Returns the place behind them. */
export function writeBase64(octets: Uint8Array, into: Uint8Array, place: number): number {
  const { length } = octets;
  let to = place;
  let at = 0;
  for (; at + 2 < length; at += 3, to += 4) {
    const bits = (octets[at]! << 16) | (octets[at + 1]! << 8) | octets[at + 2]!;
    into[to] = codes[bits >> 18]!;
    into[to + 1] = codes[(bits >> 12) & 0x3f]!;
    into[to + 2] = codes[(bits >> 6) & 0x3f]!;
    into[to + 3] = codes[bits & 0x3f]!;
  }
  if (at === length) return to;
  const isOne = at + 1 === length;
  const bits = (octets[at]! << 16) | (isOne ? 0 : octets[at + 1]! << 8);
  into[to] = codes[bits >> 18]!;
  into[to + 1] = codes[(bits >> 12) & 0x3f]!;
  into[to + 2] = isOne ? padding : codes[(bits >> 6) & 0x3f]!;
  into[to + 3] = padding;
  return to + 4;
}

/** Decodes what stands from `start` to `end`, with or without padding. Returns how many octets, or -1: it is no base64. */
export function readBase64(text: Uint8Array, start: number, end: number, into: Uint8Array): number {
  let last = end;
  while (last > start && end - last < 2 && text[last - 1] === padding) last--;
  let to = 0;
  let at = start;
  let seen = 0;
  for (; at + 3 < last; at += 4, to += 3) {
    const first = values[text[at]!]!;
    const second = values[text[at + 1]!]!;
    const third = values[text[at + 2]!]!;
    const fourth = values[text[at + 3]!]!;
    seen |= first | second | third | fourth;
    into[to] = (first << 2) | (second >> 4);
    into[to + 1] = (second << 4) | (third >> 2);
    into[to + 2] = (third << 6) | fourth;
  }
  const first = at < last ? values[text[at]!]! : 0;
  const second = at + 1 < last ? values[text[at + 1]!]! : 0;
  const third = at + 2 < last ? values[text[at + 2]!]! : 0;
  seen |= first | second | third;
  if (at + 1 < last) into[to++] = (first << 2) | (second >> 4);
  if (at + 2 < last) into[to++] = (second << 4) | (third >> 2);
  return (seen & noLetter) === 0 ? to : -1;
}
