import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Redis } from '../../base/redis.js';
import { RedisScript } from '../../base/redis-script.js';
import { within } from '../../base/within.js';
import { rateCountKey } from '../../contract/keys.js';

/** Requests of one asker since its window began, and the milliseconds until it ends. */
interface Count {
  readonly current: number;
  readonly ttl: number;
}

/** How long a request waits for a hung Redis; a healthy one replies within a millisecond. */
const patienceMilliseconds = 200;
/** Back-off after Redis did not respond; then one request tests whether it is back. */
const pauseMilliseconds = 1_000;
/** Askers that one process remembers for each limit. */
const maximumAskers = 5_000;

const countRequest = new RedisScript<[counter: string]>('countRequest', import.meta.url, [
  'count-request.lua',
]);

/** The counts that all control processes share. */
class SharedCounts {
  private silentUntil = 0;

  constructor(private readonly redis: Redis) {}

  /** Undefined while Redis is down; takes `patienceMilliseconds` at most. */
  async count(asker: string, windowMilliseconds: number): Promise<Count | undefined> {
    const now = performance.now();
    if (this.redis.status !== 'ready' || now < this.silentUntil) return undefined;
    if (this.silentUntil > 0) this.silentUntil = now + pauseMilliseconds;
    const asked = countRequest.run(this.redis, [rateCountKey(asker)], windowMilliseconds);
    const answer = (await within(patienceMilliseconds, asked)) as [number, number] | undefined;
    if (answer === undefined) {
      this.silentUntil = performance.now() + pauseMilliseconds;
      return undefined;
    }
    this.silentUntil = 0;
    return { current: answer[0], ttl: answer[1] };
  }
}

/** What this process alone has seen, the least recently begun windows forgotten first. */
class OwnCounts {
  private readonly windows = new Map<string, { current: number; readonly endsAt: number }>();

  count(asker: string, windowMilliseconds: number): Count {
    const now = performance.now();
    let window = this.windows.get(asker);
    if (window === undefined || window.endsAt <= now) {
      this.windows.delete(asker);
      window = { current: 0, endsAt: now + windowMilliseconds };
      this.windows.set(asker, window);
      if (this.windows.size > maximumAskers) this.windows.delete(this.windows.keys().next().value!);
    }
    window.current += 1;
    return { current: window.current, ttl: Math.ceil(window.endsAt - now) };
  }
}

/**
 * A store for `@fastify/rate-limit`: counts in Redis, for all control processes together. Each process counts its own requests
 * as well and uses only these counts while Redis is down, so that an outage neither refuses nor delays requests.
 * @param redis undefined: every process counts alone
 */
export function rateCounts(redis: Redis | undefined): FastifyRateLimitStoreCtor {
  const shared = redis && new SharedCounts(redis);
  return class RateCounts implements FastifyRateLimitStore {
    private readonly own = new OwnCounts();

    incr(
      asker: string,
      done: (error: Error | null, count?: Count) => void,
      windowMilliseconds: number,
      maximum: number,
    ): void {
      const own = this.own.count(asker, windowMilliseconds);
      // A client over the limit of one process costs no more Redis commands.
      if (shared === undefined || own.current > maximum) done(null, own);
      else shared.count(asker, windowMilliseconds).then((count) => done(null, count ?? own), done);
    }

    child(): FastifyRateLimitStore {
      return new RateCounts();
    }
  };
}
