import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisScript } from '../../../src/base/redis-script.js';
import { PrivateRedis } from './private-redis.js';

let server: PrivateRedis;
let redis: Redis;
let directory: string;
let count: RedisScript<[counter: string]>;

beforeAll(async () => {
  server = await PrivateRedis.start();
  redis = server.client();
  directory = mkdtempSync(join(tmpdir(), 'demarc-lua-'));
  writeFileSync(join(directory, 'sum.lua'), 'local function sum(a, b) return a + b end\n');
  writeFileSync(
    join(directory, 'count.lua'),
    `local count = sum(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1]))
    redis.call('SET', KEYS[1], count)
    return count`,
  );
  const module = pathToFileURL(join(directory, 'owner.js')).href;
  count = new RedisScript('countInTest', module, ['sum.lua', 'count.lua']);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** How often the server was asked to run a script by its text and by its SHA-1. */
async function asked(): Promise<{ eval: number; evalsha: number }> {
  const text = await redis.info('commandstats');
  const calls = (name: string): number =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(text)?.[1] ?? 0);
  return { eval: calls('eval'), evalsha: calls('evalsha') };
}

it('a script travels as text once a connection, then by its SHA-1', async () => {
  expect(await count.run(redis, ['a'], 1)).toBe(1);
  expect(await count.run(redis, ['a'], 2)).toBe(3);
  const calls = [1, 1, 1].map((value) => ({ keys: ['a'] as [string], values: [value] }));
  expect(await count.runEach(redis, calls)).toEqual([
    [null, 4],
    [null, 5],
    [null, 6],
  ]);
  expect(await asked()).toEqual({ eval: 1, evalsha: 4 });
});

it('a script that Redis no longer has is sent again', async () => {
  await redis.script('FLUSH');
  expect(await count.run(redis, ['b'], 1)).toBe(1);
  await redis.script('FLUSH');
  const calls = [1, 1].map((value) => ({ keys: ['b'] as [string], values: [value] }));
  const answers = await count.runEach(redis, calls);
  expect(answers.map(([error]) => error)).toEqual([null, null]);
  expect(await redis.get('b')).toBe('3');
});

it('an error of the script is the answer of its call alone', async () => {
  await redis.set('word', 'no number');
  const calls = ['word', 'c'].map((key) => ({ keys: [key] as [string], values: [1] }));
  const [failed, counted] = await count.runEach(redis, calls);
  expect(failed![0]).toBeInstanceOf(Error);
  expect(counted).toEqual([null, 1]);
});
