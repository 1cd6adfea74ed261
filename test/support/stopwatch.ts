import { availableParallelism, loadavg } from 'node:os';
import { type ProcessorTime, processorTime } from '../../src/base/processor-time.js';

/** A bound that is this many times longer still notices what hangs. */
const mostSlowdown = 8;
/** Of less processor time than this nothing follows. */
const leastUsedMilliseconds = 1;
/** How long a process may wait for its turn on a machine of the greatest slowdown; once, however short the bound is. */
const longestStallMilliseconds = 2_000;

/**
 * Measures how long something takes, and how much longer the load of the machine makes it: tests bound the former by what an idle
 * machine needs. The load is what this process waited for a processor in proportion to what it had of one, because other processes wait as
 * long. A process that hardly runs may have luck with its turns: the load average per processor counts if it is more.
 */
export class Stopwatch {
  private readonly began = performance.now();
  private readonly before: ProcessorTime | undefined;

  private constructor(
    private readonly read: () => ProcessorTime | undefined,
    private readonly load: () => number,
  ) {
    this.before = read();
  }

  static start(
    read = () => processorTime(process.pid, 'main'),
    load = () => loadavg()[0]! / availableParallelism(),
  ): Stopwatch {
    return new Stopwatch(read, load);
  }

  /** Since the start. */
  get milliseconds(): number {
    return performance.now() - this.began;
  }

  /** The same bound on this machine as it was since the start: 1 to 8 times as long, and up to 2 s for a stall. */
  bound(idleMilliseconds: number): number {
    const slowdown = this.slowdown();
    const stall = (longestStallMilliseconds * (slowdown - 1)) / (mostSlowdown - 1);
    return idleMilliseconds * slowdown + stall;
  }

  /** How many times longer than on an idle machine things took since the start: 1 to 8. */
  slowdown(): number {
    return Math.min(mostSlowdown, Math.max(1, this.load(), this.waitingFactor()));
  }

  private waitingFactor(): number {
    const after = this.read();
    if (this.before === undefined || after === undefined) return 1;
    const used = after.used - this.before.used;
    const waited = after.waited - this.before.waited;
    return 1 + waited / Math.max(used, leastUsedMilliseconds);
  }
}
