import { write, writeSync } from 'node:fs';
import { atTick } from './ticks.js';

/** A log line is about 200 octets: a disk or a reader may stall for thousands of lines before any is dropped. */
const defaultWaitingOctets = 1_048_576;
const retryMilliseconds = 100;
/** Lines of this time share a write, which costs the process two wake-ups. */
const defaultGatherMilliseconds = 100;
/** More lines than this are written at once. */
const gatheredOctets = 16_384;
/** A full disk is tried again this often; a line that came meanwhile waits for the result. */
const defaultFailureMilliseconds = 1_000;

/** The write is retried: the reader of a pipe is slow. */
const busyCodes: ReadonlySet<string> = new Set(['EAGAIN', 'EBUSY', 'EINTR']);
/** The reader has gone for good. */
const closedCodes: ReadonlySet<string> = new Set(['EPIPE', 'EBADF']);

export interface LogDestinationOptions {
  readonly maximumWaitingOctets?: number;
  readonly failureMilliseconds?: number;
  readonly gatherMilliseconds?: number;
}

/** A line of pino whose level is `warn` or above. */
const isUrgent = (line: string): boolean => line.startsWith('{"level":') && line.charCodeAt(9) > 0x33;

/**
 * Where log lines go: a file descriptor that may fail at any time without any effect on the process. Lines that the disk does not
 * take are dropped and counted. Lines below `warn` wait about 100 ms for others, so a process that is killed by SIGKILL loses these;
 * every other end of the process writes them first. Writes are asynchronous, since a disk that hangs must not stop signaling. pino's own destination
 * (sonic-boom 4) ends the process at the first ENOSPC, and repeats the failing write for ever while it exits.
 */
export class LogDestination {
  /** Called once lines get through again. */
  onRecovery: ((droppedLines: number, error: string) => void) | undefined;
  private waiting: string[] = [];
  private waitingOctets = 0;
  /** What is being written, or waits for its retry. */
  private pending: Buffer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isGathering = false;
  private droppedLines = 0;
  private reported = 0;
  private failureCode: string | undefined;
  private isClosed = false;
  /** Part of a line is out: the next write begins with the end of that line. */
  private isTorn = false;
  private readonly maximumWaitingOctets: number;
  private readonly failureMilliseconds: number;
  private readonly gatherMilliseconds: number;

  constructor(
    private readonly descriptor: number,
    options: LogDestinationOptions = {},
  ) {
    this.maximumWaitingOctets = options.maximumWaitingOctets ?? defaultWaitingOctets;
    this.failureMilliseconds = options.failureMilliseconds ?? defaultFailureMilliseconds;
    this.gatherMilliseconds = options.gatherMilliseconds ?? defaultGatherMilliseconds;
  }

  /** Lines that were given up since the start of the process. */
  get dropped(): number {
    return this.droppedLines;
  }

  /** Error code of the last write, as `ENOSPC`; undefined while lines get through. */
  get failure(): string | undefined {
    return this.failureCode;
  }

  /** Takes one line with its end. Never throws, never blocks. */
  write(line: string): void {
    if (this.isClosed || this.waitingOctets + line.length > this.maximumWaitingOctets) {
      this.droppedLines++;
      return;
    }
    this.waiting.push(line);
    this.waitingOctets += line.length;
    if (this.pending !== undefined || this.timer !== undefined) return;
    if (this.waitingOctets >= gatheredOctets || isUrgent(line)) this.writeWaiting();
    else if (!this.isGathering) {
      this.isGathering = true;
      atTick(this.gatherMilliseconds, () => this.gathered());
    }
  }

  /** Writes what waits, once and at once; for the exit of the process, where no event comes any more. */
  flushSync(): void {
    // A write under way is finished by libuv, which joins its threads at exit; one that waits for its retry is not.
    const unwritten = this.timer === undefined ? undefined : this.pending;
    const rest = [unwritten ?? Buffer.alloc(0), Buffer.from(this.waiting.join(''))];
    this.waiting = [];
    this.waitingOctets = 0;
    if (this.isClosed) return;
    try {
      const all = Buffer.concat(rest);
      for (let at = 0; at < all.length; ) at += writeSync(this.descriptor, all, at);
    } catch {
      // The last lines are lost; the exit must not wait for a disk.
    }
  }

  private gathered(): void {
    this.isGathering = false;
    this.writeWaiting();
  }

  private writeWaiting(): void {
    if (this.pending !== undefined || this.timer !== undefined) return;
    const lines = this.waiting;
    if (lines.length === 0) return;
    const text = lines.join('');
    this.waiting = [];
    this.waitingOctets = 0;
    this.writeOut(Buffer.from(this.isTorn ? `\n${text}` : text), lines.length);
  }

  private writeOut(octets: Buffer, lines: number): void {
    this.pending = octets;
    write(this.descriptor, octets, 0, octets.length, null, (error, written) => {
      if (error !== null) {
        this.failed(error, octets, lines);
      } else if (written < octets.length) {
        this.isTorn = octets[written - 1] !== 0x0a;
        this.writeOut(octets.subarray(written), lines);
      } else {
        this.pending = undefined;
        this.isTorn = false;
        this.succeeded();
        if (this.waiting.length > 0) this.writeWaiting();
      }
    });
  }

  private failed(error: NodeJS.ErrnoException, octets: Buffer, lines: number): void {
    const code = error.code ?? 'unknown';
    if (busyCodes.has(code)) {
      this.later(retryMilliseconds, () => this.writeOut(octets, lines));
      return;
    }
    this.pending = undefined;
    this.droppedLines += lines;
    this.failureCode = code;
    if (closedCodes.has(code)) {
      this.isClosed = true;
      this.droppedLines += this.waiting.length;
      this.waiting = [];
      this.waitingOctets = 0;
      return;
    }
    this.later(this.failureMilliseconds, () => {
      if (this.waiting.length > 0) this.writeWaiting();
    });
  }

  private later(milliseconds: number, act: () => void): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      act();
    }, milliseconds);
    this.timer.unref();
  }

  private succeeded(): void {
    const { failureCode } = this;
    this.failureCode = undefined;
    const dropped = this.droppedLines - this.reported;
    if (dropped === 0) return;
    this.reported = this.droppedLines;
    this.onRecovery?.(dropped, failureCode ?? 'slow reader');
  }
}

/** The log of this process. */
export const standardOutput = new LogDestination(1);
process.on('exit', () => standardOutput.flushSync());
