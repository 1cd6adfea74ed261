import { canonicalHeaderName } from '../../sip/header-name.js';
import { reasonPhrase } from '../../sip/status.js';
import { splitList } from '../../sip/text.js';
import { parseUri } from '../../sip/uri.js';
import type { ApplicationMessage } from '../dialog/application.js';

/** An application's message cannot be sent; the text goes into its `NOK`. */
export class ApplicationMessageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ApplicationMessageError';
  }
}

type Kind = 'ignored' | 'list' | 'lines' | 'single' | 'number';

const kinds = new Map<string, Kind>();
const kindOf = (kind: Kind, names: string): void => {
  for (const name of names.split(' ')) kinds.set(name, kind);
};
/** Never taken from an application (wire protocol §7.2). */
kindOf('ignored', 'Via Route Record-Route RSeq Content-Length');
kindOf(
  'list',
  'Accept Accept-Encoding Accept-Language Alert-Info Allow Allow-Events Call-Info Content-Encoding Content-Language ' +
    'Error-Info In-Reply-To Proxy-Require Require Supported Unsupported Path Service-Route P-Asserted-Identity ' +
    'Privacy Reason History-Info Warning Accept-Contact Reject-Contact Request-Disposition',
);
/** Challenges and credentials contain commas, so each keeps its line (RFC 3261 §7.3.1). */
kindOf('lines', 'Authorization Proxy-Authorization WWW-Authenticate Proxy-Authenticate Diversion');
kindOf('number', 'Expires Min-Expires Max-Forwards');
kindOf(
  'single',
  'From To Call-ID CSeq Contact Content-Type Content-Disposition Date Event MIME-Version Organization Priority ' +
    'Proxy-Authentication-Info Authentication-Info RAck Refer-To Referred-By Replaces Reply-To Retry-After Server ' +
    'Session-Expires Min-SE SIP-ETag SIP-If-Match Subject Subscription-State Timestamp User-Agent Join Target-Dialog ' +
    'Identity Identity-Info P-Preferred-Identity Remote-Party-ID Refer-Sub Answer-Mode',
);

