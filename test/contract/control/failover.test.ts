import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failoverKey, outageField, recoveryField } from '../../../src/contract/failover.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const number = '+14155550181';
const single = '+14155550182';
const [first, second] = ['tls:a.example.com', 'udp:b.example.com:5070'] as const;

let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let key: string;
let otherKey: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  redis = bench.redis.client();
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const directions = [{ type: 'outbound', sip_endpoint: 'sip:a.example.com' }];
  await api.post('/v1/sip/attach', key, { phone_numbers: [number, single], directions, service: 'sip' });
  const endpoints = [{ host: 'b.example.com', port: 5070, transport: 'udp', priority: 1 }];
  const failover = { endpoints, triggers: ['unreachable'], failback: 'manual' };
  const body = { phone_number: number, direction: 'outbound', failover_config: failover };
  expect((await api.patch('/v1/sip/config', key, body)).status).toBe(200);
});
afterAll(async () => {
  redis?.disconnect();
  await api?.stop();
  await bench?.stop();
});

const failoverOf = async (of = number) =>
  (await api.get(`/v1/sip/status?phone_number=${encodeURIComponent(of)}`, key)).body.data.failover;
const failBack = (withKey = key, phone_number = number) =>
  api.post('/v1/sip/failback', withKey, { phone_number });

describe('the server in use', () => {
  it('is the first one until edges report otherwise', async () => {
    const inUse = { active: first, failed_over: false, since: null, reason: null, detail: null };
    expect(await failoverOf()).toEqual({ ...inUse, failback: 'manual', out: [] });
    expect(await failoverOf(single)).toBeNull();
  });

  it('is reported with start and reason, and ended by POST /v1/sip/failback', async () => {
    const since = '2026-11-20T10:00:00.000Z';
    const outage = { since, trigger: 'unreachable', detail: 'a.example.com tls: 503' };
    await redis.hset(failoverKey(number.slice(1)), {
      [outageField(first)]: JSON.stringify(outage),
      [recoveryField(first)]: '2',
      [outageField('tls:detached.example.com')]: JSON.stringify(outage),
    });
    const why = { since, reason: 'unreachable', detail: 'a.example.com tls: 503' };
    expect(await failoverOf()).toEqual({
      active: second,
      failed_over: true,
      ...why,
      failback: 'manual',
      out: [{ endpoint: first, ...why, healthy_probes: 2 }],
    });
    expect((await failBack(otherKey)).status).toBe(404);
    const answer = await failBack();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      phone_number: number,
      failover: { active: first, failed_over: false, out: [] },
    });
    expect(await failoverOf()).toMatchObject({ active: first, failed_over: false });
    expect((await failBack()).status).toBe(200);
  });

  it('cannot be selected with a single server, or while Redis is down', async () => {
    expect(await failBack(key, single)).toMatchObject({
      status: 409,
      body: { errors: [{ error: 'NO_BACKUP_SERVER' }] },
    });
    expect((await failBack(key, 'bob')).status).toBe(400);
    await bench.redis.kill();
    const answer = await failBack();
    expect(answer.status).toBe(503);
    expect(answer.body.errors[0].error).toBe('FAILOVER_UNAVAILABLE');
    expect(await failoverOf()).toBeNull();
  });
});
