import type { Clock, Timer } from './clock.js';

/** A clock that shows leaked timers. */
export interface CountingClock extends Clock {
  /** Timers set and neither fired nor cancelled. */
  readonly pendingTimers: number;
}

/** The longest wait of `setTimeout`; a longer one would fire at once. */
const longestMilliseconds = 2 ** 31 - 1;

/** The machine's clock. Counts pending timers, for leak checks. Timers alone don't keep the process alive. */
export class SystemClock implements CountingClock {
  private pending = 0;

  /** @param failed gets what a callback throws: a defect, which must not end all other calls */
  constructor(
    private readonly failed: (error: unknown) => void = (error) => {
      throw error;
    },
  ) {}

  get pendingTimers(): number {
    return this.pending;
  }

  now(): number {
    return performance.now();
  }

  after(milliseconds: number, callback: () => void): Timer {
    let isPending = true;
    this.pending++;
    const settle = (): boolean => {
      if (!isPending) return false;
      isPending = false;
      this.pending--;
      return true;
    };
    const handle = setTimeout(
      () => {
        if (!settle()) return;
        try {
          callback();
        } catch (error) {
          this.failed(error);
        }
      },
      Math.min(milliseconds, longestMilliseconds),
    );
    handle.unref();
    return {
      cancel: () => {
        if (settle()) clearTimeout(handle);
      },
    };
  }
}
