import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEdgeSettings } from '../../../../src/config/edge-settings.js';
import { readyEdgesKey } from '../../../../src/contract/keys.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { TrunkStore } from '../../../../src/edge/routing/trunk-store.js';
import { until } from '../../../../src/testkit/waiting.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench, log } from '../control-bench.js';

const number = '+14155550100';
const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
const unconfirmed = { phone_number: null, warning: 'CHANGE_NOT_CONFIRMED' };

let bench: ControlBench;
let client: ReturnType<ControlBench['connectRedis']>;
let api: ApiUnderTest;
let edge: TrunkStore;
let key: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  client = bench.connectRedis();
  api = await startApi(bench);
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  const settings = {
    ...readEdgeSettings({ DEMARC_TLS_CERT: 'c', DEMARC_TLS_KEY: 'k' }).trunks,
    keptFile: join(tmpdir(), `demarc-kept-${process.pid}`),
  };
  edge = new TrunkStore({ settings, redis: bench.connectRedis(), edge: 'first', log });
  await edge.start();
  await until(() => edge.state().ready, 5_000, 'the edge is subscribed');
});
afterAll(async () => {
  await edge?.stop();
  await api?.stop();
  await bench?.stop();
});

const attach = (): Promise<Answer> =>
  api.post('/v1/sip/attach', key, { phone_numbers: [number], directions, service: 'sip' });
const detach = (): Promise<Answer> =>
  api.post('/v1/sip/detach', key, { phone_number: number, directions: [{ type: 'inbound' }] });
const ready = (name: string) => client.zadd(readyEdgesKey, Date.now() + 60_000, name);

it('answers without a warning when no edge takes calls, and when every edge confirms the change', async () => {
  expect((await attach()).body.data.warnings).toEqual([]);
  await ready('first');
  let confirmed = 0;
  /** True: without a warning. There is one only when an edge had its time, as on a machine that is stalled. */
  const isConfirmed = async (change: () => Promise<Answer>): Promise<boolean> => {
    const startedAt = performance.now();
    const { warnings } = (await change()).body.data;
    if (warnings.length === 0) confirmed++;
    else expect(performance.now() - startedAt).toBeGreaterThan(4_900);
    return warnings.length === 0;
  };
  for (let round = 0; round < 5; round++) {
    if (await isConfirmed(detach)) expect(await edge.find(number)).toBeUndefined();
    if (await isConfirmed(attach)) expect(await edge.find(number)).toBeDefined();
  }
  expect(confirmed).toBeGreaterThan(0);
});

it('warns in the responses to all changes of numbers when one of two edges does not confirm', async () => {
  await ready('second');
  expect((await attach()).body.data).toMatchObject({ configured: [number], warnings: [unconfirmed] });

  const updates = { type: 'inbound', allowed_ips: ['203.0.113.7'] };
  const { trunk_id: trunk } = (await api.post('/v1/trunks', key, { directions })).body.data;
  const { id: persona } = (await api.post('/v1/personas', key, { name: 'Front desk' })).body.data;
  const { id: pathway } = (
    await api.post('/v1/pathways', key, {
      name: 'Front desk',
      document: documentWith(),
    })
  ).body.data;
  const { credential_id: credential, ...created } = (await api.post('/v1/sip/agent-credentials', key, {}))
    .body.data;
  const { secret_id: secret, ...rotated } = (await api.post('/v1/agent-streams/signing-secrets', key, {}))
    .body.data;
  expect([created, rotated]).toMatchObject([{ warnings: [unconfirmed] }, { warnings: [unconfirmed] }]);
  const operator = (await createKey(bench.database, bench.organization, 'operators', { isOperator: true }))
    .key;
  const limits = { concurrent_calls: 9 };
  const numbers = { inbound_numbers: [number] };
  const phone_numbers = [number];
  for (const answer of [
    await api.post('/v1/sip/update', key, { phone_number: number, updates }),
    await api.post('/v1/sip/numbers/update', key, { phone_numbers, updates }),
    await api.patch('/v1/sip/config', key, { phone_number: number, direction: 'inbound', limits: null }),
    await api.post(`/v1/personas/${persona}/inbound/attach`, key, numbers),
    await api.post(`/v1/personas/${persona}/versions/promote`, key, {}),
    await api.post(`/v1/personas/${persona}/inbound/detach`, key, numbers),
    await api.post('/v1/sip/numbers/detach', key, { phone_numbers, directions: [{ type: 'inbound' }] }),
    await api.post(`/v1/trunks/${trunk}/numbers`, key, { phone_numbers }),
    await api.patch(`/v1/trunks/${trunk}`, key, { name: 'Headquarters' }),
    await api.post(`/v1/pathways/${pathway}/versions/promote`, key, {}),
    await api.delete(`/v1/sip/agent-credentials/${credential}`, key),
    await api.delete(`/v1/agent-streams/signing-secrets/${secret}`, key),
    await api.patch(`/v1/operator/organizations/${bench.organization}`, operator, { limits }),
  ]) {
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.warnings).toMatchObject([unconfirmed]);
  }
});

it('warns at once while Redis is down', async () => {
  await client.del(readyEdgesKey);
  await bench.redis.stop();
  await until(async () => (await attach()).body.data.warnings.length > 0, 10_000, 'the warning');
  const watch = Stopwatch.start();
  expect((await attach()).body.data.warnings).toMatchObject([unconfirmed]);
  expect(watch.milliseconds).toBeLessThan(watch.bound(900));
});
