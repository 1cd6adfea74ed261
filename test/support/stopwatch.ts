import { type ProcessorTime, processorTime } from '../../src/base/processor-time.js';

/** A bound that is this many times longer still notices what hangs. */
const mostSlowdown = 8;
/** Of less processor time than this nothing follows. */
const leastUsedMilliseconds = 1;

/**
 * Measures how long something takes, and how much longer the load of the machine makes it: tests bound the former by what an idle
 * machine needs. The load is what this process waited for a processor in proportion to what it had of one; other processes wait as long.
 */
export class Stopwatch {
  private readonly began = performance.now();
  private readonly before: ProcessorTime | undefined;

  private constructor(private readonly read: () => ProcessorTime | undefined) {
    this.before = read();
  }

  static start(read = () => processorTime(process.pid, 'main')): Stopwatch {
    return new Stopwatch(read);
  }

  /** Since the start. */
  get milliseconds(): number {
    return performance.now() - this.began;
  }

  /** The same bound on this machine as it was since the start: 1 to 8 times as long. */
  bound(idleMilliseconds: number): number {
    return idleMilliseconds * this.slowdown();
  }

  private slowdown(): number {
    const after = this.read();
    if (this.before === undefined || after === undefined) return 1;
    const used = after.used - this.before.used;
    const waited = after.waited - this.before.waited;
    return Math.min(mostSlowdown, 1 + waited / Math.max(used, leastUsedMilliseconds));
  }
}
