import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAfter, StreamGroup } from '../../../src/base/stream.js';
import { until } from '../../../src/testkit/waiting.js';
import { PrivateRedis } from './private-redis.js';

let server: PrivateRedis;
beforeAll(async () => {
  server = await PrivateRedis.start();
});
afterAll(() => server?.stop());

const bounds = { count: 2, blockMilliseconds: 20 };

it('a group gives an entry to one member, and to another one when that one does not acknowledge it', async () => {
  const redis = server.client();
  const member = (name: string): StreamGroup =>
    new StreamGroup({
      ...bounds,
      redis,
      reader: redis,
      stream: 'orders',
      field: 'command',
      group: 'edges',
      member: name,
      takeOverMilliseconds: 50,
    });
  const dead = member('dead');
  const heir = member('heir');
  try {
    await once(redis, 'ready');
    expect(await dead.read()).toEqual([]);
    for (const text of ['1', '2', '3']) await redis.xadd('orders', '*', 'command', text);
    const taken = await dead.read();
    expect(taken.map(({ json }) => json)).toEqual(['1', '2']);
    await dead.acknowledge(taken.slice(0, 1));
    expect((await heir.read()).map(({ json }) => json)).toEqual(['3']);
    const takenOver: unknown[] = [];
    await until(
      async () => {
        for await (const batch of heir.takeOver()) {
          takenOver.push(...batch.map(({ json }) => json));
          await heir.acknowledge(batch);
        }
        return takenOver.includes('2');
      },
      5_000,
      'the entry of the dead member is taken over',
    );
    expect(takenOver).not.toContain('1');
    // Emptied, Redis has no group any more: it is created again, and nothing is lost that comes after.
    await redis.flushall();
    expect(await heir.read()).toEqual([]);
    await redis.xadd('orders', '*', 'other', 'x');
    expect(await heir.read()).toMatchObject([{ json: undefined }]);
  } finally {
    redis.disconnect();
  }
});

it('entries are read after a position, and not while Redis is down', async () => {
  const redis = server.client();
  const first = await redis.xadd('moments', '*', 'moment', 'a');
  await redis.xadd('moments', '*', 'other', 'x', 'moment', 'b');
  const from = { stream: 'moments', field: 'moment', position: first! };
  expect((await readAfter(redis, from, bounds)).map(({ json }) => json)).toEqual(['b']);
  redis.disconnect();
  await once(redis, 'end');
  await expect(readAfter(redis, from, bounds)).rejects.toThrow('Redis is down');
});
