const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** True for the octets that linear white space is made of: SP, HT, CR, LF. */
export const isWhiteSpace = (code: number): boolean =>
  code === space || code === tab || code === carriageReturn || code === lineFeed;

/**
 * Removes white space (SP, HT, CR, LF) at both ends. Not `String.trim`: that also takes U+00A0, which in a byte string is
 * the second half of letters such as "à".
 */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

const tokenOctets: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9\-.!%*_+`'~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** True for an octet of an RFC 3261 §25.1 token. */
export const isTokenOctet = (code: number): boolean => tokenOctets[code] === 1;

/** True for a token: RFC 3261 §25.1. */
export function isToken(text: string): boolean {
  if (text === '') return false;
  for (let i = 0; i < text.length; i++) if (tokenOctets[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/**
 * True when the text can stand in a header line as it is: no CR and no LF, and NUL only after a backslash, where
 * RFC 3261 §25.1 allows it (quoted-pair).
 */
export function isSingleLine(text: string): boolean {
  return !/[\0\r\n]/.test(text) || !/[\r\n]|(?:^|[^\\])\0/.test(text);
}

/**
 * The index just past the quoted string that begins at `start` (where the opening quote is), or -1 when it never ends.
 * A backslash takes the next octet with it (RFC 3261 §25.1).
 */
export function endOfQuoted(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) return i + 1;
  }
  return -1;
}

/** `"a \"b\""` → `a "b"`; text without quotes is returned as it is. */
export function unquote(text: string): string {
  if (text.length < 2 || text.charCodeAt(0) !== 34) return text;
  const inner = text.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\([\s\S])/g, '$1') : inner;
}

/** `a "b"` → `"a \"b\""`. */
export function quote(text: string): string {
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}

/** Splits at top-level commas: not inside quotes, nor inside angle brackets. Elements are trimmed, empty ones dropped. */
export function splitList(value: string): string[] {
  return splitListStrictly(value).filter((part) => part !== '');
}

/** As `splitList`, but empty elements stay: where an empty element is a defect of the message. */
export function splitListStrictly(value: string): string[] {
  const parts: string[] = [];
  let bracketed = false;
  let start = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    if (c === 34 && !bracketed) {
      const end = endOfQuoted(value, i);
      if (end < 0) break;
      i = end - 1;
    } else if (c === 60) bracketed = true;
    else if (c === 62) bracketed = false;
    else if (c === 44 && !bracketed) {
      parts.push(trimWhiteSpace(value.slice(start, i)));
      start = i + 1;
    }
  }
  parts.push(trimWhiteSpace(value.slice(start)));
  return parts;
}
