import { readHeaderName } from './header-name.js';
import { Headers } from './headers.js';
import type { SipMessage, SipRequest } from './message.js';
import { isToken, trimWhiteSpace } from './text.js';

export type ParseResult =
  | { ok: true; message: SipMessage }
  | {
      ok: false;
      /** Fit for a reason phrase. */
      error: string;
      /** A request of which enough could be read to answer 400 (at least one Via). Never for responses. */
      salvage?: SipRequest;
    };

/** More than any real message has, and few enough that looking a header up stays cheap. */
const maximumHeaderLines = 500;

/**
 * Reads start line and header lines in `text` between `start` and `end`, where `end` is the index of the CRLFCRLF that ends
 * the head. The message has an empty body. Used by the framer too, so both agree on what a head says.
 */
export function parseHead(text: string, start: number, end: number): ParseResult {
  let lineEnd = text.indexOf('\r\n', start);
  if (lineEnd < 0 || lineEnd > end) lineEnd = end;
  const startLine = text.slice(start, lineEnd);
  const headers = new Headers();
  const error = readHeaderLines(text, lineEnd + 2, end, headers);
  const message = readStartLine(startLine, headers);
  if (message === undefined) {
    return failure(
      'Bad Start Line',
      isResponseLine(startLine) ? undefined : guessRequest(startLine, headers),
    );
  }
  return error === undefined ? { ok: true, message } : failure(error, message);
}

/** The result for a message that can't be represented. */
export function failure(error: string, message: SipMessage | undefined): ParseResult {
  const answerable = message?.kind === 'request' && message.headers.has('Via');
  return answerable ? { ok: false, error, salvage: message } : { ok: false, error };
}

const isResponseLine = (line: string): boolean => /^\s*SIP\//i.test(line);

/** The apparent method and URI of a request with a broken start line. */
function guessRequest(line: string, headers: Headers): SipRequest {
  const [method = '', uri = ''] = line.split(' ');
  return { kind: 'request', method, uri, version: '2.0', headers, body: '' };
}

function readStartLine(line: string, headers: Headers): SipMessage | undefined {
  if (line.startsWith('SIP/') || isResponseLine(line)) return readStatusLine(line, headers);
  const first = line.indexOf(' ');
  const last = line.lastIndexOf(' ');
  if (first <= 0 || last <= first) return undefined;
  const version = readVersion(line.slice(last + 1));
  if (version === undefined) return undefined;
  const method = line.slice(0, first);
  if (!isToken(method)) return undefined;
  return { kind: 'request', method, uri: line.slice(first + 1, last), version, headers, body: '' };
}

function readVersion(text: string): string | undefined {
  if (text === 'SIP/2.0') return '2.0';
  return /^SIP\/(\d+\.\d+)$/i.exec(text)?.[1];
}

function readStatusLine(line: string, headers: Headers): SipMessage | undefined {
  const match = /^SIP\/(\d+\.\d+) (\d{3})(?: ([\s\S]*))?$/i.exec(line);
  if (match === null) return undefined;
  const status = Number(match[2]);
  return { kind: 'response', status, reason: match[3] ?? '', version: match[1]!, headers, body: '' };
}

/** Adds all lines to `headers`; lines that can't be read are left out, and the first one's fault is returned. */
export function readHeaderLines(
  text: string,
  start: number,
  end: number,
  headers: Headers,
): string | undefined {
  let error: string | undefined;
  let at = start;
  while (at < end) {
    if (headers.size === maximumHeaderLines) return error ?? 'Too Many Header Lines';
    let lineEnd = text.indexOf('\r\n', at);
    let folded = false;
    while (lineEnd >= 0 && lineEnd < end && isBlank(text.charCodeAt(lineEnd + 2))) {
      folded = true;
      lineEnd = text.indexOf('\r\n', lineEnd + 2);
    }
    if (lineEnd < 0 || lineEnd > end) lineEnd = end;
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon >= lineEnd) error ??= 'Header Line Without Colon';
    else {
      let nameEnd = colon;
      while (nameEnd > at && isBlank(text.charCodeAt(nameEnd - 1))) nameEnd--;
      const name = readHeaderName(text.slice(at, nameEnd));
      if (name === undefined) error ??= 'Bad Header Name';
      else headers.addCanonical(name, readValue(text, colon + 1, lineEnd, folded));
    }
    at = lineEnd + 2;
  }
  return error;
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

function readValue(text: string, start: number, end: number, folded: boolean): string {
  if (folded) return trimWhiteSpace(unfold(text.slice(start, end)));
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Each CRLF with the blanks around it becomes one blank (RFC 3261 §7.3.1). */
function unfold(value: string): string {
  return value.split('\r\n').map(trimWhiteSpace).join(' ');
}

/**
 * The value of Content-Length: octets, `undefined` when absent, `'bad'` when it isn't a number (RFC 3261 §20.14: digits
 * only), too large to be one (over 2³¹), or there more than once, even with equal values.
 */
export function contentLength(headers: Headers): number | 'bad' | undefined {
  const value = headers.get('Content-Length');
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value) || headers.count('Content-Length') > 1) return 'bad';
  const length = Number(value);
  return length < 2 ** 31 ? length : 'bad';
}
