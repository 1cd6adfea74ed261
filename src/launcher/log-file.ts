import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { devNull } from 'node:os';

/** Two generations of 10 MB per process: hours of log at the default level, in a small folder. */
const defaultMaximumBytes = 10_000_000;

/**
 * The log of a child process. The child writes to the file directly, without passing through the supervisor;
 * the supervisor truncates the file when it has grown too long (it is open for appending, so writes continue at the new end).
 */
export class LogFile {
  /** Size in octets when the process was last started. */
  private start = 0;

  constructor(
    readonly path: string,
    private readonly maximumBytes = defaultMaximumBytes,
  ) {}

  /** @returns a descriptor for the child's stdout and stderr; close it after spawning */
  open(): number {
    try {
      const descriptor = openSync(this.path, 'a', 0o600);
      this.start = fstatSync(descriptor).size;
      return descriptor;
    } catch {
      // No space for a new file: a process without a log is better than no process.
      return openSync(devNull, 'w');
    }
  }

  close(descriptor: number): void {
    closeSync(descriptor);
  }

  /** Keeps the older half as `<path>.1` once the limit is exceeded. Lines written between the two steps are lost. */
  bound(): void {
    try {
      if (statSync(this.path).size <= this.maximumBytes) return;
      copyFileSync(this.path, `${this.path}.1`);
      truncateSync(this.path, 0);
      this.start = 0;
    } catch {
      // No file yet, or no space: neither is a reason to interrupt calls.
    }
  }

  /** The last lines since the process was started, for a failure message. */
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
