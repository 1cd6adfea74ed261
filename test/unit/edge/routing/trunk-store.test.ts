import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import type { Redis } from '../../../../src/base/redis.js';
import { readEdgeSettings } from '../../../../src/config/edge-settings.js';
import { numberChannel, numberKey } from '../../../../src/contract/keys.js';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import { TrunkStore } from '../../../../src/edge/routing/trunk-store.js';

/** The part of a Redis connection that the store uses; replies wait until the test gives them. */
class HeldRedis extends EventEmitter {
  readonly status = 'ready';
  readonly asked: { answer: (values: (string | null)[]) => void; fail: () => void }[] = [];
  readonly subscriber = new EventEmitter();
  keys: string[] = [];

  duplicate(): unknown {
    return Object.assign(this.subscriber, {
      subscribe: async () => 1,
      ping: async () => 'PONG',
      disconnect: () => {},
    });
  }

  async scan(): Promise<[string, string[]]> {
    return ['0', this.keys];
  }

  mget(): Promise<(string | null)[]> {
    return new Promise((resolve, reject) => {
      this.asked.push({ answer: resolve, fail: () => reject(new Error('connection lost')) });
    });
  }

  change(number: string): void {
    this.subscriber.emit('message', numberChannel, number);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'demarc-trunks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const settings = {
  ...readEdgeSettings({ DEMARC_TLS_CERT: 'c', DEMARC_TLS_KEY: 'k' }).trunks,
  keptFile: join(directory, 'never-stopped'),
};
const number = '14155550100';
const raw = (organization: string): string =>
  JSON.stringify(
    numberDocumentSchema.parse({ version: 1, number, organization, updated_at: '2026-01-01T00:00:00Z' }),
  );
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let redis: HeldRedis;
let store: TrunkStore;
let now: number;

beforeEach(async () => {
  now = 1_000;
  redis = new HeldRedis();
  store = new TrunkStore({
    settings,
    redis: redis as unknown as Redis,
    edge: 'edge',
    log: createLog({ level: 'silent', role: 'edge', edge: 'test' }),
    now: () => now,
  });
  await store.start();
  redis.subscriber.emit('ready');
  await turn();
});

async function find(): Promise<string | undefined> {
  return (await store.find(number))?.organization;
}

async function knows(organization: string): Promise<void> {
  const found = find();
  redis.asked.at(-1)!.answer([raw(organization), '1']);
  expect(await found).toBe(organization);
}

it.each([number, '*'])('an answer that a change (%s) overtook is not believed', async (changed) => {
  const found = find();
  redis.change(changed);
  redis.asked[0]!.answer([raw('before'), '1']);
  await turn();
  expect(redis.asked).toHaveLength(2);
  redis.asked[1]!.answer([raw('after'), '1']);
  expect(await found).toBe('after');
  expect(await find()).toBe('after');
  expect(redis.asked).toHaveLength(2);
});

it.each([number, '*'])('"there is none" that a change (%s) overtook is not believed', async (changed) => {
  const found = find();
  redis.change(changed);
  redis.asked[0]!.answer([null, '1']);
  await turn();
  redis.asked[1]!.answer([raw('new'), '1']);
  expect(await found).toBe('new');
});

it.each([number, '*'])('does not use what it read ahead before a change (%s)', async (changed) => {
  redis.keys = [numberKey(number)];
  redis.subscriber.emit('ready');
  await turn();
  redis.change(changed);
  redis.asked[0]!.answer(['1', raw('before')]);
  await turn();
  const found = find();
  redis.asked[1]!.answer([raw('after'), '1']);
  expect(await found).toBe('after');
});

it('a call that begins after a change does not share the reading from before it', async () => {
  await knows('before');
  redis.change(number);
  const early = find();
  redis.change(number);
  const late = find();
  expect(redis.asked).toHaveLength(3);
  redis.asked[2]!.answer([raw('after'), '1']);
  expect(await late).toBe('after');
  redis.asked[1]!.answer([raw('between'), '1']);
  await turn();
  for (const asked of redis.asked.slice(3)) asked.answer([raw('after'), '1']);
  expect(await early).toBe('after');
});

it.each([
  ['of the number, as control confirmed it', number, 'after'],
  ['of any number', '*', 'before'],
])('a slow Redis after a change %s', async (_, changed, expected) => {
  await knows('before');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    redis.change(changed);
    const found = find();
    await vi.advanceTimersByTimeAsync(2 * settings.waitMilliseconds);
    redis.asked.at(-1)!.answer([raw('after'), '1']);
    expect(await found).toBe(expected);
  } finally {
    vi.useRealTimers();
  }
});

it('a reading that fails is answered from memory, and tried again at the next call', async () => {
  await knows('good');
  redis.change(number);
  const found = find();
  redis.asked[1]!.fail();
  expect(await found).toBe('good');
  const again = find();
  redis.asked[2]!.answer([raw('better'), '1']);
  expect(await again).toBe('better');
});

it('an old document is compared with Redis in the background, without making the call wait', async () => {
  await knows('old');
  now += settings.revalidateMilliseconds + 1;
  expect(await find()).toBe('old');
  expect(redis.asked).toHaveLength(2);
  redis.asked[1]!.answer([raw('new'), '1']);
  await turn();
  expect(await find()).toBe('new');
  expect(redis.asked).toHaveLength(2);
});

it('an unknown number is looked up again only after a while', async () => {
  const found = find();
  redis.asked[0]!.answer([null, '1']);
  expect(await found).toBeUndefined();
  expect(await find()).toBeUndefined();
  expect(redis.asked).toHaveLength(1);
  now += settings.negativeMilliseconds;
  const again = find();
  expect(redis.asked).toHaveLength(2);
  redis.asked[1]!.answer([null, '1']);
  expect(await again).toBeUndefined();
});

it('a lost document (no revision) is kept, a deleted one is removed', async () => {
  await knows('good');
  redis.change('*');
  const kept = find();
  redis.asked[1]!.answer([null, null]);
  expect(await kept).toBe('good');
  redis.change('*');
  const gone = find();
  redis.asked[2]!.answer([null, '5']);
  expect(await gone).toBeUndefined();
});

it('a named change makes an absent document a deletion, with or without revision', async () => {
  await knows('good');
  redis.change(number);
  const found = find();
  redis.asked[1]!.answer([null, null]);
  expect(await found).toBeUndefined();
});

it('keeps on disk the last good document of each number, and none of a number that never had one', async () => {
  const keptFile = join(directory, 'stopped');
  const kept = new TrunkStore({
    settings: { ...settings, keptFile },
    redis: redis as unknown as Redis,
    edge: 'edge',
    log: createLog({ level: 'silent', role: 'edge', edge: 'test' }),
    now: () => now,
  });
  await kept.start();
  redis.subscriber.emit('ready');
  await turn();
  const answerTo = async (digits: string, text: string) => {
    const found = kept.find(digits);
    redis.asked.at(-1)!.answer([text, '1']);
    return (await found)?.organization;
  };
  expect(await answerTo(number, raw('good'))).toBe('good');
  await expect(answerTo('14155550101', '{"version": 1}')).rejects.toThrow('malformed');
  redis.change(number);
  expect(await answerTo(number, '{"version": 1}')).toBe('good');
  await kept.stop();
  const lines = readFileSync(keptFile, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.indexOf(' ')))).toEqual([number]);
  expect(JSON.parse(lines[0]!.slice(number.length))).toMatchObject({ organization: 'good' });
});
