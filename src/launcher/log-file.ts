import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { devNull } from 'node:os';

/** Two generations of 10 MB a part: enough to look back hours at the default level, and the folder stays small. */
const defaultMaximumBytes = 10_000_000;

/**
 * A part's log. The part writes into the file itself, so that nothing of ours stands in between;
 * the file is cut from outside when it has grown too long (it is open for appending, so that writing continues at its new end).
 */
export class LogFile {
  /** Octets there when the part was started last. */
  private start = 0;

  constructor(
    readonly path: string,
    private readonly maximumBytes = defaultMaximumBytes,
  ) {}

  /** @returns a descriptor for a child's stdout and stderr; close it after spawning */
  open(): number {
    try {
      const descriptor = openSync(this.path, 'a', 0o600);
      this.start = fstatSync(descriptor).size;
      return descriptor;
    } catch {
      // No space for a new file: a process without a log is better than none.
      return openSync(devNull, 'w');
    }
  }

  close(descriptor: number): void {
    closeSync(descriptor);
  }

  /** Keeps the older half as `<path>.1` once the limit is passed. Lines written in between the two steps are lost. */
  bound(): void {
    try {
      if (statSync(this.path).size <= this.maximumBytes) return;
      copyFileSync(this.path, `${this.path}.1`);
      truncateSync(this.path, 0);
      this.start = 0;
    } catch {
      // No file yet, or no space: neither is worth stopping a call for.
    }
  }

  /** The last lines since the part was started, for a message about a failure. */
  tail(lines: number): string {
    try {
      return readFileSync(this.path)
        .subarray(this.start)
        .toString()
        .trimEnd()
        .split('\n')
        .slice(-lines)
        .join('\n');
    } catch {
      return '';
    }
  }
}
