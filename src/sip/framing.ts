import type { SipMessage, SipRequest } from './message.js';
import { contentLength, parseHead } from './parse.js';

export type FramedItem =
  /** One whole message: its octets, and the same parsed, so nobody need parse again. */
  | { kind: 'message'; bytes: Buffer; message: SipMessage }
  /** CRLFCRLF between messages: to be answered with one CRLF (RFC 5626 §3.5.1). */
  | { kind: 'ping' }
  /** One CRLF between messages. */
  | { kind: 'pong' };

export interface FramingLimits {
  /** Octets of start line and headers, with the empty line. */
  readonly maximumHeaderBytes: number;
  /** Octets of a whole message. */
  readonly maximumMessageBytes: number;
}

/** From here on nothing on the stream can be trusted: answer where `salvage` lets you, then close. An expected failure. */
export class FramingError extends Error {
  /** Messages that were complete before the fault, in the same chunk: to be handled first. */
  items: FramedItem[] = [];

  constructor(
    /** 400, 413 (body too long) or 513-like header excess as 400. */
    readonly status: number,
    /** Fit for a reason phrase. */
    message: string,
    /** The head that was at fault, when it was complete. */
    readonly head?: Buffer,
    /** The request at fault, without body, when it can be answered (it has a Via). */
    readonly salvage?: SipRequest,
  ) {
    super(message);
    this.name = 'FramingError';
  }
}

const carriageReturn = 13;
const lineFeed = 10;
const headEnd = Buffer.from('\r\n\r\n');
const empty = Buffer.alloc(0);

/**
 * Cuts a stream into messages (RFC 3261 §18.3). It reads the head with the parser's own code, so framer and parser cannot
 * disagree about where a message ends, and it is strict, since the next message begins where this one is said to end:
 *
 * - A head ends at CRLFCRLF only. A bare CR, a bare LF or a NUL in a head, a line without colon and a header name that is
 *   no token (also a line that starts the head with a blank) are refused.
 * - Content-Length must be digits, less than 2³¹, and stand once; a second one is refused even when it is equal.
 * - RFC 3261 §20.14 makes Content-Length mandatory on streams. Where it is missing the length is taken as 0, but only when
 *   nothing else announces a body (no Content-Type, Content-Encoding, Content-Disposition): then what follows must be a start line or a CRLF,
 *   or the stream is refused. With such a header the message is refused.
 * - Between messages CRLFs are keep-alives (RFC 5626): two are a ping, one alone a pong.
 * - Lengths are checked before anything is buffered for them: a declared length over the limit is refused at once (413).
 */
export class StreamFramer {
  private buffered: Buffer = empty;
  /** Octets of `buffered` already searched for the end of the head. */
  private searched = 0;
  /** The head that waits for its body. */
  private pending: { message: SipMessage; headBytes: number; totalBytes: number } | undefined;
  private chunks: Buffer[] = [];
  private chunkBytes = 0;
  private failure: FramingError | undefined;

  constructor(private readonly limits: FramingLimits) {}

  /** True while octets of an unfinished message are held (an unfinished keep-alive is none). */
  get isMidMessage(): boolean {
    return this.pending !== undefined || this.buffered.length > 3 || !onlyLineEnds(this.buffered);
  }

  /** Takes the next octets of the stream. Throws `FramingError`, and again at each later call. */
  push(chunk: Buffer): FramedItem[] {
    if (this.failure !== undefined) throw this.failure;
    const items: FramedItem[] = [];
    try {
      this.accept(chunk, items);
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.failure = error;
      error.items = items;
      this.buffered = empty;
      this.chunks = [];
      throw error;
    }
    return items;
  }

  private accept(chunk: Buffer, items: FramedItem[]): void {
    if (this.pending !== undefined) {
      // Bodies gather as chunks and are joined once, so many small reads cost no more than one large one.
      this.chunks.push(chunk);
      this.chunkBytes += chunk.length;
      if (this.chunkBytes < this.pending.totalBytes) return;
      this.buffered = Buffer.concat(this.chunks, this.chunkBytes);
      this.chunks = [];
    } else this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    while (this.buffered.length > 0) if (!this.step(items)) return;
  }

