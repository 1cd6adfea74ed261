import { parseCSeq } from './cseq.js';
import { Headers } from './headers.js';
import { readHeaderLines } from './parse-head.js';

/** A message as far as it can be read. Its text may be a byte string or Unicode. */
export interface ReadMessage {
  readonly startLine: string;
  /** Of a response. */
  readonly status: number | undefined;
  /** `INVITE`, or `200 OK`. */
  readonly summary: string;
  /** Of a request, or of the request that a response answers; empty when unknown. */
  readonly method: string;
  /** The lines that can be read: names in canonical spelling, values unfolded. */
  readonly headers: Headers;
  readonly body: string;
}

const headEnd = '\r\n\r\n';

/**
 * Reads a message for people, with the parser's reader of header lines, but refuses nothing: returns the readable part of a
 * truncated or malformed message and omits the rest. Lines may end with LF alone where the whole text has no CRLF.
 */
export function readMessage(given: string): ReadMessage {
  const text = given.includes('\r\n') ? given : given.replaceAll('\n', '\r\n');
  const found = text.indexOf(headEnd);
  const end = found < 0 ? text.length : found;
  const start = readStart(text);
  const headers = new Headers();
  if (start.startLine.length < end) readHeaderLines(text, start.startLine.length + 2, end, headers);
  const cseq = parseCSeq(headers.get('CSeq') ?? '');
  return {
    ...start,
    method: start.status === undefined ? start.summary : (cseq?.method ?? ''),
    headers,
    body: found < 0 ? '' : text.slice(found + headEnd.length),
  };
}

/** The first line of a message, as far as it can be read. */
export function readStart(text: string): Pick<ReadMessage, 'startLine' | 'status' | 'summary'> {
  const end = text.indexOf('\r\n');
  const startLine = end < 0 ? text : text.slice(0, end);
  const blank = startLine.indexOf(' ');
  const code = startLine.startsWith('SIP/') ? /^SIP\/\d+\.\d+ (\d{3})(?!\d)/.exec(startLine)?.[1] : undefined;
  if (code !== undefined) return { startLine, status: Number(code), summary: startLine.slice(blank + 1) };
  return { startLine, status: undefined, summary: blank < 0 ? startLine : startLine.slice(0, blank) };
}

/** True when the message carries SDP. */
export const hasDescription = ({ headers }: Pick<ReadMessage, 'headers'>): boolean =>
  /^application\/sdp\b/i.test(headers.get('Content-Type') ?? '');