const isNumber = /^\d{1,10}$/;
const tokenName = /^[A-Za-z0-9\-.!%*_+`'~]+$/;

/** Trusted TLS certificates for this request: an extension, for the engine alone. */
const trustHeader = 'engine-tls-ca';
/** `yes` or `no`: whether the dialog outlives the application's connection. An extension too. */
const keepHeader = 'engine-keep';

/** All fields exist from the start: messages of one shape are cheaper to read. */
class Draft implements ApplicationMessage {
  method = '';
  uri = '';
  status = 0;
  reason = '';
  from: string | undefined;
  to: string | undefined;
  callId: string | undefined;
  cseq: string | undefined;
  maxForwards: string | undefined;
  contentType: string | undefined;
  trust: string | undefined;
  keep: boolean | undefined;
  readonly contacts: string[] = [];
  readonly known: [string, string][] = [];
  readonly unknown: [string, string][] = [];
  body = '';

  header(rawName: string, value: string): void {
    const name = canonicalHeaderName(rawName);
    switch (name) {
      case 'From':
        this.from = value;
        return;
      case 'To':
        this.to = value;
        return;
      case 'Call-ID':
        this.callId = value;
        return;
      case 'CSeq':
        this.cseq = value;
        return;
      case 'Content-Type':
        this.contentType = value;
        return;
      case 'Contact':
        this.contact(value);
        return;
    }
    switch (name.toLowerCase()) {
      case trustHeader:
        this.trust = value;
        return;
      case keepHeader:
        this.keep = value.toLowerCase() === 'yes';
        return;
    }
    const kind = kinds.get(name);
    if (kind === undefined) this.unknown.push([name, value]);
    else if (kind === 'list') this.merge(name, value);
    else if (kind === 'lines') this.known.push([name, value]);
    else if (kind === 'single') this.replace(name, value);
    else if (kind === 'number' && isNumber.test(value)) {
      if (name === 'Max-Forwards') this.maxForwards = value;
      else this.replace(name, value);
    }
  }

  /** Redirections list their targets one a line (wire protocol §6.7). */
  private contact(value: string): void {
    if (this.status >= 300 && this.status < 400 && value.includes(','))
      this.contacts.push(...splitList(value));
    else this.contacts.push(value);
  }

  private merge(name: string, value: string): void {
    const line = this.known.find(([header]) => header === name);
    if (line === undefined) this.known.push([name, value]);
    else line[1] = `${line[1]}, ${value}`;
  }

  private replace(name: string, value: string): void {
    const line = this.known.find(([header]) => header === name);
    if (line === undefined) this.known.push([name, value]);
    else line[1] = value;
  }
}

/**
 * Reads the SIP part of an application's frame (wire protocol §6, §7.2). Throws ApplicationMessageError when it cannot be
 * sent as written: an unreadable start line, a name that is not a token, a line break inside a value.
 */
export function readApplicationMessage(text: string): ApplicationMessage {
  const draft = new Draft();
  let headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) headEnd = text.endsWith('\r\n') ? text.length - 2 : text.length;
  else draft.body = text.slice(headEnd + 4);
  let at = text.indexOf('\r\n');
  if (at < 0 || at > headEnd) at = headEnd;
  readStartLine(draft, text.slice(0, at));
  at += 2;
  while (at < headEnd) {
    let end = text.indexOf('\r\n', at);
    if (end < 0 || end > headEnd) end = headEnd;
    // A folded line continues the one before it (RFC 3261 §7.3.1).
    while (end < headEnd && (text.charCodeAt(end + 2) === 32 || text.charCodeAt(end + 2) === 9)) {
      const next = text.indexOf('\r\n', end + 2);
      end = next < 0 || next > headEnd ? headEnd : next;
    }
    if (end > at) readHeader(draft, text.slice(at, end));
    at = end + 2;
  }
  return draft;
}

function readHeader(draft: Draft, line: string): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? '' : line.slice(0, colon).trimEnd();
  if (!tokenName.test(name)) throw new ApplicationMessageError(`malformed header line: ${printable(line)}`);
  const value = line
    .slice(colon + 1)
    .replace(/\r\n[ \t]+/g, ' ')
    .trim();
  if (hasBreak(value)) throw new ApplicationMessageError(`line break inside header ${name}`);
  draft.header(name, value);
}

function readStartLine(draft: Draft, line: string): void {
  if (hasBreak(line)) throw new ApplicationMessageError('line break inside the start line');
  if (line.startsWith('SIP/')) {
    const space = line.indexOf(' ');
    const second = line.indexOf(' ', space + 1);
    const status = Number(line.slice(space + 1, second < 0 ? line.length : second));
    if (!(status >= 100 && status <= 699)) throw new ApplicationMessageError('invalid status line');
    draft.status = status;
    draft.reason = second < 0 ? reasonPhrase(status) : line.slice(second + 1).trim() || reasonPhrase(status);
    return;
  }
  const first = line.indexOf(' ');
  const last = line.lastIndexOf(' ');
  const method = line.slice(0, first);
  const uri = line.slice(first + 1, last);
  const isRequestLine = first > 0 && last > first && tokenName.test(method) && !uri.includes(' ');
  if (!isRequestLine || parseUri(uri) === undefined)
    throw new ApplicationMessageError(`invalid request-uri: ${printable(line)}`);
  draft.method = method;
  draft.uri = uri;
}

function hasBreak(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13 || code === 0) return true;
  }
  return false;
}

/** Error texts are fields of a frame: no line breaks, no field separators, and not too long. */
function printable(text: string): string {
  return text.slice(0, 200).replace(/[\x00-\x1f|]/g, ' ');
}
