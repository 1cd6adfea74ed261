import type { Redis } from '../../src/base/redis.js';
import { numberChannel, numberKey, numberRevisionKey } from '../../src/contract/keys.js';
import type { NumberDocument } from '../../src/contract/number.js';

/** Gives a number of acme's a document; fields replace the usual ones. */
export const configureNumber = (
  redis: Redis,
  number: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> =>
  new NumberWriter(redis).put({
    version: 1,
    number,
    organization: 'acme',
    updated_at: new Date().toISOString(),
    ...fields,
  } as NumberDocument);

/** Writes number documents the way edges expect it: document, revision and notice in one transaction. */
export class NumberWriter {
  constructor(private readonly redis: Redis) {}

  async put(document: NumberDocument): Promise<void> {
    await this.commit(
      (transaction) => transaction.set(numberKey(document.number), JSON.stringify(document)),
      document.number,
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
  ): Promise<unknown[]> {
    const transaction = this.redis.multi();
    change(transaction);
    transaction.incr(numberRevisionKey).publish(numberChannel, digits);
    const results = await transaction.exec();
    if (results === null) throw new Error('Redis refused the transaction.');
    return results.map(([error, result]) => {
      if (error !== null) throw error;
      return result;
    });
  }
}
