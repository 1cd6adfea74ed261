import { randomUUID } from 'node:crypto';
import type { Redis } from '../../src/base/redis.js';
import {
  numberBarrierChannel,
  numberChannel,
  numberConfirmationsKey,
  numberKey,
  numberRevisionKey,
} from '../../src/contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../src/contract/number.js';
import {
  indexedRegistrationsKey,
  indexedServersKey,
  indexedServerUsesKey,
  indexOf,
  numberIndexChannel,
  numberIndexKey,
  numberIndexVersion,
  numberIndexVersionKey,
  registrationNumbersKey,
} from '../../src/contract/number-index.js';
import { pause } from '../../src/testkit/waiting.js';

const confirmationMilliseconds = 1_000;

/** Gives a number of acme's a document; fields replace the usual ones. Resolves when all running edges know of the change. */
export async function configureNumber(
  redis: Redis,
  number: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  await new NumberWriter(redis).put({
    version: 1,
    number,
    organization: 'acme',
    updated_at: new Date().toISOString(),
    ...fields,
  } as NumberDocument);
  await edgesConfirm(redis);
}

/**
 * A call does not pass through Redis, and may reach an edge earlier than the notice of a change. An edge that was killed, or is silent, is
 * awaited for as long as control does, a second.
 */
async function edgesConfirm(redis: Redis): Promise<void> {
  const token = randomUUID();
  const edges = await redis.publish(numberBarrierChannel, token);
  const end = performance.now() + confirmationMilliseconds;
  while ((await redis.scard(numberConfirmationsKey(token))) < edges && performance.now() < end)
    await pause(5);
}

/** Writes number documents the way edges expect it: document, index, revision and notice in one transaction. One writer at a time. */
export class NumberWriter {
  constructor(private readonly redis: Redis) {}

  async put(document: NumberDocument): Promise<void> {
    await this.commit(
      (transaction) => transaction.set(numberKey(document.number), JSON.stringify(document)),
      document.number,
      numberDocumentSchema.safeParse(document).data,
    );
  }

  /** False when there was none. */
  async delete(digits: string): Promise<boolean> {
    const results = await this.commit((transaction) => transaction.del(numberKey(digits)), digits);
    return results[0] === 1;
  }

  /** The stored JSON, unchecked. */
  get(digits: string): Promise<string | null> {
    return this.redis.get(numberKey(digits));
  }

  private async commit(
    change: (transaction: ReturnType<Redis['multi']>) => unknown,
    digits: string,
    document?: NumberDocument,
  ): Promise<unknown[]> {
    const transaction = this.redis.multi();
    change(transaction);
    await this.index(transaction, digits, document);
    transaction.incr(numberRevisionKey).publish(numberChannel, digits);
    const results = await transaction.exec();
    if (results === null) throw new Error('Redis refused the transaction.');
    return results.map(([error, result]) => {
      if (error !== null) throw error;
      return result;
    });
  }

  private async index(
    transaction: ReturnType<Redis['multi']>,
    digits: string,
    document: NumberDocument | undefined,
  ): Promise<void> {
    const { entries, servers } = indexOf(document);
    const before = JSON.parse((await this.redis.hget(numberIndexKey, digits)) ?? '[]') as string[];
    for (const entry of before.filter((kept) => !entries.includes(kept))) {
      const [kind, id] = entry.split(' ') as [string, string];
      if (kind === 'r') transaction.zrem(registrationNumbersKey(id), digits);
      else {
        transaction.hincrby(indexedServerUsesKey, id, -1);
        if ((await this.redis.hget(indexedServerUsesKey, id)) === '1')
          transaction.hdel(indexedServersKey, id);
      }
    }
    for (const entry of entries.filter((entry) => !before.includes(entry))) {
      const [kind, id, moment] = entry.split(' ') as [string, string, string];
      if (kind === 'r') {
        transaction.zadd(registrationNumbersKey(id), moment, digits).sadd(indexedRegistrationsKey, id);
      } else transaction.hincrby(indexedServerUsesKey, id, 1).hset(indexedServersKey, id, servers[id]!);
    }
    transaction
      .hset(numberIndexKey, digits, JSON.stringify(entries))
      .set(numberIndexVersionKey, numberIndexVersion)
      .publish(numberIndexChannel, '*');
  }
}
