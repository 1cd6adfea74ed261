import { type CountedThreads, processorShare, processorTime } from './processor-time.js';

/**
 * Counts pings that a process left unanswered, each by the share of the processor that the process, and we who asked, got meanwhile:
 * one that waits for a processor does not hang, and a restart would need more of it.
 */
export class UnansweredPings {
  private last;
  private sum = 0;

  constructor(
    private readonly pid: number,
    private readonly threads: CountedThreads,
    private readonly readTime = processorTime,
  ) {
    this.last = this.read();
  }

  /** The next ping begins now. */
  begin(): void {
    this.last = this.read();
  }

  /** The ping was not answered. */
  add(): void {
    const now = this.read();
    const elapsed = now.at - this.last.at;
    this.sum += Math.min(
      processorShare(this.last.its, now.its, elapsed),
      processorShare(this.last.own, now.own, elapsed),
    );
  }

  /** The process has answered. */
  forget(): void {
    this.sum = 0;
  }

  /** True: the process answers for more pings than the maximum, or as many. */
  reach(maximum: number): boolean {
    // Sums of shares: 5 halves and 5 halves are 5.
    return this.sum > maximum - 0.01;
  }

  private read() {
    return {
      at: performance.now(),
      its: this.readTime(this.pid, this.threads),
      own: this.readTime(process.pid, 'main'),
    };
  }
}
