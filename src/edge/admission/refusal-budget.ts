import { type Rate, TokenBuckets } from './token-buckets.js';

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
    const { ofSource, ofAll } = this.rates;
    if (this.sources.take(source, ofSource) > 0) return false;
    return this.all.take('', ofAll) === 0;
  }

  /** True when a refusal could be recorded now. Takes nothing. */
  hasRoom(source: string): boolean {
    const { ofSource, ofAll } = this.rates;
    return this.sources.wait(source, ofSource) === 0 && this.all.wait('', ofAll) === 0;
  }

  private get rates(): Record<'ofSource' | 'ofAll', Rate> {
    const share = Math.max(1, this.perSecond / sourceShare);
    return {
      ofSource: { perSecond: share, burst: share * burstSeconds },
      ofAll: { perSecond: this.perSecond, burst: this.perSecond * burstSeconds },
    };
  }
}
