import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog, type Logger } from '../../../src/base/log.js';
import { connectRedis, type Redis } from '../../../src/base/redis.js';
import { readEdgeSettings, type TrunkSettings } from '../../../src/config/edge-settings.js';
import { numberChannel, numberKey } from '../../../src/contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../../src/contract/number.js';
import { TrunkStore } from '../../../src/edge/routing/trunk-store.js';
import { until } from '../../../src/testkit/waiting.js';
import { NumberWriter } from '../../support/number-writer.js';
import { stays } from '../../support/stays.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { PrivateRedis } from './private-redis.js';

/** Long enough to tell it from an answer that is given at once on a busy machine. */
const waitMilliseconds = 1_000;
const { trunks } = readEdgeSettings({
  DEMARC_TLS_CERT: 'c',
  DEMARC_TLS_KEY: 'k',
  DEMARC_TRUNK_WAIT_MS: String(waitMilliseconds),
});

const numbered = (number: string, organization = 'acme'): NumberDocument =>
  numberDocumentSchema.parse({ version: 1, number, organization, updated_at: '2026-01-01T00:00:00Z' });

let server: PrivateRedis;
let client: Redis;
let connection: Redis;
let writer: NumberWriter;
let store: TrunkStore;
let lines: string[];
let log: Logger;

beforeEach(async () => {
  server = await PrivateRedis.start();
  client = server.client();
  writer = new NumberWriter(client);
  lines = [];
  log = createLog(
    { level: 'info', role: 'edge', edge: 'test' },
    {
      write: (line: string) => void lines.push(line),
    },
  );
  connection = connectRedis(server.url, log, 'demarc-edge', { socketTimeout: 3_000 });
  store = newStore();
});

const newStore = (changes: Partial<TrunkSettings> = {}): TrunkStore => {
  const settings = { ...trunks, keptFile: keptFile(), keepMilliseconds: 50, ...changes };
  return new TrunkStore({ settings, redis: connection, edge: 'edge', log });
};

afterEach(async () => {
  await store.stop();
  connection.disconnect();
  client.disconnect();
  await server.stop();
});

const ready = () => until(() => store.state().detail.startsWith('connected'), 5_000, 'connection');
const keptFile = (): string => join(server.directory, 'numbers-kept');
const kept = (): string => readFileSync(keptFile(), { encoding: 'utf8', flag: 'a+' });
const organizationOf = async (user: string) => (await store.find(user))?.organization;

async function startStore(): Promise<void> {
  await store.start();
  await ready();
}

describe('reading', () => {
  it('finds a number in any spelling, and recognises one that does not exist', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('+1-415-555-0100')).toBe('acme');
    expect(await store.find('14155550199')).toBeUndefined();
    expect(await store.find('alice')).toBeUndefined();
  });

  it('reads Redis once for many calls to the same new number', async () => {
    await startStore();
    await client.set(numberKey('14155550100'), JSON.stringify(numbered('14155550100')));
    await client.config('RESETSTAT');
    const found = await Promise.all(Array.from({ length: 100 }, () => store.find('14155550100')));
    expect(found.every((document) => document?.organization === 'acme')).toBe(true);
    expect(await client.info('commandstats')).toContain('cmdstat_mget:calls=1,');
  });

  it('sees a change, a new number and a deletion at once', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await store.find('14155550111')).toBeUndefined();
    await writer.put(numbered('14155550111', 'new'));
    await until(async () => (await organizationOf('14155550111')) === 'new', 1_000, 'new number');
    await writer.put(numbered('14155550100', 'changed'));
    await until(async () => (await organizationOf('14155550100')) === 'changed', 1_000, 'change');
    await writer.delete('14155550100');
    await until(async () => (await store.find('14155550100')) === undefined, 1_000, 'deletion');
  });

  it('takes * for a change of everything', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    await client.set(numberKey('14155550100'), JSON.stringify(numbered('14155550100', 'silent')));
    expect(await organizationOf('14155550100')).toBe('acme');
    await client.publish(numberChannel, '*');
    await until(async () => (await organizationOf('14155550100')) === 'silent', 1_000, 'change');
  });

  it('never serves a document older than the last change, however reads and changes overlap', async () => {
    await writer.put(numbered('14155550100', 'v0'));
    await startStore();
    for (let version = 1; version <= 200; version++) {
      const before = store.find('14155550100');
      await writer.put(numbered('14155550100', `v${version}`));
      await before;
    }
    await until(async () => (await organizationOf('14155550100')) === 'v200', 1_000, 'last version');
  });
});

