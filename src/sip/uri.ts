import type { Parameters } from './parameters.js';

/** RFC 3261 §19.1. All parts as they came, escapes included; `userOf` undoes the user's. */
export interface SipUri {
  readonly kind: 'sip';
  scheme: 'sip' | 'sips';
  user?: string;
  password?: string;
  /** Without brackets, in the spelling that came. */
  host: string;
  port?: number;
  /** Names in lower case. */
  parameters: Parameters;
  /** What follows the question mark. */
  headers?: string;
}

/** RFC 3966. */
export interface TelUri {
  readonly kind: 'tel';
  scheme: 'tel';
  /** With its leading plus and visual separators, if any. */
  number: string;
  parameters: Parameters;
}

/** Any other scheme: only its name is understood. */
export interface OtherUri {
  readonly kind: 'other';
  /** Lower case. */
  scheme: string;
  /** What follows the colon. */
  opaque: string;
}

export type Uri = SipUri | TelUri | OtherUri;

const octets = (pattern: RegExp): Readonly<Uint8Array> =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));

// RFC 3261 allows neither "#" nor raw octets above 127 in a user; telephones send both.
const userOctets = octets(/[A-Za-z0-9\-_.!~*'()&=+$,;?/%#\x80-\xff]/);
const passwordOctets = octets(/[A-Za-z0-9\-_.!~*'()&=+$,%]/);
const parameterOctets = octets(/[A-Za-z0-9\-_.!~*'()[\]/:&+$%]/);
const headerOctets = octets(/[A-Za-z0-9\-_.!~*'()[\]/?:+$%&=,;]/);
const hostOctets = octets(/[A-Za-z0-9\-._]/);
const visibleOctets = octets(/[\x21\x23-\x3b\x3d\x3f-\x7e\x80-\xff]/);

const isHexadecimal = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

/** All octets allowed, and each "%" followed by two hexadecimal digits. */
function consistsOf(text: string, allowed: Readonly<Uint8Array>): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (allowed[c] !== 1) return false;
    if (c === 37 && !(isHexadecimal(text.charCodeAt(i + 1)) && isHexadecimal(text.charCodeAt(i + 2))))
      return false;
  }
  return true;
}

/** True for a textual IPv6 address without brackets or zone (RFC 4291 §2.2). */
export function isIpv6(host: string): boolean {
  if (!host.includes(':') || host.length > 45) return false;
  const gap = host.indexOf('::');
  if (gap >= 0 && host.indexOf('::', gap + 1) >= 0) return false;
  if (gap < 0) return countGroups(host, true) === 8;
  const before = countGroups(host.slice(0, gap), false);
  const after = countGroups(host.slice(gap + 2), true);
  return before >= 0 && after >= 0 && before + after <= 7;
}

/** Number of 16-bit groups; an IPv4 tail counts for two; -1 when malformed. */
function countGroups(text: string, mayEndInIpv4: boolean): number {
  if (text === '') return 0;
  const groups = text.split(':');
  let count = 0;
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    if (mayEndInIpv4 && i === groups.length - 1 && group.includes('.')) {
      if (!isIpv4(group)) return -1;
      count += 2;
    } else {
      if (!/^[0-9A-Fa-f]{1,4}$/.test(group)) return -1;
      count++;
    }
  }
  return count;
}

/** True for a dotted-quad IPv4 address. */
export function isIpv4(host: string): boolean {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  return match?.slice(1).every((octet) => Number(octet) <= 255) ?? false;
}

/** Host and port as they stand in a URI or a Via. */
export interface HostPort {
  /** Without brackets. */
  host: string;
  port?: number;
}

/** Reads `host`, `host:port`, `[v6]` or `[v6]:port`, nothing else after it. Undefined when malformed. */
export function parseHostPort(text: string): HostPort | undefined {
  let host: string;
  let rest: string;
  if (text.charCodeAt(0) === 91) {
    const close = text.indexOf(']');
    if (close < 0) return undefined;
    // RFC 3261's grammar allowed a third colon before an IPv4 tail; RFC 5118 §4.10 has it tolerated.
    host = text.slice(1, close).replace(/:::(?=\d+\.)/, '::');
    if (!isIpv6(host)) return undefined;
    rest = text.slice(close + 1);
  } else {
    const colon = text.indexOf(':');
    host = colon < 0 ? text : text.slice(0, colon);
    if (host === '' || !consistsOf(host, hostOctets)) return undefined;
    rest = colon < 0 ? '' : text.slice(colon);
  }
  if (rest === '') return { host };
  if (!/^:\d{1,5}$/.test(rest)) return undefined;
  const port = Number(rest.slice(1));
  return port > 65535 ? undefined : { host, port };
}

/** `host:port`, with brackets around IPv6. */
export function formatHostPort(host: string, port?: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

/** Reads a URI (RFC 3261 §19.1, RFC 3966, or any RFC 3986 scheme). Undefined when malformed; never throws. */
export function parseUri(text: string): Uri | undefined {
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme === 'sip' || scheme === 'sips') return parseSipUri(scheme, text.slice(colon + 1));
  if (scheme === 'tel') return parseTelUri(text.slice(colon + 1));
  if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) return undefined;
  const opaque = text.slice(colon + 1);
  return opaque === '' || !onlyVisible(opaque) ? undefined : { kind: 'other', scheme, opaque };
}

function onlyVisible(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (visibleOctets[text.charCodeAt(i)] !== 1) return false;
  return true;
}

function parseSipUri(scheme: 'sip' | 'sips', rest: string): SipUri | undefined {
  const at = rest.indexOf('@');
  let user: string | undefined;
  let password: string | undefined;
  if (at >= 0) {
    const colon = rest.lastIndexOf(':', at);
    user = rest.slice(0, colon < 0 ? at : colon);
    if (user === '' || !consistsOf(user, userOctets)) return undefined;
    if (colon >= 0) {
      password = rest.slice(colon + 1, at);
      if (!consistsOf(password, passwordOctets)) return undefined;
    }
  }
  const question = rest.indexOf('?', at + 1);
  const headers = question < 0 ? undefined : rest.slice(question + 1);
  if (headers !== undefined && !consistsOf(headers, headerOctets)) return undefined;
  const beforeHeaders = question < 0 ? rest.length : question;
  const semicolon = rest.indexOf(';', at + 1);
  const hasParameters = semicolon >= 0 && semicolon < beforeHeaders;
  const hostPort = parseHostPort(rest.slice(at + 1, hasParameters ? semicolon : beforeHeaders));
  if (hostPort === undefined) return undefined;
  const parameters: Parameters | undefined = hasParameters
    ? parseUriParameters(rest.slice(semicolon + 1, beforeHeaders))
    : new Map();
  if (parameters === undefined) return undefined;
  const uri: SipUri = { kind: 'sip', scheme, host: hostPort.host, parameters };
  if (user !== undefined) uri.user = user;
  if (password !== undefined) uri.password = password;
  if (hostPort.port !== undefined) uri.port = hostPort.port;
  if (headers !== undefined) uri.headers = headers;
  return uri;
}

function parseUriParameters(text: string): Parameters | undefined {
  const parameters: Parameters = new Map();
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? undefined : part.slice(equals + 1);
    if (name === '' || value === '' || !consistsOf(name, parameterOctets)) return undefined;
    if (value !== undefined && !consistsOf(value, parameterOctets)) return undefined;
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, value);
  }
  return parameters;
}

function parseTelUri(rest: string): TelUri | undefined {
  const semicolon = rest.indexOf(';');
  const number = semicolon < 0 ? rest : rest.slice(0, semicolon);
  const isGlobal = number.charCodeAt(0) === 43;
  const digits = isGlobal ? number.slice(1) : number;
  if (!(isGlobal ? /^[0-9\-.()]+$/ : /^[0-9A-Fa-f*#\-.()]+$/).test(digits)) return undefined;
  if (!(isGlobal ? /[0-9]/ : /[0-9A-Fa-f*#]/).test(digits)) return undefined;
  const parameters = semicolon < 0 ? new Map() : parseUriParameters(rest.slice(semicolon + 1));
  return parameters && { kind: 'tel', scheme: 'tel', number, parameters };
}

/** Decodes `%HH` escapes; malformed ones stay. A byte string in, a byte string out. */
export function unescapeUri(text: string): string {
  return text.includes('%')
    ? text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    : text;
}

/** Escapes what may not stand in the user part of a SIP URI (RFC 3261 §25.1). A byte string in, a byte string out. */
export function escapeUser(text: string): string {
  return text.replace(
    /[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Whom the URI names: the user of a SIP URI without escapes, the number of a tel URI. */
export function userOf(uri: Uri): string | undefined {
  if (uri.kind === 'tel') return uri.number;
  return uri.kind === 'sip' && uri.user !== undefined ? unescapeUri(uri.user) : undefined;
}

/** RFC 3261 §19.1.4 for SIP, RFC 3966 §4 for tel; other schemes octet for octet after the scheme. */
export function equalUris(a: Uri, b: Uri): boolean {
  if (a.kind === 'sip') return b.kind === 'sip' && equalSipUris(a, b);
  if (a.kind === 'tel') return b.kind === 'tel' && equalTelUris(a, b);
  return b.kind === 'other' && a.scheme === b.scheme && a.opaque === b.opaque;
}

/** These make two URIs differ also when only one of them has them. */
const decisiveParameters = ['user', 'ttl', 'method', 'maddr', 'transport'];

function equalSipUris(a: SipUri, b: SipUri): boolean {
  if (a.scheme !== b.scheme || a.port !== b.port) return false;
  if (!equalEscaped(a.user, b.user) || !equalEscaped(a.password, b.password)) return false;
  if (canonicalHost(a.host) !== canonicalHost(b.host)) return false;
  for (const name of decisiveParameters) if (a.parameters.has(name) !== b.parameters.has(name)) return false;
  for (const [name, value] of a.parameters) {
    if (b.parameters.has(name) && !equalFolded(value, b.parameters.get(name))) return false;
  }
  return equalUriHeaders(a.headers, b.headers);
}

function equalEscaped(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && unescapeUri(a) === unescapeUri(b));
}

function equalFolded(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return unescapeUri(a).toLowerCase() === unescapeUri(b).toLowerCase();
}

const canonicalHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

function equalUriHeaders(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const sorted = (text: string): string =>
    text
      .split('&')
      .map((part) => {
        const equals = part.indexOf('=');
        const name = equals < 0 ? part : part.slice(0, equals);
        return `${unescapeUri(name).toLowerCase()}=${equals < 0 ? '' : unescapeUri(part.slice(equals + 1))}`;
      })
      .sort()
      .join('&');
  return sorted(a) === sorted(b);
}

const withoutSeparators = (number: string): string => number.replace(/[-.()]/g, '').toLowerCase();

function equalTelUris(a: TelUri, b: TelUri): boolean {
  if (withoutSeparators(a.number) !== withoutSeparators(b.number)) return false;
  if (a.parameters.size !== b.parameters.size) return false;
  for (const [name, value] of a.parameters) {
    if (!b.parameters.has(name)) return false;
    const otherValue = b.parameters.get(name);
    const isNumber = name === 'ext' || (name === 'phone-context' && value?.startsWith('+') === true);
    const same =
      isNumber && value !== undefined && otherValue !== undefined
        ? withoutSeparators(value) === withoutSeparators(otherValue)
        : equalFolded(value, otherValue);
    if (!same) return false;
  }
  return true;
}
