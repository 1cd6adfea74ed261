import type { Headers } from './headers.js';

/**
 * All text in a message is a **byte string**: one character for each octet (latin1). So UTF-8 and anything else passes
 * through untouched, and `length` is the size in bytes. `toText` and `fromText` convert to and from ordinary strings.
 */
export interface SipRequest {
  readonly kind: 'request';
  /** As received; methods are case-sensitive (RFC 3261 §7.1). */
  readonly method: string;
  /** The Request-URI, byte for byte. */
  readonly uri: string;
  /** `2.0`, unless the peer sent another version. */
  readonly version: string;
  readonly headers: Headers;
  body: string;
}

export interface SipResponse {
  readonly kind: 'response';
  /** 100 to 699. */
  readonly status: number;
  readonly reason: string;
  readonly version: string;
  readonly headers: Headers;
  body: string;
}

export type SipMessage = SipRequest | SipResponse;

export function newRequest(method: string, uri: string, headers: Headers, body = ''): SipRequest {
  return { kind: 'request', method, uri, version: '2.0', headers, body };
}

export function newResponse(status: number, reason: string, headers: Headers, body = ''): SipResponse {
  return { kind: 'response', status, reason, version: '2.0', headers, body };
}

// Not `Buffer`: the dashboard reads messages too.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Byte string → Unicode text; octets that are not UTF-8 become U+FFFD. */
export function toText(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  return decoder.decode(Uint8Array.from(bytes, (octet) => octet.charCodeAt(0)));
}

/** Unicode text → byte string (UTF-8). */
export function fromText(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  let bytes = '';
  for (const octet of encoder.encode(text)) bytes += String.fromCharCode(octet);
  return bytes;
}
