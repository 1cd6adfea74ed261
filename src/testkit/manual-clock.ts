import type { Timer } from '../base/clock.js';
import type { CountingClock } from '../base/system-clock.js';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock whose time passes only in `advance`. Timers due at the same moment fire in the order they were set. */
export class ManualClock implements CountingClock {
  private time = 0;
  private order = 0;
  private pending: Pending[] = [];

  now(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const entry = { due: this.time + Math.max(0, milliseconds), order: this.order++, callback };
    this.pending.push(entry);
    return {
      cancel: () => {
        const at = this.pending.indexOf(entry);
        if (at >= 0) this.pending.splice(at, 1);
      },
    };
  }

  get pendingTimers(): number {
    return this.pending.length;
  }

  /** Lets that much time pass, timer by timer; promises settle in between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settle();
    for (let next = this.earliest(end); next !== undefined; next = this.earliest(end)) {
      this.pending.splice(this.pending.indexOf(next), 1);
      this.time = next.due;
      next.callback();
      await settle();
    }
    this.time = end;
  }

  private earliest(end: number): Pending | undefined {
    let found: Pending | undefined;
    for (const entry of this.pending) {
      if (entry.due > end) continue;
      if (!found || entry.due < found.due || (entry.due === found.due && entry.order < found.order))
        found = entry;
    }
    return found;
  }
}

/** Lets promise callbacks that are ready run; several rounds, since one may make the next ready. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await Promise.resolve();
}
