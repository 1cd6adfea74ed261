import { contentLength, failure, type ParseResult, parseHead } from './parse-head.js';

const headEnd = '\r\n\r\n';

/**
 * Reads one whole message: a datagram, or what a stream's framer cut out.
 *
 * Parsing refuses only what cannot be represented: a start line that is none, a header line without colon or whose name is
 * no token, more than 500 header lines, a head without its empty line. Everything else is for `validateRequest` and
 * `validateResponse`.
 * - Empty lines before the start line are ignored (RFC 3261 §7.5). Lines end with CRLF only; a bare CR or LF stays in the
 *   value and is refused by validation.
 * - Folded lines are unfolded to one blank, compact names expanded, blanks before the colon dropped.
 * - Octets after Content-Length are cut (RFC 3261 §18.3); a body that is too short, or a Content-Length that is no number,
 *   leaves the body as it is.
 */
export function parseMessage(bytes: Buffer): ParseResult {
  const text = bytes.toString('latin1');
  const start = startOfMessage(text);
  const end = text.indexOf(headEnd, start);
  const head = parseHead(text, start, end < 0 ? text.length : end);
  if (!head.ok) return head;
  if (end < 0) return failure('Missing Empty Line', head.message);
  const { message } = head;
  const length = contentLength(message.headers);
  const bodyStart = end + headEnd.length;
  message.body =
    typeof length === 'number' ? text.slice(bodyStart, bodyStart + length) : text.slice(bodyStart);
  return head;
}

/** The index of the first octet that is not part of a leading CRLF. */
function startOfMessage(text: string): number {
  let start = 0;
  while (text.charCodeAt(start) === 13 && text.charCodeAt(start + 1) === 10) start += 2;
  return start;
}
