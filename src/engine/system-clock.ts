import type { Clock, Timer } from './clock.js';

/** The machine's clock. Counts what is still to fire, for leak checks. Timers alone do not keep the process alive. */
export class SystemClock implements Clock {
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
    const handle = setTimeout(() => {
      if (!settle()) return;
      try {
        callback();
      } catch (error) {
        this.failed(error);
      }
    }, milliseconds);
    handle.unref();
    return {
      cancel: () => {
        if (settle()) clearTimeout(handle);
      },
    };
  }
}
