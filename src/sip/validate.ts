import { parseAddress, tagOf } from './address.js';
import { parseCSeq } from './cseq.js';
import type { Headers } from './headers.js';
import type { SipMessage, SipRequest, SipResponse } from './message.js';
import { contentLength } from './parse-head.js';
import { isSingleLine, isToken, splitListStrictly } from './text.js';
import { parseUri } from './uri.js';
import type { Via } from './via.js';
import { parseVia } from './via.js';

/** The response to a malformed request. */
export interface Defect {
  status: number;
  /** Names the fault; fit for a reason phrase. */
  reason: string;
  headers?: [string, string][];
}

/** Octets. No phone number, name or registered Contact comes near it, and the Request-URI is copied many times. */
const maximumUriLength = 2048;

/** A branch that begins so claims to be unique (RFC 3261 §8.1.1.7). */
const magicCookie = 'z9hG4bK';

/**
 * The first fault of a request at the level of syntax, with the status owed; undefined when it may continue to the
 * transaction layer. Checks that depend on the application (401, 405, 415, 420, 481, 483 …) belong to the layers above. ACK
 * must not be answered: a defective one is dropped. Tolerated: a missing Max-Forwards and From tag (RFC 2543 peers), Date
 * and Expires that say nothing sensible (RFC 4475 §3.1.2.12), unknown URI schemes outside the Request-URI (§3.3.4).
 */
export function validateRequest(request: SipRequest): Defect | undefined {
  if (request.version !== '2.0') return { status: 505, reason: 'Version Not Supported' };
  const vias: Via[] = [];
  return (
    requestLineDefect(request) ??
    commonDefect(request, request.method, vias) ??
    // Such a branch is the same for all transactions of its sender (RFC 4475 §3.2.1).
    (vias[0]?.branch === magicCookie ? bad('Via Branch Without Identifier') : undefined) ??
    contactDefect(request)
  );
}

/**
 * True when a response is well-formed; otherwise it is dropped silently (RFC 3261 §18.1.2). One with several Via values
 * is not for us, because we aren't a proxy (§8.1.3.3).
 */
export function validateResponse(response: SipResponse): boolean {
  if (response.version !== '2.0' || response.status < 100 || response.status > 699) return false;
  const vias: Via[] = [];
  return (
    isSingleLine(response.reason) &&
    commonDefect(response, undefined, vias) === undefined &&
    vias.length === 1
  );
}

const bad = (reason: string): Defect => ({ status: 400, reason });

function requestLineDefect({ method, uri }: SipRequest): Defect | undefined {
  if (!isToken(method)) return bad('Bad Method');
  if (uri.length > maximumUriLength) return { status: 414, reason: 'Request-URI Too Long' };
  for (let i = 0; i < uri.length; i++) {
    const c = uri.charCodeAt(i);
    if (c <= 32 || c >= 127 || c === 60 || c === 62 || c === 34) return bad('Bad Request-URI');
  }
  const parsed = parseUri(uri);
  if (parsed === undefined) return bad('Bad Request-URI');
  if (parsed.kind === 'other') return { status: 416, reason: 'Unsupported URI Scheme' };
  // RFC 3261 §19.1.1, table 1: no headers in a Request-URI.
  if (parsed.kind === 'sip' && parsed.headers !== undefined) return bad('Headers In Request-URI');
  return undefined;
}

/** The headers that RFC 3261 §20 wants once, with one value: the first value of each. */
interface SingleHeaders {
  From?: string;
  To?: string;
  'Call-ID'?: string;
  CSeq?: string;
  'Max-Forwards'?: string;
  'Content-Length'?: string;
  'Content-Type'?: string;
}

const singleNames: ReadonlySet<string> = new Set<keyof SingleHeaders>([
  'From',
  'To',
  'Call-ID',
  'CSeq',
  'Max-Forwards',
  'Content-Length',
  'Content-Type',
]);

const isSingle = (name: string): name is keyof SingleHeaders => singleNames.has(name);

