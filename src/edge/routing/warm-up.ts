import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../../base/redis.js';
import { numberKey, numberKeyPattern, numberRevisionKey } from '../../contract/keys.js';

export interface WarmUp {
  readonly redis: Redis;
  /** Most numbers to read. */
  readonly maximum: number;
  readonly isWanted: () => boolean;
  readonly take: (digits: string, raw: string, hasRevision: boolean) => void;
}

/** Documents per step: about 5 ms of parsing per turn of the event loop. */
const batch = 100;
/** Calls of a starting edge go first: the steps take a third of its time. */
const pauseMilliseconds = 10;

/** Reads numbers ahead, so that numbers not called yet also survive a Redis outage. */
export async function warmUp({ redis, maximum, isWanted, take }: WarmUp): Promise<void> {
  const prefixLength = numberKey('').length;
  let cursor = '0';
  let taken = 0;
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', numberKeyPattern, 'COUNT', batch);
    cursor = next;
    if (keys.length === 0) continue;
    if (taken > 0) await sleep(pauseMilliseconds);
    const [revision, ...documents] = await redis.mget(numberRevisionKey, ...keys);
    for (const [index, raw] of documents.entries()) {
      if (raw !== null && raw !== undefined) take(keys[index]!.slice(prefixLength), raw, revision !== null);
    }
    taken += keys.length;
  } while (cursor !== '0' && taken < maximum && isWanted());
}
