import type { Redis } from './redis.js';

/**
 * For each key: prolongs a lease of ours, takes a free one, leaves another edge's alone. Returns 1 for what is ours.
 * One script, so that looking and prolonging are one step.
 */
const takeScript = `
local held = {}
for index, key in ipairs(KEYS) do
  local holder = redis.call('GET', key)
  if holder == ARGV[1] then
    redis.call('PEXPIRE', key, ARGV[2])
    held[index] = 1
  elseif not holder and redis.call('SET', key, ARGV[1], 'NX', 'PX', ARGV[2]) then
    held[index] = 1
  else
    held[index] = 0
  end
end
return held`;

const releaseScript = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 0`;

/** Keys of one call of a script: a millisecond of Redis. */
const batchSize = 500;

/**
 * Work that one edge of many does: whoever holds the key in Redis. A lease runs out when its holder does not prolong it,
 * so that another edge takes over from one that died.
 */
export class Leases {
  constructor(
    private readonly redis: Redis,
    /** Different for every process, also for two with the same edge id. */
    private readonly holder: string,
    private readonly milliseconds: number,
  ) {}

  /** Prolongs and takes what it can; returns the keys that are ours now. Rejects while Redis is away. */
  async take(keys: readonly string[]): Promise<Set<string>> {
    const held = new Set<string>();
    for (let at = 0; at < keys.length; at += batchSize) {
      const batch = keys.slice(at, at + batchSize);
      const flags = (await this.redis.eval(
        takeScript,
        batch.length,
        ...batch,
        this.holder,
        this.milliseconds,
      )) as number[];
      batch.forEach((key, index) => {
        if (flags[index] === 1) held.add(key);
      });
    }
    return held;
  }

  /** Gives up what is ours, so that another edge need not wait for the end of the lease. */
  async release(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += batchSize) {
      const batch = keys.slice(at, at + batchSize);
      await this.redis.eval(releaseScript, batch.length, ...batch, this.holder);
    }
  }
}
