import type { Clock, Timer } from './clock.js';

class SystemTimer implements Timer {
  constructor(private readonly handle: NodeJS.Timeout) {}

  cancel(): void {
    clearTimeout(this.handle);
  }
}

/** The machine's monotonic clock. A jump of the wall clock does not move it. */
export class SystemClock implements Clock {
  now(): number {
    return performance.now();
  }

  after(milliseconds: number, callback: () => void): Timer {
    return new SystemTimer(setTimeout(callback, milliseconds));
  }
}
