import type { Clock, Timer } from './clock.js';

/** A clock that can be asked for leaks. */
export interface CountingClock extends Clock {
  /** Timers set and neither fired nor cancelled. */
  readonly pendingTimers: number;
}

/** What `setTimeout` can wait for; beyond, it would fire at once. */
const longestMilliseconds = 2 ** 31 - 1;

/** The machine's clock. Counts what is still to fire, for leak checks. Timers alone do not keep the process alive. */
export class SystemClock implements CountingClock {
  private pending = 0;

  /** `failed` hears of what a callback throws: a defect, which must not take every other call with it. */
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
