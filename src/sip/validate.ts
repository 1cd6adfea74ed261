import type { Address } from './address.js';
import { parseAddress } from './address.js';
import { parseCSeq } from './cseq.js';
import type { Headers } from './headers.js';
import type { SipMessage, SipRequest, SipResponse } from './message.js';
import { contentLength } from './parse.js';
import { isSingleLine, isToken, splitListStrictly } from './text.js';
import { parseUri } from './uri.js';
import { parseVia } from './via.js';

/** What a malformed request is to be answered. */
export interface Defect {
  status: number;
  /** Names the fault; fit for a reason phrase. */
  reason: string;
  headers?: [string, string][];
}

/** RFC 3261 §20: these stand once, with one value. */
const singleValued = ['From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards', 'Content-Length', 'Content-Type'];

/**
 * The first fault of a request at the level of syntax, with the status owed; undefined when it may go on to the transaction
 * layer. What depends on the application (401, 405, 420, 481, 483 …) is for the layers above. ACK must not be answered:
 * a defective one is dropped.
 */
export function validateRequest(request: SipRequest): Defect | undefined {
  if (request.version !== '2.0') return { status: 505, reason: 'Version Not Supported' };
  return requestLineDefect(request) ?? commonDefect(request, request.method) ?? requestHeaderDefect(request);
}

/** True when a response is well-formed; otherwise it is dropped without a word (RFC 3261 §18.1.2, RFC 4475 §3.1.2.19). */
export function validateResponse(response: SipResponse): boolean {
  if (response.version !== '2.0' || response.status < 100 || response.status > 699) return false;
  return isSingleLine(response.reason) && commonDefect(response, undefined) === undefined;
}

const bad = (reason: string): Defect => ({ status: 400, reason });

function requestLineDefect({ method, uri }: SipRequest): Defect | undefined {
  if (!isToken(method)) return bad('Bad Method');
  for (let i = 0; i < uri.length; i++) {
    const c = uri.charCodeAt(i);
    if (c <= 32 || c >= 127 || c === 60 || c === 62 || c === 34) return bad('Bad Request-URI');
  }
  const parsed = parseUri(uri);
  if (parsed === undefined) return bad('Bad Request-URI');
  if (parsed.kind === 'other') return { status: 416, reason: 'Unsupported URI Scheme' };
  // RFC 3261 §19.1.1, table 1: no headers in a Request-URI.
  if (parsed.kind === 'sip' && parsed.headers !== undefined) return bad('Headers in Request-URI');
  return undefined;
}

function commonDefect(message: SipMessage, method: string | undefined): Defect | undefined {
  const { headers } = message;
  const unsafe = unsafeHeader(headers);
  if (unsafe !== undefined) return bad(`Bad ${unsafe} Header`);
  for (const name of singleValued) if (headers.count(name) > 1) return bad(`Repeated ${name} Header`);
  const vias = headers.lines('Via');
  if (vias.length === 0) return bad('Missing Via Header');
  for (const line of vias) {
    const values = line.includes(',') ? splitListStrictly(line) : [line];
    if (!values.every((value) => parseVia(value) !== undefined)) return bad('Bad Via Header');
  }
  const callId = headers.get('Call-ID');
  if (callId === undefined) return bad('Missing Call-ID Header');
  if (!isCallId(callId)) return bad('Bad Call-ID Header');
  const cseqValue = headers.get('CSeq');
  if (cseqValue === undefined) return bad('Missing CSeq Header');
  const cseq = parseCSeq(cseqValue);
  if (cseq === undefined) return bad('Bad CSeq Header');
  if (method !== undefined && cseq.method !== method) return bad('CSeq Method Mismatch');
  return (
    addressDefect(headers, 'From') ??
    addressDefect(headers, 'To') ??
    routeDefect(headers, 'Route') ??
    routeDefect(headers, 'Record-Route') ??
    bodyDefect(message)
  );
}

/** The name of a header whose value holds CR, LF or NUL. */
function unsafeHeader(headers: Headers): string | undefined {
  let found: string | undefined;
  headers.forEach((name, value) => {
    if (found === undefined && !isSingleLine(value)) found = name;
  });
  return found;
}

/** RFC 3261 §25.1, callid; also without "|", which separates the fields of the wire protocol's frames. */
function isCallId(value: string): boolean {
  return /^[\x21-\x7b\x7d\x7e]+$/.test(value);
}

function isUsable(address: Address | undefined): boolean {
  return address !== undefined && parseUri(address.uri) !== undefined;
}

function addressDefect(headers: Headers, name: 'From' | 'To'): Defect | undefined {
  const value = headers.get(name);
  if (value === undefined) return bad(`Missing ${name} Header`);
  const address = parseAddress(value);
  return isUsable(address) ? undefined : bad(`Bad ${name} Header`);
}

function routeDefect(headers: Headers, name: 'Route' | 'Record-Route'): Defect | undefined {
  if (!headers.has(name)) return undefined;
  return headers.list(name).every(isRoute) ? undefined : bad(`Bad ${name} Header`);
}

/** RFC 3261 §20.30, §20.34: name-addr only, and the URI must be one we can send to. */
function isRoute(value: string): boolean {
  const address = parseAddress(value);
  return address !== undefined && value.includes('<') && parseUri(address.uri)?.kind === 'sip';
}

function bodyDefect(message: SipMessage): Defect | undefined {
  const length = contentLength(message.headers);
  if (length === 'bad') return bad('Bad Content-Length Header');
  return length !== undefined && length > message.body.length
    ? bad('Content-Length Exceeds Body')
    : undefined;
}

function requestHeaderDefect({ method, headers }: SipRequest): Defect | undefined {
  const maxForwards = headers.get('Max-Forwards');
  if (maxForwards !== undefined && !(/^\d{1,9}$/.test(maxForwards) && Number(maxForwards) <= 255)) {
    return bad('Bad Max-Forwards Header');
  }
  const contacts = headers.list('Contact');
  if (contacts.length === 0) return method === 'INVITE' ? bad('Missing Contact Header') : undefined;
  if (contacts.includes('*')) return wildcardDefect(method, headers, contacts);
  const usable = contacts.every((contact) => isUsable(parseAddress(contact)));
  return usable ? undefined : bad('Bad Contact Header');
}

/** RFC 3261 §10.2.2: `*` only in REGISTER, alone, and with Expires: 0. */
function wildcardDefect(method: string, headers: Headers, contacts: string[]): Defect | undefined {
  if (method !== 'REGISTER' || contacts.length > 1) return bad('Bad Contact Header');
  return /^0+$/.test(headers.get('Expires') ?? '') ? undefined : bad('Wildcard Contact Without Expires 0');
}
