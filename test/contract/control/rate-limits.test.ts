import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/control/organizations/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

/** Of one address in a minute. */
const logins = 40;
const wrongKeys = 60;

let bench: ControlBench;
let firstApi: ApiUnderTest;
let otherApi: ApiUnderTest;

beforeAll(async () => {
  bench = await ControlBench.start();
  const environment = {
    DEMARC_LOGINS_PER_MINUTE: String(logins),
    DEMARC_API_WRONG_KEYS_PER_MINUTE: String(wrongKeys),
  };
  firstApi = await startApi(bench, environment);
  otherApi = await startApi(bench, environment);
});
afterAll(async () => {
  await firstApi?.stop();
  await otherApi?.stop();
  await bench?.stop();
});
afterEach(async () => {
  // As if the minute were over, for what both count together.
  const client = bench.redis.client();
  const keys = await client.keys('demarc:rate:*');
  if (keys.length > 0) await client.del(...keys);
  client.disconnect();
});

const login = async (api: ApiUnderTest): Promise<number> => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ api_key: 'nonsense' });
  return (await fetch(`${api.url}/v1/session`, { method: 'POST', headers, body })).status;
};
const wrongKey = async (api: ApiUnderTest): Promise<number> =>
  (await api.get('/v1/sip/firewall-ips', 'nonsense')).status;

describe('rate limits of several control processes', () => {
  it.each([
    ['logins', login, logins],
    ['requests with wrong keys', wrongKey, wrongKeys],
  ] as const)('hold for all together: %s', async (_what, ask, limit) => {
    for (let request = 0; request < limit; request++) await ask(firstApi);
    let asked = 0;
    const next = (): Promise<number> => {
      asked += 1;
      return ask(otherApi);
    };
    // A process that lost sight of Redis counts alone for a second.
    await expect.poll(next, { interval: 100, timeout: 20_000 }).toBe(429);
    // Alone it would allow that many.
    expect(asked).toBeLessThanOrEqual(limit);
  });

  it('are counted separately per kind', async () => {
    const { key } = await createKey(bench.database, bench.organization, 'test');
    const fresh = await startApi(bench, { DEMARC_LOGINS_PER_MINUTE: '1' });
    try {
      await until(async () => (await login(fresh)) === 429, 5_000, 'logins are too many');
      expect(await wrongKey(fresh)).toBe(401);
      expect((await fresh.get('/v1/sip/firewall-ips', key)).status).toBe(200);
    } finally {
      await fresh.stop();
    }
  });
});

describe('rate limits without Redis', () => {
  it.each(['is down', 'hangs'] as const)('are counted per process while Redis %s', async (how) => {
    const limit = 5;
    const alone = await startApi(bench, { DEMARC_LOGINS_PER_MINUTE: String(limit) });
    try {
      if (how === 'hangs') bench.redis.hang();
      else await bench.redis.kill();
      const statuses: number[] = [];
      const from = performance.now();
      for (let attempt = 0; attempt < limit + 2; attempt++) statuses.push(await login(alone));
      // On a busy machine time passes, and more are allowed again.
      const again = Math.floor((limit * (performance.now() - from)) / 60_000);
      expect(statuses.slice(0, limit)).toEqual(Array(limit).fill(401));
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2 - again);
    } finally {
      if (how === 'hangs') bench.redis.resume();
      else await bench.redis.up();
      const client = bench.redis.client();
      await until(async () => (await client.ping().catch(() => '')) === 'PONG', 10_000, 'Redis is back');
      client.disconnect();
      await alone.stop();
    }
  });

  it('do not wait for a Redis that hangs, and count together again when it is back', async () => {
    const { key } = await createKey(bench.database, bench.organization, 'test');
    const client = bench.redis.client();
    try {
      bench.redis.hang();
      const watch = Stopwatch.start();
      for (let request = 0; request < 50; request++) {
        expect((await firstApi.get('/v1/sip/firewall-ips', key)).status).toBe(200);
      }
      // As many waits for a command of Redis would be a hundred seconds.
      expect(watch.milliseconds).toBeLessThan(watch.bound(20_000));
      bench.redis.resume();
      await until(
        async () => {
          await firstApi.get('/v1/sip/firewall-ips', key);
          return (await client.keys('demarc:rate:key *').catch(() => [])).length > 0;
        },
        15_000,
        'Redis counts again',
      );
    } finally {
      client.disconnect();
    }
  });
});
