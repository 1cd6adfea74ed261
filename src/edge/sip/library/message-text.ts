/**
 * SIP messages as drachtio-srf's own parser reads and writes them, for the messages that an engine sends: complete, with a
 * blank line and a Content-Length. Everything unusual is left to the library's parser, so that both give the same.
 */

/** What the library's `parseSipMessage` returns. */
export interface ParsedText {
  /** Of a request. */
  method?: string;
  uri?: string;
  /** Of a response. */
  status?: number;
  reason?: string;
  version: string;
  /** By the library's spelling; repeated headers are joined by a comma. */
  headers: Record<string, string>;
  body: string;
}

/** The library's spelling of header names, which depends on the whole name: compact forms, `X-` and `P-` names. */
export type HeaderNaming = (name: string) => string;

/** Names come from the network: a flood of different ones must not fill the cache. */
const maximumNames = 500;
const maximumNameLength = 40;

/** Remembers the spelling of the usual names. */
export function rememberNames(spell: HeaderNaming): HeaderNaming {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const spelled = spell(name);
    if (known.size < maximumNames && name.length <= maximumNameLength) known.set(name, spelled);
    return spelled;
  };
}

const SPACE = 0x20;
const COLON = 0x3a;

/** Undefined: the library's parser must read it. */
export function readMessage(text: string, spell: HeaderNaming): ParsedText | undefined {
  const lineEnd = text.indexOf('\r\n');
  const headEnd = text.indexOf('\r\n\r\n');
  if (lineEnd <= 0 || headEnd < 0) return undefined;
  const message = readStartLine(text, lineEnd);
  if (message === undefined) return undefined;
  const { headers } = message;
  for (let at = lineEnd + 2; at < headEnd; ) {
    let end = text.indexOf('\r\n', at);
    if (end > headEnd) end = headEnd;
    const colon = endOfName(text, at);
    if (colon === at || text.charCodeAt(colon) !== COLON) return undefined;
    let valueAt = colon + 1;
    while (text.charCodeAt(valueAt) === SPACE) valueAt++;
    const first = text.charCodeAt(valueAt);
    // Other white space before the value, an empty value, or a line that continues in the next one.
    if (valueAt >= end || first < SPACE || first > 0x7e) return undefined;
    if (isBlank(text.charCodeAt(end + 2)) && end < headEnd) return undefined;
    const name = spell(text.slice(at, colon));
    // `__proto__`, and names that every object has.
    if (name in headers) {
      if (!Object.hasOwn(headers, name)) return undefined;
      headers[name] += `,${text.slice(valueAt, end)}`;
    } else headers[name] = text.slice(valueAt, end);
    at = end + 2;
  }
  const length = headers['content-length'];
  if (length === undefined || headers['content-type']?.includes('multipart/') === true) return undefined;
  message.body = bodyOf(text, headEnd + 4, length);
  return message;
}

/** The library counts the body in octets and cuts it in characters. */
function bodyOf(text: string, from: number, contentLength: string): string {
  if (contentLength === '0') return '';
  const body = text.slice(from);
  const length = Number(contentLength);
  if (length === body.length) return body;
  return body.slice(0, Math.max(0, Math.min(length, Buffer.byteLength(body))) || 0);
}

const requestLine = /^([A-Z]+) (\S+) SIP\/(2\.0)$/;
const statusLine = /^SIP\/(2\.0) (\d{3}) (.*)$/;

function readStartLine(text: string, lineEnd: number): ParsedText | undefined {
  const line = text.slice(0, lineEnd);
  if (line.charCodeAt(0) === 0x53 && line.startsWith('SIP/')) {
    const status = statusLine.exec(line);
    if (status === null || /^\s|\s$/.test(status[3]!)) return undefined;
    return { version: status[1]!, status: Number(status[2]), reason: status[3]!, headers: {}, body: '' };
  }
  const request = requestLine.exec(line);
  if (request === null) return undefined;
  return { method: request[1]!, uri: request[2]!, version: request[3]!, headers: {}, body: '' };
}

/** The position after the characters that header names consist of in practice: letters, digits, `-` and `.`. */
function endOfName(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
    const isOther = code === 0x2d || code === 0x2e || (code >= 0x30 && code <= 0x39);
    if (!isLetter && !isOther) return at;
  }
}

const isBlank = (code: number): boolean => code === SPACE || code === 0x09;

/** A message as the library's `stringifySipMessage` writes it. */
export interface WritableMessage {
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly method?: string | undefined;
  readonly uri?: unknown;
  readonly version?: string | undefined;
  readonly headers: Record<string, unknown>;
  readonly body?: string | undefined;
}

/** Undefined: the library must write it. Sets the Content-Length of `headers`, as the library does. */
export function writeMessage(message: WritableMessage): string | undefined {
  const { status, headers } = message;
  const body = message.body || '';
  if (status === undefined && typeof message.uri !== 'string') return undefined;
  const version = message.version || '2.0';
  let text = status
    ? `SIP/${version} ${status} ${message.reason}\r\n`
    : `${message.method} ${message.uri as string} SIP/${version}\r\n`;
  headers['content-length'] = body.length;
  for (const name in headers) {
    const value = headers[name];
    if (name === 'content-length') text += `Content-Length: ${body.length}\r\n`;
    else if (typeof value === 'string') text += `${name === 'call-id' ? 'Call-ID' : name}: ${value}\r\n`;
    else return undefined;
  }
  return `${text}\r\n${body}`;
}
