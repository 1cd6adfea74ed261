import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { traceEntriesStart } from '../../hep/trace-frame.js';

/** drachtio-srf's side of the connection to the engine. */
export interface LibraryWire extends EventEmitter {
  /** Keeps it from connecting again. */
  closing?: boolean;
  readonly reconnectVars: { readonly retryTimer?: NodeJS.Timeout | null };
  emit(event: 'msg', socket: Socket, payload: string): boolean;
}

const hash = 35;
const zero = 48;
const nine = 57;
/** Octets. The dialogs of a lost edge come in one frame: some hundred octets each. */
const maximumFrame = 64 * 1024 * 1024;
const maximumDigits = 8;

/** Where the payload begins after `LENGTH "#"`; 0: not all of the prefix is there; -1: it is no length. */
function endOfPrefix(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const octet = bytes[at]!;
    if (octet === hash) return at > from ? at + 1 : -1;
    if (octet < zero || octet > nine || at - from >= maximumDigits) return -1;
  }
  return 0;
}

/**
 * Reads the engine's frames in place of drachtio-srf, which joins and searches all octets that wait for each segment, and knows
 * only its own types: traces are octets for the collector, not text.
 */
export class EngineFrames {
  /** Octets of a frame that is not complete. */
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Octets of payload and prefix until the frame in progress is complete; 0: unknown. */
  private needed = 0;

  constructor(
    private readonly wire: LibraryWire,
    private readonly socket: Socket,
    private readonly traces: (frame: Buffer, entriesStart: number) => void,
  ) {}

  /** Takes the place of the library's own reader on each connection that it opens. */
  static readFor(wire: LibraryWire, traces: (frame: Buffer, entriesStart: number) => void): void {
    wire.on('connect', (socket: Socket) => {
      const frames = new EngineFrames(wire, socket, traces);
      socket.removeAllListeners('data');
      socket.on('data', (chunk: Buffer) => frames.push(chunk));
    });
  }

  private push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered < this.needed) return;
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.buffered);
    this.chunks = [];
    this.buffered = 0;
    this.needed = 0;
    let at = 0;
    while (at < bytes.length) {
      const start = endOfPrefix(bytes, at);
      const length = start > 0 ? Number(bytes.toString('latin1', at, start - 1)) : 0;
      if (start < 0 || (start > 0 && (length === 0 || length > maximumFrame))) {
        this.socket.destroy(new Error('The SIP engine sent a frame without a usable length.'));
        return;
      }
      if (start === 0 || start + length > bytes.length) {
        this.keep(bytes.subarray(at), start === 0 ? 0 : start + length - at);
        return;
      }
      at = start + length;
      this.frame(bytes.subarray(start, at));
    }
  }

  private keep(rest: Buffer, needed: number): void {
    this.chunks = [rest];
    this.buffered = rest.length;
    this.needed = needed;
  }

  private frame(payload: Buffer): void {
    const entries = traceEntriesStart(payload);
    try {
      if (entries > 0) this.traces(payload, entries);
      else this.wire.emit('msg', this.socket, payload.toString('utf8'));
    } catch (error) {
      // A defect loses the frame that caused it, not those behind it.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
