import { randomUUID } from 'node:crypto';
import type { Redis } from '../../base/redis.js';
import { RedisScript } from '../../base/redis-script.js';
import {
  numberChannel,
  numberKey,
  numberKeyPattern,
  numberRevisionKey,
  projectedRevisionsKey,
  projectionKey,
} from '../../contract/keys.js';
import type { NumberDocument } from '../../contract/number.js';
import {
  indexOf,
  numberIndexChannel,
  numberIndexVersion,
  numberIndexVersionKey,
} from '../../contract/number-index.js';

/** The target state of one number in Redis. */
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

const writeDocument = new RedisScript<
  [document: string, revisions: string, projection: string, counter: string]
>('writeDocument', import.meta.url, ['index-number.lua', 'write-document.lua']);
const beginRebuild = new RedisScript<[projection: string, revisions: string]>(
  'beginRebuild',
  import.meta.url,
  ['begin-rebuild.lua'],
);
const finishRebuild = new RedisScript<[projection: string, counter: string, indexVersion: string]>(
  'finishRebuild',
  import.meta.url,
  ['finish-rebuild.lua'],
);

/** The number documents in Redis and control's bookkeeping. */
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
    const calls = projected.map(({ number, revision, document }) => {
      const json = typeof document === 'object' ? JSON.stringify(document) : (document ?? '');
      const keys: [string, string, string, string] = [
        numberKey(number),
        projectedRevisionsKey,
        projectionKey,
        numberRevisionKey,
      ];
      const { entries, servers } = indexOf(typeof document === 'object' ? document : undefined);
      const index = [JSON.stringify(entries), JSON.stringify(servers)];
      return { keys, values: [number, revision, json, this.database, epoch, numberChannel, ...index] };
    });
    const overtaken: Overtaken[] = [];
    for (const [index, [error, result]] of (await writeDocument.runEach(this.redis, calls)).entries()) {
      if (error !== null) throw error;
      if (result === 'foreign') throw new ForeignRedis();
      if (result !== 0) overtaken.push({ number: projected[index]!.number, revision: Number(result) });
    }
    return overtaken;
  }

  /** Before a rebuild; returns its epoch. */
  async begin(): Promise<string> {
    const keys: [string, string] = [projectionKey, projectedRevisionsKey];
    return String(await beginRebuild.run(this.redis, keys, this.database, randomUUID()));
  }

  /** After a rebuild. Throws `ForeignRedis` when Redis was emptied since it began. */
  async finish(epoch: string): Promise<void> {
    const keys: [string, string, string] = [projectionKey, numberRevisionKey, numberIndexVersionKey];
    const index = [numberIndexVersion, numberIndexChannel];
    const result = await finishRebuild.run(this.redis, keys, this.database, epoch, numberChannel, ...index);
    if (result === 'foreign') throw new ForeignRedis();
  }

  /** Sum of the revisions in Redis; undefined when Redis is not this database's, or an earlier release wrote it without an index. */
  async total(): Promise<number | undefined> {
    const replies = await this.redis
      .pipeline()
      .hmget(projectionKey, 'database', 'total')
      // A Redis without the counter lost more than that: edges could not tell deleted numbers from lost ones.
      .exists(numberRevisionKey)
      .get(numberIndexVersionKey)
      .exec();
    const [projection, counter, version] = (replies ?? []).map(([error, reply]) => {
      if (error !== null) throw error;
      return reply;
    });
    const [database, total] = projection as [string | null, string | null];
    const isComplete = counter === 1 && version === numberIndexVersion;
    return database === this.database && isComplete ? Number(total) : undefined;
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
