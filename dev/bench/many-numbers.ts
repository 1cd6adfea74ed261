import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { numberKey } from '../../src/contract/keys.js';
import { numberDocumentSchema } from '../../src/contract/number.js';
import { type DemarcSystem, number } from './demarc-system.js';

const documentsAtOnce = 5_000;
/** How many of the numbers the callers dial, in random order. */
const dialled = 10_000;

const nth = (index: number): string => String(1_300_000_0000 + index);

/**
 * Writes documents of that many numbers, copies of the attached one, as the projection does.
 * @returns a file of numbers for SIPp
 */
export async function configureNumbers(
  system: DemarcSystem,
  count: number,
  directory: string,
): Promise<string> {
  const redis = new Redis(system.redisUrl);
  try {
    const document = numberDocumentSchema.parse(JSON.parse((await redis.get(numberKey(number))) ?? '{}'));
    for (let from = 0; from < count; from += documentsAtOnce) {
      const pairs: string[] = [];
      for (let index = from; index < Math.min(count, from + documentsAtOnce); index++) {
        pairs.push(numberKey(nth(index)), JSON.stringify({ ...document, number: nth(index) }));
      }
      await redis.mset(pairs);
    }
    await foldAppendOnlyFile(redis);
  } finally {
    redis.disconnect();
  }
  const file = join(directory, `numbers-${count}.csv`);
  const step = Math.max(1, Math.floor(count / dialled));
  const rows = Array.from({ length: Math.min(count, dialled) }, (_, i) => `${nth(i * step)};\n`);
  writeFileSync(file, `RANDOM\n${rows.join('')}`);
  return file;
}

/**
 * Redis rewrites a file that has doubled, also after a restart, in a child process whose CPU time counts as that of Redis: seconds
 * for a million documents, and milliseconds for each call of a step that it falls into.
 */
async function foldAppendOnlyFile(redis: Redis): Promise<void> {
  const settled = async (): Promise<void> => {
    while (/aof_rewrite_(in_progress|scheduled):1/.test(await redis.info('persistence'))) await sleep(100);
  };
  await settled();
  await redis.bgrewriteaof();
  await settled();
}
