import { TokenBuckets } from './token-buckets.js';

const maximumSources = 10_000;
/** One source's share of what is recorded, so that a scanner cannot take it all. */
const sourceShare = 5;
/** Seconds of the steady rate that may come at once. */
const burstSeconds = 10;

/**
 * How many refused calls get a log line and a record. A flood of refusals would otherwise push the records of real calls
 * out of the stream; those above the budget are only counted.
 */
export class RefusalBudget {
  private readonly sources: TokenBuckets;
  private readonly all: TokenBuckets;

  constructor(
    private readonly perSecond: number,
    now: () => number,
  ) {
    this.sources = new TokenBuckets(maximumSources, now);
    this.all = new TokenBuckets(1, now);
  }

  /** True when this refusal may be recorded. */
  take(source: string): boolean {
    const share = Math.max(1, this.perSecond / sourceShare);
    if (this.sources.take(source, { perSecond: share, burst: share * burstSeconds }) > 0) return false;
    return this.all.take('', { perSecond: this.perSecond, burst: this.perSecond * burstSeconds }) === 0;
  }
}
