import { createHash } from 'node:crypto';
import { endOfQuoted, isTokenOctet, isWhiteSpace, quote, unquote } from './text.js';

/** RFC 7616 and RFC 8760. */
export const digestAlgorithms = [
  'MD5',
  'MD5-sess',
  'SHA-256',
  'SHA-256-sess',
  'SHA-512-256',
  'SHA-512-256-sess',
] as const;

export type DigestAlgorithm = (typeof digestAlgorithms)[number];

/** One challenge of WWW-Authenticate or Proxy-Authenticate. Text without quotes, byte strings. */
export interface Challenge {
  /** As it came; compare without regard to case. Only `Digest` is understood. */
  scheme: string;
  realm: string;
  nonce: string;
  /** `undefined` when the challenge names one we do not know; MD5 when it names none. */
  algorithm: DigestAlgorithm | undefined;
  /** Lower case; empty when the challenge has no qop (RFC 2069 servers). */
  qop: string[];
  opaque?: string;
  domain?: string;
  stale: boolean;
  userhash: boolean;
}

/** The value of Authorization or Proxy-Authorization. Text without quotes, byte strings. */
export interface Credentials {
  scheme: string;
  username: string;
  realm: string;
  nonce: string;
  uri: string;
  /** Hexadecimal. */
  response: string;
  /** `undefined` when they name one we do not know; MD5 when they name none. */
  algorithm: DigestAlgorithm | undefined;
  cnonce?: string;
  /** Eight hexadecimal digits. */
  nc?: string;
  /** Lower case. */
  qop?: string;
  opaque?: string;
  userhash: boolean;
}

/** The canonical spelling of an algorithm name; `undefined` when unknown. */
export function readAlgorithm(name: string): DigestAlgorithm | undefined {
  const lower = name.toLowerCase();
  return digestAlgorithms.find((algorithm) => algorithm.toLowerCase() === lower);
}

interface Scheme {
  name: string;
  parameters: Map<string, string>;
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isWhiteSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 44)) at++;
  return at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

function endOfToken(text: string, from: number): number {
  let at = from;
  while (at < text.length && isTokenOctet(text.charCodeAt(at))) at++;
  return at;
}

/** Reads `Scheme name=value, name="value", Scheme …`; a word not followed by `=` begins the next scheme. Stops at garbage. */
function readSchemes(text: string): Scheme[] {
  const schemes: Scheme[] = [];
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    const wordEnd = endOfToken(text, at);
    if (wordEnd === at) break;
    const word = text.slice(at, wordEnd);
    const next = skipBlank(text, wordEnd);
    if (text.charCodeAt(next) !== 61) {
      schemes.push({ name: word, parameters: new Map() });
      at = skipSeparators(text, wordEnd);
      continue;
    }
    const valueStart = skipBlank(text, next + 1);
    const valueEnd =
      text.charCodeAt(valueStart) === 34 ? endOfQuoted(text, valueStart) : endOfBare(text, valueStart);
    const current = schemes.at(-1);
    if (valueEnd < 0 || current === undefined) break;
    const name = word.toLowerCase();
    if (!current.parameters.has(name))
      current.parameters.set(name, unquote(text.slice(valueStart, valueEnd)));
    at = skipSeparators(text, valueEnd);
  }
  return schemes;
}

