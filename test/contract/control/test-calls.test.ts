import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callCommandSchema } from '../../../src/contract/commands.js';
import { commandStream, orderedCallKey, readyEdgesKey } from '../../../src/contract/keys.js';
import {
  orderedCallOf,
  type TestCall,
  testCallKey,
  testCallsOfKey,
} from '../../../src/contract/test-call.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import { type Answer, type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const number = '+14155550401';
const inboundOnly = '+14155550402';
let bench: ControlBench;
let api: ApiUnderTest;
let client: Redis;
let key: string;
let otherKey: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  client = bench.redis.client();
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const attach = (phone_number: string, direction: object) =>
    api.post('/v1/sip/attach', key, { phone_number, directions: [direction], service: 'sip' });
  await attach(number, { type: 'outbound', sip_endpoint: 'sip:pbx.example.com' });
  await attach(inboundOnly, { type: 'inbound', allowed_ips: ['192.0.2.1'] });
}, 180_000);

afterAll(async () => {
  client?.disconnect();
  await api?.stop();
  await bench?.stop();
});

beforeEach(async () => {
  await client.flushall();
  await client.zadd(readyEdgesKey, Date.now() + 60_000, 'edge');
});

const order = (phone_number: string, by = key): Promise<Answer> =>
  api.post('/v1/sip/test-call', by, { phone_number });
const statusOf = (id: string, by = key): Promise<Answer> =>
  api.get(`/v1/sip/test-call/status?call_id=${id}`, by);

/** As if the order had been made that long ago. */
async function age(id: string, milliseconds: number): Promise<void> {
  const test = JSON.parse((await client.get(testCallKey(id)))!) as TestCall;
  const created = new Date(Date.parse(test.created_at) - milliseconds).toISOString();
  await client.set(testCallKey(id), JSON.stringify({ ...test, created_at: created }));
}

describe('POST /v1/sip/test-call', () => {
  it('gives the edges an order for the number itself, and waits for one of them', async () => {
    const ordered = await order(number);
    expect(ordered.status).toBe(200);
    expect(ordered.body.data).toEqual({
      call_id: expect.stringMatching(/^tc_[0-9a-f-]{36}$/),
      message: expect.stringContaining(number),
    });
    const id = ordered.body.data.call_id;
    const [[, [, json]]] = (await client.xrange(commandStream, '-', '+')) as [[string, [string, string]]];
    expect(callCommandSchema.parse(JSON.parse(json))).toMatchObject({
      call_id: orderedCallOf(id),
      number: number.slice(1),
      phone_number: number.slice(1),
      test: true,
    });
    const { body } = await statusOf(id);
    expect(body.data).toMatchObject({
      call_id: id,
      phone_number: number,
      status: 'queued',
      result: 'pending',
      duration_seconds: 0,
      timeline: [{ event: 'queued' }],
    });
  });

  it('allows an organization ten in fifteen minutes, and reports when the next is allowed', async () => {
    for (let count = 0; count < 10; count++) expect((await order(number)).status).toBe(200);
    const refused = await order(number);
    expect([refused.status, refused.body.errors[0].error]).toEqual([429, 'TEST_CALL_LIMIT']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(840);
    expect(wait).toBeLessThanOrEqual(900);
    expect(await client.xlen(commandStream)).toBe(10);
    // The first one was nearly fifteen minutes ago.
    const [first] = await client.zrange(testCallsOfKey(bench.organization), 0, '0');
    await client.zadd(testCallsOfKey(bench.organization), String(Date.now() - 880_000), first!);
    expect(Number((await order(number)).headers.get('retry-after'))).toBeLessThanOrEqual(20);
    await client.zadd(testCallsOfKey(bench.organization), String(Date.now() - 900_001), first!);
    expect((await order(number)).status).toBe(200);
    expect((await order(number)).status).toBe(429);
  });

  it('does not count refused orders', async () => {
    for (const text of [inboundOnly, '+14155550499', 'nobody', '']) {
      expect([text, (await order(text)).status]).toEqual([text, 400]);
    }
    expect((await order(number, otherKey)).status).toBe(400);
    const more = { phone_number: number, to: '+1' };
    expect((await api.post('/v1/sip/test-call', key, more)).status).toBe(400);
    await client.del(readyEdgesKey);
    const unready = await order(number);
    expect([unready.status, unready.body.errors[0].error]).toEqual([503, 'NO_EDGE_READY']);
    expect(unready.headers.get('retry-after')).toBe('5');
    expect(await client.exists(testCallsOfKey(bench.organization))).toBe(0);
  });
});

describe('GET /v1/sip/test-call/status', () => {
  it("does not know those of others, nor what is no test call's", async () => {
    const { call_id: id } = (await order(number)).body.data;
    expect((await statusOf(id, otherKey)).status).toBe(404);
    expect((await statusOf('tc_x')).status).toBe(404);
    expect((await statusOf(orderedCallOf(id)!)).status).toBe(404);
    expect((await statusOf('')).status).toBe(400);
  });

  it('reports that no edge took the order', async () => {
    const { call_id: id } = (await order(number)).body.data;
    await age(id, 71_000);
    expect((await statusOf(id)).body.data).toMatchObject({
      status: 'failed',
      result: 'failed',
      cause: expect.stringContaining('No edge'),
      timeline: [{ event: 'queued' }, { event: 'failed' }],
    });
  });

  it('reports when the edge that took it is down', async () => {
    const { call_id: id } = (await order(number)).body.data;
    await client.hset(orderedCallKey(orderedCallOf(id)!), { claimed_by: 'edge-1 abc', phase: 'ringing' });
    expect((await statusOf(id)).body.data).toMatchObject({
      status: 'failed',
      cause: 'The edge that placed the test call died.',
    });
  });
});

describe('while Redis hangs', () => {
  it('discoveries and test calls are 503, and no discovery is locked out afterwards', async () => {
    const { call_id: id } = (await order(number)).body.data;
    const discover = () => api.post('/v1/sip/discover', key, { host: 'pbx.example.com' });
    bench.redis.hang();
    try {
      const refused = await discover();
      expect(refused).toMatchObject({ status: 503, body: { errors: [{ error: 'DISCOVERY_UNAVAILABLE' }] } });
      expect(refused.headers.get('retry-after')).toBe('5');
      expect((await api.get('/v1/sip/discover/status?discovery_id=disc_1', key)).body.errors[0].error).toBe(
        'DISCOVERY_UNAVAILABLE',
      );
      expect((await statusOf(id)).body.errors[0].error).toBe('LIVE_STATE_UNAVAILABLE');
    } finally {
      bench.redis.resume();
    }
    await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'Redis is back');
    // What was sent while it hung has been done by now; there is no edge, so the discovery fails, and is free again.
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await discover()).body.data).toMatchObject({ status: 'failed', failure: 'no_edge' });
    }
  });
});
