import type { SipMessage, SipRequest } from './message.js';
import { contentLength, parseHead } from './parse-head.js';

export type FramedItem =
  /** One whole message: its octets, and the same parsed, so that it isn't parsed twice. */
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

/** The rest of the stream is unusable: answer if `salvage` is set, then close. An expected failure. */
export class FramingError extends Error {
  /** Messages that were complete before the fault, in the same chunk: to be handled first. */
  items: FramedItem[] = [];

  constructor(
    /** 400, 413 (the body would be too long) or 513 (the head is too long). */
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
 * - A head ends at CRLFCRLF only. A bare CR or LF in a head, a line without colon, and a header name that is no token
 *   (so also a blank in a name) are refused.
 * - Content-Length must be digits, less than 2³¹, and stand once; a second one is refused even when it is equal.
 * - RFC 3261 §20.14 makes Content-Length mandatory on streams. Where it is missing the length is taken as 0, but only when
 *   nothing else announces a body (no Content-Type, Content-Encoding, Content-Disposition): then what follows must be a
 *   start line or a CRLF, or the stream is refused. With such a header the message is refused.
 * - Between messages CRLFs are keep-alives (RFC 5626): two are a ping, one alone a pong.
 * - Lengths are checked before anything is buffered for them: a declared length over the limit is refused at once (413).
 */
export class StreamFramer {
  /** Octets not yet handed out: a view of `storage`. */
  private buffered: Buffer = empty;
  /** Grows by doubling, so that many small reads cost no more than few large ones. */
  private storage: Buffer = empty;
  /** Octets of `buffered` already searched for the end of the head. */
  private searched = 0;
  /** The head that waits for its body. */
  private pending: { message: SipMessage; headBytes: number; totalBytes: number } | undefined;
  /** The last octets on the stream were a lone CRLF: a second one completes a split ping. */
  private afterLineEnd = false;
  private failure: FramingError | undefined;

  constructor(private readonly limits: FramingLimits) {}

  /** True while octets of an unfinished message are held (an unfinished keep-alive is none). */
  get isMidMessage(): boolean {
    return this.pending !== undefined || (this.buffered.length > 0 && this.buffered[0] !== carriageReturn);
  }

  /** Takes the next octets of the stream. Throws `FramingError`, and again at each later call. */
  push(chunk: Buffer): FramedItem[] {
    if (this.failure !== undefined) throw this.failure;
    const items: FramedItem[] = [];
    try {
      this.append(chunk);
      while (this.buffered.length > 0 && this.step(items));
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.failure = error;
      error.items = items;
      this.buffered = empty;
      this.storage = empty;
      throw error;
    }
    return items;
  }

  private append(chunk: Buffer): void {
    const held = this.buffered.length;
    if (held === 0) {
      this.buffered = chunk;
      this.storage = empty;
      return;
    }
    const start = this.storage.length === 0 ? 0 : this.buffered.byteOffset - this.storage.byteOffset;
    if (start + held + chunk.length <= this.storage.length) {
      chunk.copy(this.storage, start + held);
      this.buffered = this.storage.subarray(start, start + held + chunk.length);
      return;
    }
    const storage = Buffer.allocUnsafeSlow(Math.max(2 * (held + chunk.length), 1024));
    this.buffered.copy(storage);
    chunk.copy(storage, held);
    this.storage = storage;
    this.buffered = storage.subarray(0, held + chunk.length);
  }

  /** Takes one item off the buffer; false when more octets are needed. */
  private step(items: FramedItem[]): boolean {
    if (this.pending === undefined) {
      if (this.buffered[0] === carriageReturn) return this.keepAlive(items);
      this.afterLineEnd = false;
      if (!this.readHead()) return false;
    }
    const { message, headBytes, totalBytes } = this.pending!;
    if (this.buffered.length < totalBytes) return false;
    const bytes = this.take(totalBytes);
    message.body = bytes.toString('latin1', headBytes, totalBytes);
    this.pending = undefined;
    items.push({ kind: 'message', bytes, message });
    return true;
  }

  private keepAlive(items: FramedItem[]): boolean {
    const { buffered } = this;
    if (buffered.length < 2) return false;
    if (buffered[1] !== lineFeed) throw new FramingError(400, 'Bare Carriage Return');
    // "CRLF CR": the rest of a ping is on its way.
    if (buffered.length === 3 && buffered[2] === carriageReturn) return false;
    const isWhole = buffered[2] === carriageReturn && buffered[3] === lineFeed;
    this.take(isWhole ? 4 : 2);
    const isPing = isWhole || this.afterLineEnd;
    this.afterLineEnd = !isPing && this.buffered.length === 0;
    items.push({ kind: isPing ? 'ping' : 'pong' });
    return true;
  }

  private readHead(): boolean {
    const end = this.buffered.indexOf(headEnd, Math.max(0, this.searched - 3));
    const headBytes = end < 0 ? this.buffered.length : end + headEnd.length;
    if (headBytes > this.limits.maximumHeaderBytes) throw new FramingError(513, 'Message Too Large');
    if (end < 0) {
      this.searched = this.buffered.length;
      return false;
    }
    const text = this.buffered.toString('latin1', 0, end + headEnd.length);
    const parsed = parseHead(text, 0, end);
    if (!parsed.ok) throw new FramingError(400, parsed.error, this.copyOf(headBytes), parsed.salvage);
    const { message } = parsed;
    const fail = (status: number, reason: string): never => {
      const answerable = message.kind === 'request' && message.headers.has('Via') ? message : undefined;
      throw new FramingError(status, reason, this.copyOf(headBytes), answerable);
    };
    if (hasBareLineEnd(text, end)) fail(400, 'Bare CR Or LF');
    const length = contentLength(message.headers);
    if (length === 'bad') return fail(400, 'Bad Content-Length');
    if (length === undefined && announcesBody(message)) fail(400, 'Missing Content-Length');
    const totalBytes = headBytes + (length ?? 0);
    if (totalBytes > this.limits.maximumMessageBytes) fail(413, 'Request Entity Too Large');
    this.pending = { message, headBytes, totalBytes };
    return true;
  }

  private copyOf(count: number): Buffer {
    return Buffer.from(this.buffered.subarray(0, count));
  }

  private take(count: number): Buffer {
    const taken = this.buffered.subarray(0, count);
    this.searched = 0;
    if (this.buffered.length > count) {
      this.buffered = this.buffered.subarray(count);
      return taken;
    }
    // The connection may stay idle for an hour; until then it would hold twice the size of its last message.
    this.buffered = empty;
    this.storage = empty;
    return taken;
  }
}

const announcesBody = (message: SipMessage): boolean =>
  message.headers.has('Content-Type') ||
  message.headers.has('Content-Encoding') ||
  message.headers.has('Content-Disposition');

/** A CR without LF or an LF without CR before `end`. */
function hasBareLineEnd(text: string, end: number): boolean {
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) !== carriageReturn) return true;
  }
  for (let at = text.indexOf('\r'); at >= 0 && at < end; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== lineFeed) return true;
  }
  return false;
}