describe('a malformed document', () => {
  it.each([
    ['no JSON', '{"version":1,'],
    ['unknown field', JSON.stringify({ ...numbered('14155550100'), surprise: 1 })],
    ['another number', JSON.stringify(numbered('14155550199'))],
    [
      'a range that covers everything',
      JSON.stringify({ ...numbered('14155550100'), inbound: [{ id: 'x', allowed_sources: ['0.0.0.0/0'] }] }),
    ],
  ])('(%s) is ignored, reported once, and the last good one stays', async (_name, bad) => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    await client.set(numberKey('14155550100'), bad);
    await client.publish(numberChannel, '14155550100');
    await until(
      async () => {
        await store.find('14155550100');
        return store.problems().length === 1;
      },
      1_000,
      'problem',
    );
    for (let i = 0; i < 5; i++) {
      await client.publish(numberChannel, '14155550100');
      expect(await organizationOf('14155550100')).toBe('acme');
    }
    expect(store.problems()).toMatchObject([{ number: '14155550100', servesEarlier: true }]);
    expect(store.malformed).toBe(1);
    expect(lines.filter((line) => line.includes('malformed'))).toHaveLength(1);
    await writer.put(numbered('14155550100', 'repaired'));
    await until(async () => (await organizationOf('14155550100')) === 'repaired', 1_000, 'repair');
    expect(store.problems()).toEqual([]);
  });

  it('without an earlier copy is an internal error (503), not an unknown number', async () => {
    await client.set(numberKey('14155550100'), 'nonsense');
    await startStore();
    await expect(store.find('14155550100')).rejects.toMatchObject({ code: 'configuration_unavailable' });
  });

  it('does not show its content in log or problem', async () => {
    const bad = {
      ...numbered('14155550100'),
      inbound: [{ id: 'x', credentials: [{ username: 'u', password: 'hunter2' }] }],
    };
    await client.set(numberKey('14155550100'), JSON.stringify(bad));
    await startStore();
    await store.find('14155550100').catch(() => {});
    expect(lines.join('')).toContain('inbound.0.credentials.0.password');
    expect(lines.join('') + JSON.stringify(store.problems())).not.toContain('hunter2');
  });
});

