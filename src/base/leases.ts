import type { Redis } from './redis.js';
import { RedisScript } from './redis-script.js';

const takeLeases = new RedisScript<readonly string[]>('takeLeases', import.meta.url, ['take-leases.lua']);
const releaseLeases = new RedisScript<readonly string[]>('releaseLeases', import.meta.url, [
  'release-leases.lua',
]);

/** Keys of one run of a script, which takes a millisecond. */
const batchSize = 500;

/**
 * Divides work among processes: a piece belongs to the process that holds its key in Redis. A lease that its holder does not
 * renew expires, so that another process takes over from one that died.
 */
export class Leases {
  constructor(
    private readonly redis: Redis,
    /** Different for every process, also for two with the same edge id. */
    private readonly holder: string,
    private readonly milliseconds: number,
  ) {}

  /** Renews and takes what it can; returns the keys that are held now. Rejects while Redis is down. */
  async take(keys: readonly string[]): Promise<Set<string>> {
    const held = new Set<string>();
    for (let at = 0; at < keys.length; at += batchSize) {
      const batch = keys.slice(at, at + batchSize);
      const flags = (await takeLeases.run(this.redis, batch, this.holder, this.milliseconds)) as number[];
      batch.forEach((key, index) => {
        if (flags[index] === 1) held.add(key);
      });
    }
    return held;
  }

  /** Deletes the leases that are held, so that another process need not wait until they expire. */
  async release(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += batchSize) {
      const batch = keys.slice(at, at + batchSize);
      await releaseLeases.run(this.redis, batch, this.holder);
    }
  }
}
