import { endOfQuoted, isTokenOctet, isWhiteSpace } from './text.js';

/** Parameters of a header value, names in lower case, values as they came (quoted strings with their quotes). */
export type Parameters = Map<string, string | undefined>;

const semicolon = 59;
const equals = 61;
const doubleQuote = 34;

function skipWhiteSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Reads `;name=value;name…` from `from` to the end of the text (generic-param, RFC 3261 §25.1, with LWS around `;` and `=`).
 * Values may hold any visible octets but `;`, `,`, `<`, `>` and quotes. Undefined when anything else stands there: an empty
 * parameter, a name that is no token, an unbalanced quote, and a name for the second time (§7.3.1), since readers differ in
 * which one they believe.
 */
export function parseParameters(text: string, from: number): Parameters | undefined {
  const parameters: Parameters = new Map();
  const length = text.length;
  let at = skipWhiteSpace(text, from);
  while (at < length) {
    if (text.charCodeAt(at) !== semicolon) return undefined;
    at = skipWhiteSpace(text, at + 1);
    const nameStart = at;
    while (at < length && isTokenOctet(text.charCodeAt(at))) at++;
    if (at === nameStart) return undefined;
    const name = text.slice(nameStart, at).toLowerCase();
    at = skipWhiteSpace(text, at);
    let value: string | undefined;
    if (text.charCodeAt(at) === equals) {
      at = skipWhiteSpace(text, at + 1);
      const end = endOfValue(text, at);
      if (end <= at) return undefined;
      value = text.slice(at, end);
      at = skipWhiteSpace(text, end);
    }
    if (parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}

function endOfValue(text: string, start: number): number {
  if (text.charCodeAt(start) === doubleQuote) return endOfQuoted(text, start);
  let at = start;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === semicolon || c === 44 || c === 60 || c === 62 || c === doubleQuote || c <= 32) break;
    at++;
  }
  return at;
}

/** `;name=value` for each, in the map's order. */
export function formatParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, value] of parameters) text += value === undefined ? `;${name}` : `;${name}=${value}`;
  return text;
}