function endOfBare(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 44 && !isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * All Digest challenges of the header lines, in order; several may share a line. Other schemes and Digest challenges
 * without realm or nonce are left out.
 */
export function parseChallenges(values: readonly string[]): Challenge[] {
  return values.flatMap((value) =>
    readSchemes(value).flatMap(({ name, parameters }) => {
      const realm = parameters.get('realm');
      const nonce = parameters.get('nonce');
      if (name.toLowerCase() !== 'digest' || realm === undefined || nonce === undefined) return [];
      const qop = (parameters.get('qop') ?? '').toLowerCase().split(/[\s,]+/);
      const challenge: Challenge = {
        scheme: name,
        realm,
        nonce,
        algorithm: readAlgorithm(parameters.get('algorithm') ?? 'MD5'),
        qop: qop.filter((option) => option !== ''),
        stale: parameters.get('stale')?.toLowerCase() === 'true',
        userhash: parameters.get('userhash')?.toLowerCase() === 'true',
      };
      const opaque = parameters.get('opaque');
      if (opaque !== undefined) challenge.opaque = opaque;
      const domain = parameters.get('domain');
      if (domain !== undefined) challenge.domain = domain;
      return [challenge];
    }),
  );
}

/** Undefined when the scheme is not Digest or a mandatory part is missing. `username*` (RFC 5987) counts as username. */
export function parseCredentials(value: string): Credentials | undefined {
  const scheme = readSchemes(value)[0];
  if (scheme === undefined || scheme.name.toLowerCase() !== 'digest') return undefined;
  const { name, parameters } = scheme;
  const username = parameters.get('username') ?? extendedValue(parameters.get('username*'));
  const realm = parameters.get('realm');
  const nonce = parameters.get('nonce');
  const uri = parameters.get('uri');
  const response = parameters.get('response');
  if (username === undefined || realm === undefined || nonce === undefined) return undefined;
  if (uri === undefined || response === undefined) return undefined;
  const credentials: Credentials = {
    scheme: name,
    username,
    realm,
    nonce,
    uri,
    response,
    algorithm: readAlgorithm(parameters.get('algorithm') ?? 'MD5'),
    userhash: parameters.get('userhash')?.toLowerCase() === 'true',
  };
  const cnonce = parameters.get('cnonce');
  if (cnonce !== undefined) credentials.cnonce = cnonce;
  const nc = parameters.get('nc');
  if (nc !== undefined) credentials.nc = nc;
  const qop = parameters.get('qop');
  if (qop !== undefined) credentials.qop = qop.toLowerCase();
  const opaque = parameters.get('opaque');
  if (opaque !== undefined) credentials.opaque = opaque;
  return credentials;
}

/** `UTF-8''J%C3%A4s` → the octets (RFC 5987 §3.2). */
function extendedValue(value: string | undefined): string | undefined {
  const match = value === undefined ? null : /^utf-8'[^']*'(.*)$/i.exec(value);
  return match?.[1]?.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** A challenge as a header value. */
export function formatChallenge(challenge: Challenge): string {
  let text = `Digest realm=${quote(challenge.realm)}, nonce=${quote(challenge.nonce)}`;
  if (challenge.domain !== undefined) text += `, domain=${quote(challenge.domain)}`;
  if (challenge.opaque !== undefined) text += `, opaque=${quote(challenge.opaque)}`;
  if (challenge.stale) text += ', stale=true';
  if (challenge.algorithm !== undefined) text += `, algorithm=${challenge.algorithm}`;
  if (challenge.qop.length > 0) text += `, qop=${quote(challenge.qop.join(','))}`;
  if (challenge.userhash) text += ', userhash=true';
  return text;
}

/** Credentials as a header value. */
export function formatCredentials(credentials: Credentials): string {
  let text = `Digest username=${quote(credentials.username)}, realm=${quote(credentials.realm)}`;
  text += `, nonce=${quote(credentials.nonce)}, uri=${quote(credentials.uri)}, response="${credentials.response}"`;
  if (credentials.algorithm !== undefined) text += `, algorithm=${credentials.algorithm}`;
  if (credentials.cnonce !== undefined) text += `, cnonce=${quote(credentials.cnonce)}`;
  if (credentials.opaque !== undefined) text += `, opaque=${quote(credentials.opaque)}`;
  if (credentials.qop !== undefined) text += `, qop=${credentials.qop}`;
  if (credentials.nc !== undefined) text += `, nc=${credentials.nc}`;
  if (credentials.userhash) text += ', userhash=true';
  return text;
}

/** The algorithm's hash of a byte string, in hexadecimal. */
function digestHash(algorithm: DigestAlgorithm, bytes: string): string {
  const name = algorithm.replace('-sess', '').toLowerCase();
  const hash = name === 'sha-256' ? 'sha256' : name === 'sha-512-256' ? 'sha512-256' : 'md5';
  return createHash(hash).update(bytes, 'latin1').digest('hex');
}

/** H(username:realm:password), which is what a server may keep instead of the password. */
export function digestHa1(
  algorithm: DigestAlgorithm,
  username: string,
  realm: string,
  password: string,
): string {
  return digestHash(algorithm, `${username}:${realm}:${password}`);
}

/** The `username` to send when the challenge has userhash=true (RFC 7616 §3.4.4). */
export function hashedUsername(algorithm: DigestAlgorithm, username: string, realm: string): string {
  return digestHash(algorithm, `${username}:${realm}`);
}

export interface DigestInput {
  algorithm: DigestAlgorithm;
  username: string;
  realm: string;
  /** One of `password` and `ha1` must be there; `ha1` is H(username:realm:password) also for `-sess`. */
  password?: string;
  ha1?: string;
  method: string;
  /** The digest-uri, as it stands in the credentials. */
  uri: string;
  nonce: string;
  /** Eight hexadecimal digits; needed with `qop`. */
  nc?: string;
  /** Needed with `qop` and with `-sess`. */
  cnonce?: string;
  /** `auth`, `auth-int`, or absent (RFC 2069). */
  qop?: string;
  /** The message's body, for `auth-int`. */
  body?: string;
}

/** The `response` value (RFC 7616 §3.4.1). All text as byte strings. */
export function digestResponse(input: DigestInput): string {
  const { algorithm, nonce, qop } = input;
  const hash = (text: string): string => digestHash(algorithm, text);
  const base = input.ha1 ?? digestHa1(algorithm, input.username, input.realm, input.password ?? '');
  const ha1 = algorithm.endsWith('-sess') ? hash(`${base}:${nonce}:${input.cnonce ?? ''}`) : base;
  const a2 =
    qop === 'auth-int'
      ? `${input.method}:${input.uri}:${hash(input.body ?? '')}`
      : `${input.method}:${input.uri}`;
  if (qop === undefined) return hash(`${ha1}:${nonce}:${hash(a2)}`);
  return hash(`${ha1}:${nonce}:${input.nc ?? ''}:${input.cnonce ?? ''}:${qop}:${hash(a2)}`);
}

export interface AnswerInput {
  username: string;
  password: string;
  method: string;
  uri: string;
  cnonce: string;
  /** How often this nonce has been used, from 1. */
  nonceCount: number;
  body?: string;
}

/** The first challenge we can answer: the server lists them by preference (RFC 8760 §2.4). */
export function selectChallenge(challenges: readonly Challenge[]): Challenge | undefined {
  return challenges.find(
    ({ algorithm, qop }) =>
      algorithm !== undefined && (qop.length === 0 || qop.includes('auth') || qop.includes('auth-int')),
  );
}

/** The credentials that answer a challenge; undefined when its algorithm or qop is unknown. `auth` is preferred to `auth-int`. */
export function answerChallenge(challenge: Challenge, input: AnswerInput): Credentials | undefined {
  const { algorithm, realm, nonce } = challenge;
  if (algorithm === undefined || selectChallenge([challenge]) === undefined) return undefined;
  const qop = challenge.qop.includes('auth') ? 'auth' : challenge.qop[0] && 'auth-int';
  const nc = input.nonceCount.toString(16).padStart(8, '0');
  const { username, password, method, uri, cnonce } = input;
  const credentials: Credentials = {
    scheme: 'Digest',
    username: challenge.userhash ? hashedUsername(algorithm, username, realm) : username,
    realm,
    nonce,
    uri,
    response: digestResponse({
      algorithm,
      username,
      realm,
      password,
      method,
      uri,
      nonce,
      cnonce,
      ...(qop === undefined ? {} : { qop, nc }),
      ...(input.body === undefined ? {} : { body: input.body }),
    }),
    algorithm,
    userhash: challenge.userhash,
  };
  if (challenge.opaque !== undefined) credentials.opaque = challenge.opaque;
  if (qop !== undefined) Object.assign(credentials, { qop, nc });
  if (qop !== undefined || algorithm.endsWith('-sess')) credentials.cnonce = cnonce;
  return credentials;
}
