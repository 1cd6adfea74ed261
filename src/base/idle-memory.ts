import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { trimMemory } from './trim-memory.js';

const majorVersion = Number(process.versions.node.split('.', 1)[0]);

/** Above this share of a core, in one check, there is a load, which leaves garbage. */
const busyShare = 0.1;
/** A process that uses less than this share of a core, on average, runs only timers, or a few calls a second. */
const idleShare = 0.03;
/** Of memory beyond what was left after the last collection; less is not worth a pause. */
const worthBytes = 16 * 1024 * 1024;

const idleChecks = 30;
const leastChecks = 60;
const leastChecksWithoutLoad = 600;

/** A function that collects all garbage at once and returns freed pages to the operating system. */
export function fullCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  setFlagsFromString('--no-expose-gc');
  // From Node.js 22 on, other collections keep freed pages in a pool; earlier ones do not know these options.
  const giveBack = { type: 'major', execution: 'sync', flavor: 'last-resort' };
  return () => (majorVersion < 22 ? collect() : collect(giveBack));
}

/** What the process has had of the processors since its start. */
function usedMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface IdleMemoryOptions {
  /** False: a pause would be heard, as in the audio of a few calls, which are no load. */
  readonly mayPause?: () => boolean;
  readonly checkMilliseconds?: number;
  readonly collect?: () => void;
  /** Gives back what the collection has freed outside the heap. */
  readonly trim?: () => void;
  /** Milliseconds of processor time that the process has used. */
  readonly read?: () => number;
}

/**
 * Gives memory back when a load is over: V8 collects only when it allocates, so that an idle process would keep all garbage,
 * and with it what closed connections hold outside the heap. One full collection, which pauses the process by about 1 ms for each MB
 * that is in use: after thirty seconds without a load, so that no call meets it, and at most once a minute;
 * without a load before it once in ten minutes.
 */
export class IdleMemory {
  private used: number;
  private checkedAt = performance.now();
  /** Of the last checks in a row without a load, the newest last. */
  private quietShares: number[] = [];
  /** Since the last collection, or the start. */
  private checks = leastChecks;
  private left = process.memoryUsage.rss();
  private wasBusy = false;
  private readonly timer: NodeJS.Timeout;
  private readonly mayPause: () => boolean;
  private readonly collect: () => void;
  private readonly trim: () => void;
  private readonly read: () => number;

  constructor({
    mayPause = () => true,
    checkMilliseconds = 1_000,
    collect = fullCollection(),
    trim = trimMemory,
    read = usedMilliseconds,
  }: IdleMemoryOptions = {}) {
    this.mayPause = mayPause;
    this.collect = collect;
    this.trim = trim;
    this.read = read;
    this.used = read();
    this.timer = setInterval(() => this.check(), checkMilliseconds).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const now = performance.now();
    const used = this.read();
    const share = (used - this.used) / (now - this.checkedAt);
    this.used = used;
    this.checkedAt = now;
    this.checks++;
    if (share > busyShare) {
      this.wasBusy = true;
      this.quietShares = [];
      return;
    }
    this.quietShares.push(share);
    if (this.quietShares.length > idleChecks) this.quietShares.shift();
    if (this.isIdle() && this.isWorth() && this.mayPause()) this.giveBack();
  }

  /** An average, because the timers of an edge use more than that share in single seconds of a slow machine. */
  private isIdle(): boolean {
    const sum = this.quietShares.reduce((total, share) => total + share, 0);
    return this.quietShares.length >= idleChecks && sum < idleShare * idleChecks;
  }

  private isWorth(): boolean {
    if (this.wasBusy) return this.checks >= leastChecks;
    return this.checks >= leastChecksWithoutLoad && process.memoryUsage.rss() > this.left + worthBytes;
  }

  private giveBack(): void {
    this.collect();
    this.trim();
    this.left = process.memoryUsage.rss();
    this.wasBusy = false;
    // The collection itself is no load.
    this.used = this.read();
    this.checkedAt = performance.now();
    this.checks = 0;
  }
}
