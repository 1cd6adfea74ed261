import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const majorVersion = Number(process.versions.node.split('.', 1)[0]);

/** Below this share of a core nothing is waiting that a collection could delay. */
const idleShare = 0.1;
/** Of memory beyond what was left after the last collection; less is not worth a pause. */
const worthBytes = 16 * 1024 * 1024;

/** A function that collects all garbage at once and returns freed pages to the operating system. */
export function fullCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  setFlagsFromString('--no-expose-gc');
  // From Node.js 22 on, other collections keep freed pages in a pool; earlier ones do not know these options.
  const giveBack = { type: 'major', execution: 'sync', flavor: 'last-resort' };
  return () => (majorVersion < 22 ? collect() : collect(giveBack));
}

/**
 * Gives memory back when a load is over: V8 collects only when it allocates, so that an idle process would keep all garbage,
 * and with it what closed connections hold outside the heap. One full collection, after ten seconds of little work. It pauses
 * the process by about 1 ms for each MB that is in use, so it is rare: at most one a minute, and without a load before it one in ten.
 */
export class IdleMemory {
  private used = process.cpuUsage();
  private checkedAt = performance.now();
  private collectedAt = Number.NEGATIVE_INFINITY;
  private left = process.memoryUsage.rss();
  private wasBusy = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly checkMilliseconds = 10_000,
    private readonly collect: () => void = fullCollection(),
  ) {
    this.timer = setInterval(() => this.check(), checkMilliseconds).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.used);
    const isIdle = (user + system) / 1_000 < idleShare * (now - this.checkedAt);
    this.used = process.cpuUsage();
    this.checkedAt = now;
    if (!isIdle) this.wasBusy = true;
    else if (this.isWorth(now)) this.giveBack();
  }

  private isWorth(now: number): boolean {
    const checks = (now - this.collectedAt) / this.checkMilliseconds;
    if (this.wasBusy) return checks >= 6;
    return checks >= 60 && process.memoryUsage.rss() > this.left + worthBytes;
  }

  private giveBack(): void {
    this.collect();
    this.left = process.memoryUsage.rss();
    this.wasBusy = false;
    // The collection itself is no load.
    this.used = process.cpuUsage();
    this.checkedAt = performance.now();
    this.collectedAt = this.checkedAt;
  }
}