/** Checks common to requests and responses. Fills `vias`. */
function commonDefect(message: SipMessage, method: string | undefined, vias: Via[]): Defect | undefined {
  const single: SingleHeaders = {};
  let defect: Defect | undefined;
  message.headers.forEach((name, value) => {
    if (defect !== undefined) return;
    if (!isSingleLine(value)) defect = bad(`Bad ${name} Header`);
    else if (name === 'Via') defect = readVias(value, vias);
    else if (name === 'Route' || name === 'Record-Route') defect = routeDefect(name, value);
    else if (!isSingle(name)) return;
    else if (single[name] !== undefined) defect = bad(`Repeated ${name} Header`);
    else single[name] = value;
  });
  if (defect !== undefined) return defect;
  if (vias.length === 0) return bad('Missing Via Header');
  return (
    callIdDefect(single['Call-ID']) ??
    cseqDefect(single.CSeq, method) ??
    addressDefect('From', single.From) ??
    addressDefect('To', single.To) ??
    (method === undefined ? undefined : tagDefect(single.From!, single.To!)) ??
    maxForwardsDefect(single['Max-Forwards']) ??
    lengthDefect(message)
  );
}

function readVias(line: string, vias: Via[]): Defect | undefined {
  for (const value of line.includes(',') ? splitListStrictly(line) : [line]) {
    const via = parseVia(value);
    if (via === undefined || via.version !== undefined) return bad('Bad Via Header');
    vias.push(via);
  }
  return undefined;
}

/** RFC 3261 §25.1, callid; also without "|", which separates the fields of the wire protocol's frames. */
function callIdDefect(value: string | undefined): Defect | undefined {
  if (value === undefined) return bad('Missing Call-ID Header');
  return /^[\x21-\x7b\x7d\x7e]+$/.test(value) ? undefined : bad('Bad Call-ID Header');
}

function cseqDefect(value: string | undefined, method: string | undefined): Defect | undefined {
  if (value === undefined) return bad('Missing CSeq Header');
  const cseq = parseCSeq(value);
  if (cseq === undefined) return bad('Bad CSeq Header');
  return method === undefined || cseq.method === method ? undefined : bad('CSeq Method Mismatch');
}

function addressDefect(name: 'From' | 'To', value: string | undefined): Defect | undefined {
  if (value === undefined) return bad(`Missing ${name} Header`);
  return isAddress(value) ? undefined : bad(`Bad ${name} Header`);
}

/**
 * RFC 3261 §25.1: a tag is a token. The caller's begins the name of its dialog, which is a field of the wire protocol's frames. The
 * tag with which a called server answered names nothing: its requests may carry it, whatever it is.
 */
function tagDefect(from: string, to: string): Defect | undefined {
  const toTag = tagOf(to);
  if (toTag !== undefined) return isToken(toTag) ? undefined : bad('Bad To Tag');
  const fromTag = tagOf(from);
  return fromTag === undefined || isToken(fromTag) ? undefined : bad('Bad From Tag');
}

function isAddress(value: string): boolean {
  const address = parseAddress(value);
  return address !== undefined && parseUri(address.uri) !== undefined;
}

/** RFC 3261 §20.30, §20.34: name-addr only, and the URI must be one that requests can be sent to. */
function routeDefect(name: 'Route' | 'Record-Route', line: string): Defect | undefined {
  for (const value of line.includes(',') ? splitListStrictly(line) : [line]) {
    const address = value.includes('<') ? parseAddress(value) : undefined;
    if (address === undefined || parseUri(address.uri)?.kind !== 'sip') return bad(`Bad ${name} Header`);
  }
  return undefined;
}

/** RFC 3261 §20.22: 0 to 255. */
function maxForwardsDefect(value: string | undefined): Defect | undefined {
  const isFine = value === undefined || (/^\d{1,9}$/.test(value) && Number(value) <= 255);
  return isFine ? undefined : bad('Bad Max-Forwards Header');
}

function lengthDefect(message: SipMessage): Defect | undefined {
  const length = contentLength(message.headers);
  if (length === 'bad') return bad('Bad Content-Length Header');
  return length !== undefined && length > message.body.length
    ? bad('Content-Length Exceeds Body')
    : undefined;
}

/** INVITE needs a Contact (RFC 3261 §8.1.1.8); every Contact must be readable. */
function contactDefect({ method, headers }: SipRequest): Defect | undefined {
  const contacts = headers.list('Contact');
  if (contacts.length === 0) return method === 'INVITE' ? bad('Missing Contact') : undefined;
  if (contacts.includes('*')) return wildcardDefect(method, headers, contacts);
  return contacts.every(isAddress) ? undefined : bad('Bad Contact Header');
}

/** RFC 3261 §10.2.2: `*` only in REGISTER, alone, and with Expires: 0. */
function wildcardDefect(method: string, headers: Headers, contacts: string[]): Defect | undefined {
  if (method !== 'REGISTER' || contacts.length > 1) return bad('Bad Contact Header');
  return /^0+$/.test(headers.get('Expires') ?? '') ? undefined : bad('Wildcard Contact Without Expires 0');
}