  /** Takes one item off the buffer; false when more octets are needed. */
  private step(items: FramedItem[]): boolean {
    if (this.pending === undefined) {
      const first = this.buffered[0];
      if (first === carriageReturn) return this.keepAlive(items);
      if (!this.readHead()) return false;
    }
    const { message, headBytes, totalBytes } = this.pending!;
    if (this.buffered.length < totalBytes) {
      this.chunks = [this.buffered];
      this.chunkBytes = this.buffered.length;
      this.buffered = empty;
      return false;
    }
    const bytes = this.take(totalBytes);
    message.body = bytes.toString('latin1', headBytes, totalBytes);
    this.pending = undefined;
    items.push({ kind: 'message', bytes, message });
    return true;
  }

  private keepAlive(items: FramedItem[]): boolean {
    const buffered = this.buffered;
    if (buffered.length < 2) return false;
    if (buffered[1] !== lineFeed) throw new FramingError(400, 'Bare Carriage Return');
    const isPing = buffered[2] === carriageReturn && buffered[3] === lineFeed;
    // A ping may be torn between its two CRLFs; the CR says that the rest is on its way.
    if (!isPing && buffered.length === 3 && buffered[2] === carriageReturn) return false;
    this.take(isPing ? 4 : 2);
    items.push({ kind: isPing ? 'ping' : 'pong' });
    return true;
  }

  private readHead(): boolean {
    const end = this.buffered.indexOf(headEnd, Math.max(0, this.searched - 3));
    const known = end < 0 ? this.buffered.length : end + headEnd.length;
    if (known > this.limits.maximumHeaderBytes) throw new FramingError(400, 'Message Header Too Long');
    if (end < 0) {
      this.searched = this.buffered.length;
      return false;
    }
    const text = this.buffered.toString('latin1', 0, end + headEnd.length);
    const head = Buffer.from(this.buffered.subarray(0, known));
    const parsed = parseHead(text, 0, end);
    if (!parsed.ok) throw new FramingError(400, parsed.error, head, parsed.salvage);
    const { message } = parsed;
    const fail = (status: number, reason: string): never => {
      const answerable = message.kind === 'request' && message.headers.has('Via') ? message : undefined;
      throw new FramingError(status, reason, head, answerable);
    };
    if (hasStrayControl(text, end)) fail(400, 'Bare CR, LF or NUL');
    const length = contentLength(message.headers);
    if (length === 'bad') return fail(400, 'Bad Content-Length');
    if (length === undefined && announcesBody(message)) fail(400, 'Missing Content-Length');
    const totalBytes = known + (length ?? 0);
    if (totalBytes > this.limits.maximumMessageBytes) fail(413, 'Request Entity Too Large');
    this.pending = { message, headBytes: known, totalBytes };
    return true;
  }

  private take(count: number): Buffer {
    const taken = this.buffered.subarray(0, count);
    this.buffered = this.buffered.length === count ? empty : this.buffered.subarray(count);
    this.searched = 0;
    return taken;
  }
}

const announcesBody = (message: SipMessage): boolean =>
  message.headers.has('Content-Type') ||
  message.headers.has('Content-Encoding') ||
  message.headers.has('Content-Disposition');

/** A CR without LF, an LF without CR, or a NUL before `end`. */
function hasStrayControl(text: string, end: number): boolean {
  const nul = text.indexOf('\0');
  if (nul >= 0) return true;
  let at = text.indexOf('\n');
  while (at >= 0 && at < end) {
    if (text.charCodeAt(at - 1) !== carriageReturn) return true;
    at = text.indexOf('\n', at + 1);
  }
  at = text.indexOf('\r');
  while (at >= 0 && at < end) {
    if (text.charCodeAt(at + 1) !== lineFeed) return true;
    at = text.indexOf('\r', at + 1);
  }
  return false;
}

function onlyLineEnds(buffer: Buffer): boolean {
  return buffer.every((octet) => octet === carriageReturn || octet === lineFeed);
}
