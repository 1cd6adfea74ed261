import { randomUUID } from 'node:crypto';
import type { Redis } from '../../base/redis.js';
import {
  numberChannel,
  numberKey,
  numberKeyPattern,
  numberRevisionKey,
  projectedRevisionsKey,
  projectionKey,
} from '../../contract/keys.js';
import type { NumberDocument } from '../../contract/number.js';

/** One number as it shall be in Redis. */
export interface Projected {
  /** E.164 digits without plus. */
  readonly number: string;
  readonly revision: number;
  /** Undefined: the number has no configuration. `keep`: what is there stays. */
  readonly document: NumberDocument | 'keep' | undefined;
}

/** Redis holds a newer revision than PostgreSQL: the database was restored from a backup. */
export interface Overtaken {
  readonly number: string;
  readonly revision: number;
}

/** Redis is empty, was emptied meanwhile, or holds the projection of another database: everything must be written first. */
export class ForeignRedis extends Error {
  constructor() {
    super('Redis does not hold the projection of this database.');
    this.name = 'ForeignRedis';
  }
}

/**
 * Writes one document unless Redis has a newer one, in one step. In a rebuild edges are not told that the projection is
 * whole: to them a number that is missing then is lost, not deleted.
 * Returns 'foreign', the newer revision that Redis has, or 0.
 */
const writeScript = `
local document, revisions, projection, counter = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local number, revision, json, database, epoch, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local there = redis.call('HMGET', projection, 'database', 'epoch')
if epoch == '' and there[1] ~= database or epoch ~= '' and there[2] ~= epoch then return 'foreign' end
local known = tonumber(redis.call('HGET', revisions, number) or '0')
if known > revision then return known end
redis.call('HSET', revisions, number, ARGV[2])
redis.call('HINCRBY', projection, 'total', revision - known)
if json == 'keep' or (redis.call('GET', document) or '') == json then return 0 end
if json == '' then redis.call('DEL', document) else redis.call('SET', document, json) end
if epoch == '' then redis.call('INCR', counter) end
redis.call('PUBLISH', channel, number)
return 0`;

/**
 * Forgets what another database has projected; its documents stay until they are overwritten. Processes that rebuild at
 * the same time share the epoch, which is gone as soon as Redis is emptied.
 */
const beginScript = `
if redis.call('HGET', KEYS[1], 'builder') ~= ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'builder', ARGV[1], 'epoch', ARGV[2])
end
return redis.call('HGET', KEYS[1], 'epoch')`;

/** The projection is whole: edges may take an absent number for a deleted one from now on. */
const finishScript = `
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[2] then return 'foreign' end
redis.call('HSET', KEYS[1], 'database', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'total', 0)
redis.call('INCR', KEYS[2])
redis.call('PUBLISH', ARGV[3], '*')
return 0`;

/** The documents in Redis and what control notes beside them. */
export class RedisProjection {
  constructor(
    private readonly redis: Redis,
    /** Identity of the database whose projection this is. */
    private readonly database: string,
  ) {}

  /**
   * Writes documents in the order given; those that Redis has newer are left and returned.
   * Throws `ForeignRedis`, and whatever ioredis throws.
   * @param epoch in a rebuild what `begin` has returned
   */
  async write(projected: readonly Projected[], epoch = ''): Promise<Overtaken[]> {
    const pipeline = this.redis.pipeline();
    for (const { number, revision, document } of projected) {
      const json = typeof document === 'object' ? JSON.stringify(document) : (document ?? '');
      const keys = [numberKey(number), projectedRevisionsKey, projectionKey, numberRevisionKey];
      const values = [number, revision, json, this.database, epoch, numberChannel];
      pipeline.eval(writeScript, keys.length, ...keys, ...values);
    }
    const overtaken: Overtaken[] = [];
    for (const [index, [error, result]] of (await pipeline.exec())!.entries()) {
      if (error !== null) throw error;
      if (result === 'foreign') throw new ForeignRedis();
      if (result !== 0) overtaken.push({ number: projected[index]!.number, revision: Number(result) });
    }
    return overtaken;
  }

  /** Before a rebuild; returns its epoch. */
  async begin(): Promise<string> {
    const keys = [projectionKey, projectedRevisionsKey];
    return String(await this.redis.eval(beginScript, keys.length, ...keys, this.database, randomUUID()));
  }

  /** After a rebuild. Throws `ForeignRedis` when Redis was emptied since it began. */
  async finish(epoch: string): Promise<void> {
    const keys = [projectionKey, numberRevisionKey];
    const result = await this.redis.eval(
      finishScript,
      keys.length,
      ...keys,
      this.database,
      epoch,
      numberChannel,
    );
    if (result === 'foreign') throw new ForeignRedis();
  }

  /** Sum of the revisions in Redis; undefined when Redis is not this database's. */
  async total(): Promise<number | undefined> {
    const [database, total] = await this.redis.hmget(projectionKey, 'database', 'total');
    // Whoever lost the counter lost more: edges could not tell deleted from lost.
    const counter = await this.redis.exists(numberRevisionKey);
    return database === this.database && counter === 1 ? Number(total) : undefined;
  }

  /** Every number with a revision in Redis, in batches. */
  async *revisions(): AsyncGenerator<Map<string, number>> {
    let cursor = '0';
    do {
      const [next, fields] = await this.redis.hscan(projectedRevisionsKey, cursor, 'COUNT', 500);
      cursor = next;
      const found = new Map<string, number>();
      for (let at = 0; at < fields.length; at += 2) found.set(fields[at]!, Number(fields[at + 1]));
      if (found.size > 0) yield found;
    } while (cursor !== '0');
  }

  /** Every number that has a document, in batches; a number may come twice. */
  async *documents(): AsyncGenerator<string[]> {
    const prefixLength = numberKey('').length;
    let cursor = '0';
    do {
      const [next, keys] = await this.redis.scan(cursor, 'MATCH', numberKeyPattern, 'COUNT', 500);
      cursor = next;
      if (keys.length > 0) yield keys.map((key) => key.slice(prefixLength));
    } while (cursor !== '0');
  }
}