describe('without Redis', () => {
  it('serves known numbers at once, and answers 503 for others', async () => {
    await writer.put(numbered('14155550100'));
    await writer.put(numbered('14155550101'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    // The other was never asked for; it was read ahead.
    await until(() => store.state().detail.includes('2 numbers'), 2_000, 'reading ahead');
    await server.kill();
    await until(() => !store.isConnected, 3_000, 'loss');
    const watch = Stopwatch.start();
    expect(await organizationOf('14155550100')).toBe('acme');
    expect(await organizationOf('14155550101')).toBe('acme');
    await expect(store.find('14155550102')).rejects.toMatchObject({ code: 'configuration_unavailable' });
    // Redis was not asked, which would have taken the bound.
    expect(watch.milliseconds).toBeLessThan(watch.bound(waitMilliseconds));
    expect(store.state()).toMatchObject({ ready: true });
  });

  it('uses the last good copies when Redis comes back empty, until it is repopulated', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    await server.kill();
    await until(() => !store.isConnected, 3_000, 'loss');
    await server.up();
    await ready();
    expect(await organizationOf('14155550100')).toBe('acme');
    await writer.put(numbered('14155550101'));
    await client.publish(numberChannel, '*');
    await until(async () => (await store.find('14155550100')) === undefined, 2_000, 'number gone');
  });

  it('takes up changes made while it was not connected', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    await server.kill();
    await server.up();
    await writer.put(numbered('14155550100', 'later'));
    await ready();
    await until(async () => (await organizationOf('14155550100')) === 'later', 3_000, 'change');
  });

  it('notices a deletion made while its subscription was broken', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    const transaction = client.multi().del(numberKey('14155550100'));
    await transaction.call('CLIENT', 'KILL', 'TYPE', 'pubsub').exec();
    // Nothing is looked up until the subscription is back: a look-up meanwhile would ask Redis anyway.
    await until(() => !store.state().detail.startsWith('connected'), 3_000, 'broken subscription');
    await ready();
    expect(await store.find('14155550100')).toBeUndefined();
  });

  it('starts without Redis, is not ready, and becomes so', async () => {
    await server.kill();
    await store.start();
    expect(store.state().ready).toBe(false);
    await expect(store.find('14155550100')).rejects.toMatchObject({ code: 'configuration_unavailable' });
    await server.up();
    await ready();
    expect(store.state().ready).toBe(true);
    expect(lines.filter((line) => line.includes('Redis is unreachable')).length).toBeLessThanOrEqual(1);
  });

  it('starts without Redis from an earlier process’s copies, and uses Redis again once it is up', async () => {
    await writer.put(numbered('14155550100'));
    await writer.put(numbered('14155550111'));
    await startStore();
    await until(() => kept().split('\n').length === 3, 2_000, 'kept numbers');
    await store.stop();
    await server.kill();
    writeFileSync(keptFile(), `${kept()}14155550199 {"half\n`);
    store = newStore();
    await store.start();
    expect(store.state()).toEqual({ ready: true, detail: 'down, serving 2 numbers from memory' });
    expect(await organizationOf('14155550100')).toBe('acme');
    await expect(store.find('14155550199')).rejects.toMatchObject({ code: 'configuration_unavailable' });
    await server.up();
    await writer.put(numbered('14155550100', 'later'));
    await ready();
    expect(await organizationOf('14155550100')).toBe('later');
    expect(await store.find('14155550111')).toBeUndefined();
    await until(() => !kept().includes('14155550111') && kept().includes('later'), 2_000, 'kept numbers');
  });

  it('waits longer than its bound for a number of which there is no copy', async () => {
    await writer.put(numbered('14155550100'));
    store = newStore({ waitMilliseconds: 20 });
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    await writer.put(numbered('14155550122'));
    server.hang();
    let isFound = false;
    const found = organizationOf('14155550122').finally(() => {
      isFound = true;
    });
    await stays(() => expect(isFound).toBe(false), 400);
    server.resume();
    expect(await found).toBe('acme');
  });

  it('never holds a call longer than its bound when Redis hangs', async () => {
    await writer.put(numbered('14155550100'));
    await startStore();
    expect(await organizationOf('14155550100')).toBe('acme');
    server.hang();
    const watch = Stopwatch.start();
    expect(await organizationOf('14155550100')).toBe('acme');
    expect(watch.milliseconds).toBeLessThan(watch.bound(waitMilliseconds));
    await expect(store.find('14155550177')).rejects.toMatchObject({ code: 'configuration_unavailable' });
    expect(watch.milliseconds).toBeGreaterThan(waitMilliseconds - 10);
    expect(watch.milliseconds).toBeLessThan(watch.bound(3 * waitMilliseconds));
    server.resume();
    await until(
      async () => (await store.find('14155550177').catch(() => 'away')) === undefined,
      8_000,
      'recovery',
    );
  });
});
