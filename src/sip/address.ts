import type { Parameters } from './parameters.js';
import { formatParameters, parseParameters } from './parameters.js';
import {
  endOfQuoted,
  isToken,
  isTokenOctet,
  isWhiteSpace,
  quote,
  splitList,
  trimWhiteSpace,
  unquote,
} from './text.js';

/** The value of From, To, Contact, Route and their kind: RFC 3261 §20.10, §20.20. */
export interface Address {
  /** Without quotes and backslashes. */
  displayName?: string;
  /** Raw text, without angle brackets. */
  uri: string;
  /** Header parameters, names in lower case, values as they came. */
  parameters: Parameters;
}

/**
 * Reads one name-addr or addr-spec with its parameters. Unquoted display names may hold octets above 127, which RFC 3261
 * wants quoted but peers send. Without angle brackets, what follows `;` belongs to the header, and `?` and `,` are not
 * allowed (§20.10). Undefined when malformed; never throws. The URI is not looked into.
 */
export function parseAddress(value: string): Address | undefined {
  let at = 0;
  while (at < value.length && isWhiteSpace(value.charCodeAt(at))) at++;
  let displayName: string | undefined;
  let open: number;
  if (value.charCodeAt(at) === 34) {
    const end = endOfQuoted(value, at);
    if (end < 0) return undefined;
    displayName = unquote(value.slice(at, end));
    open = end;
    while (open < value.length && isWhiteSpace(value.charCodeAt(open))) open++;
    if (value.charCodeAt(open) !== 60) return undefined;
  } else {
    open = value.indexOf('<', at);
    if (open < 0) return parseAddrSpec(value, at);
    if (open > at) {
      displayName = trimWhiteSpace(value.slice(at, open));
      if (!isUnquotedName(displayName)) return undefined;
    }
  }
  const close = value.indexOf('>', open);
  if (close < 0) return undefined;
  const uri = value.slice(open + 1, close);
  if (!isUriText(uri)) return undefined;
  const parameters = parseParameters(value, close + 1);
  if (parameters === undefined) return undefined;
  return displayName === undefined ? { uri, parameters } : { displayName, uri, parameters };
}

function parseAddrSpec(value: string, start: number): Address | undefined {
  const semicolon = value.indexOf(';', start);
  const uri = trimWhiteSpace(value.slice(start, semicolon < 0 ? value.length : semicolon));
  if (!isUriText(uri) || uri.includes('?') || uri.includes(',')) return undefined;
  const parameters = semicolon < 0 ? new Map() : parseParameters(value, semicolon);
  return parameters && { uri, parameters };
}

function isUnquotedName(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    if (!isTokenOctet(c) && !isWhiteSpace(c) && c < 128) return false;
  }
  return true;
}

function isUriText(uri: string): boolean {
  if (uri === '') return false;
  for (let i = 0; i < uri.length; i++) {
    const c = uri.charCodeAt(i);
    if (c <= 32 || c === 127 || c === 34 || c === 60 || c === 62) return false;
  }
  return true;
}

/** `"Name" <uri>;parameters`; the name always in quotes, the URI always in brackets. */
export function formatAddress(address: Address): string {
  const name = address.displayName === undefined ? '' : `${quote(address.displayName)} `;
  return `${name}<${address.uri}>${formatParameters(address.parameters)}`;
}

/** The `tag` parameter of a From or To value. */
export function tagOf(headerValue: string): string | undefined {
  const nameEnd = endOfQuotedName(headerValue);
  if (nameEnd < 0) return parseAddress(headerValue)?.parameters.get('tag');
  const close = headerValue.indexOf('>', nameEnd);
  const semicolon = headerValue.indexOf(';', close + 1);
  if (semicolon < 0) return undefined;
  if (headerValue.startsWith('tag=', semicolon + 1)) {
    const start = semicolon + 5;
    const next = headerValue.indexOf(';', start);
    return trimWhiteSpace(next < 0 ? headerValue.slice(start) : headerValue.slice(start, next)) || undefined;
  }
  return parseParameters(headerValue, semicolon)?.get('tag');
}

/** The index past a quoted display name, 0 if there is none; -1 if there are other quotes, which need a full reading. */
function endOfQuotedName(headerValue: string): number {
  const first = headerValue.indexOf('"');
  if (first < 0) return 0;
  if (first > 0) return -1;
  const end = endOfQuoted(headerValue, 0);
  const isName = end > 0 && headerValue.startsWith(' <', end) && !headerValue.includes('"', end);
  return isName && headerValue.includes('>', end) ? end : -1;
}

/**
 * The From or To value without any tag but its first; the very same value when it has at most one. Some peers append their
 * own tag to the value they answer although it has one.
 */
export function withFirstTagOnly(headerValue: string): string {
  const first = headerValue.indexOf(';tag=', headerValue.lastIndexOf('>') + 1);
  if (first < 0 || !headerValue.includes(';tag=', first + 1)) return headerValue;
  const [head, tag, ...rest] = [headerValue.slice(0, first), ...headerValue.slice(first + 1).split(';')];
  return [head, tag, ...rest.filter((parameter) => !parameter.startsWith('tag='))].join(';');
}

/** The From or To value with that tag: appended, or put in place of another one. Malformed values get it appended. */
export function withTag(headerValue: string, tag: string): string {
  const existing = tagOf(headerValue);
  if (existing === tag) return headerValue;
  if (existing === undefined) return `${headerValue};tag=${tag}`;
  const address = parseAddress(headerValue);
  if (address === undefined) return `${headerValue};tag=${tag}`;
  address.parameters.set('tag', tag);
  return formatAddress(address);
}

/**
 * The same From or To value with its tag before any parameter whose value is neither token nor quoted string (an IPv6
 * reference, say): less strict readers stop there. Other values are returned unchanged.
 */
export function withEarlyTag(headerValue: string): string {
  const first = headerValue.indexOf(';', headerValue.indexOf('>') + 1);
  if (first < 0 || headerValue.startsWith('tag=', first + 1)) return headerValue;
  const address = parseAddress(headerValue);
  const tag = address?.parameters.get('tag');
  if (address === undefined || tag === undefined) return headerValue;
  for (const [name, value] of address.parameters) {
    if (name === 'tag') return headerValue;
    if (value !== undefined && value.charCodeAt(0) !== 34 && !isToken(value)) break;
  }
  return formatAddress({ ...address, parameters: new Map([['tag', tag], ...address.parameters]) });
}

/**
 * The same value in a form that every parser reads: display names that are not plain ASCII tokens come in quotes. Takes
 * comma lists too. Values that need nothing, and values that cannot be read, are returned as they are.
 */
export function withQuotedNames(headerValue: string): string {
  if (!headerValue.includes(',')) return withQuotedName(headerValue);
  const values = splitList(headerValue);
  const quoted = values.map(withQuotedName);
  return quoted.every((value, i) => value === values[i]) ? headerValue : quoted.join(', ');
}

function withQuotedName(value: string): string {
  const open = value.indexOf('<');
  for (let i = 0; i < open; i++) {
    const c = value.charCodeAt(i);
    if (c === 34) return value;
    if (isTokenOctet(c) || isWhiteSpace(c)) continue;
    return `${quote(trimWhiteSpace(value.slice(0, open)))} ${value.slice(open)}`;
  }
  return value;
}
