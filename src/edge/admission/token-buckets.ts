interface Bucket {
  tokens: number;
  /** Monotonic milliseconds. */
  at: number;
}

export interface Rate {
  readonly perSecond: number;
  /** The most that can be taken at once after a pause. */
  readonly burst: number;
}

/**
 * Token buckets by key. Bounded: the least recently used key is dropped first, which gives it a full bucket again, so choose
 * `maximumKeys` well above what is active at once.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly maximumKeys: number,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {}

  /** Takes one token: 0 when there was one, else the seconds until there is. */
  take(key: string, rate: Rate): number {
    const bucket = this.fill(key, rate);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / rate.perSecond;
    bucket.tokens--;
    return 0;
  }

  /** Refunds an unused token. */
  giveBack(key: string): void {
    const bucket = this.buckets.get(key);
    if (bucket !== undefined) bucket.tokens++;
  }

  /** Seconds until a token is available; 0: now. Takes none and stores nothing. */
  wait(key: string, rate: Rate): number {
    const tokens = this.tokensOf(key, rate);
    return tokens < 1 ? (1 - tokens) / rate.perSecond : 0;
  }

  /** What could be taken at once now. Stores nothing. */
  tokensOf(key: string, rate: Rate): number {
    const bucket = this.buckets.get(key);
    if (bucket === undefined) return rate.burst;
    return Math.min(rate.burst, bucket.tokens + ((this.now() - bucket.at) / 1000) * rate.perSecond);
  }

  get size(): number {
    return this.buckets.size;
  }

  private fill(key: string, rate: Rate): Bucket {
    const now = this.now();
    let bucket = this.buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: rate.burst, at: now };
      if (this.buckets.size >= this.maximumKeys) this.buckets.delete(this.buckets.keys().next().value!);
    } else {
      bucket.tokens = this.tokensOf(key, rate);
      bucket.at = now;
      this.buckets.delete(key);
    }
    this.buckets.set(key, bucket);
    return bucket;
  }
}
