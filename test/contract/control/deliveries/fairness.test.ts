import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { pause, until } from '../../../../src/testkit/waiting.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { Receiver } from './receiver.js';

const tarpits = 19;
const backlog = 8_400;
const limit = 1_000;

let bench: ControlBench;
let api: ApiUnderTest;
let tarpit: Receiver;
let receiver: Receiver;
let key: string;
let otherKey: string;
const silent: string[] = [];
let neighbor: string;

beforeAll(async () => {
  [bench, tarpit, receiver] = await Promise.all([ControlBench.start(), Receiver.start(), Receiver.start()]);
  tarpit.behaviour = 'hang';
  api = await startApi(bench, {
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
    // A receiver that responds is in this process, which may be stalled for longer than a shorter one.
    DEMARC_WEBHOOK_TIMEOUT_MS: '3000',
    DEMARC_DELIVERY_PENDING: String(limit),
  });
  const victim = await createOrganization(bench.database, { name: 'victim', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, victim.id, 'test'));
  const endpoint = async (by: string, url: string, events: readonly string[]): Promise<string> =>
    (await api.post('/v1/webhooks', by, { url, events })).body.data.webhook_id;
  for (let index = 0; index < tarpits; index++) {
    silent.push(await endpoint(key, tarpit.url(`/${index}`), ['call.*']));
  }
  await endpoint(key, receiver.url('/of-the-same-organization'), ['webhook.*']);
  neighbor = await endpoint(otherKey, receiver.url('/victim'), ['*']);
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([tarpit?.stop(), receiver?.stop()]);
  await bench?.stop();
});

const show = async (id: string) => (await api.get(`/v1/webhooks/${id}`, key)).body.data;
const toldOf = (event: string) =>
  receiver.of('/of-the-same-organization').filter(({ headers }) => headers['x-webhook-event'] === event);

/** Milliseconds from the event to its arrival at the other organization: all of several but one took less. */
async function usualMost(): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < 30; sample++) {
    const before = receiver.of('/victim').length;
    const began = performance.now();
    expect((await api.post(`/v1/webhooks/${neighbor}/test`, otherKey, {})).status).toBe(200);
    await until(() => receiver.of('/victim').length > before, 10_000, 'the event arrives');
    times.push(performance.now() - began);
    await pause(50);
  }
  // One pause of this machine is not the other organization's doing.
  return times.toSorted((left, right) => right - left)[1]!;
}

it('delivers for one organization as fast as before while 8,400 deliveries of another wait for 19 tarpits', async () => {
  const quiet = await usualMost();
  await sql`insert into deliveries
      (id, organization_id, event, subject, channel, target, content, endpoint_id, event_id)
    select 'dlv_' || n, ${bench.organization}, 'call.failed', 'call-' || n, 'webhook', ${tarpit.url('/0')},
      '{"body": {}}', (${silent}::text[])[1 + n % ${tarpits}], 'evt_' || n
    from generate_series(1, ${backlog}) n`.execute(bench.database);
  // While all of them hang, and while they are paused.
  const watch = Stopwatch.start();
  const busy = [await usualMost(), await usualMost()];
  expect(Math.max(...busy)).toBeLessThan(watch.bound(3 * quiet + 100));
  const deliveries = await api.get('/readyz', '');
  expect(deliveries.status).toBe(200);
});

it('tries one delivery at a time at an endpoint that does not respond, and reports the pause', async () => {
  await until(async () => (await show(silent[3]!)).paused_until !== null, 10_000, 'the endpoint is paused');
  expect(await show(silent[3]!)).toMatchObject({
    enabled: true,
    silent_since: expect.any(String),
    dropped_deliveries: 0,
  });
  expect((await show(silent[3]!)).pending_deliveries).toBeGreaterThan(400);
  await until(() => toldOf('webhook.paused').length === tarpits, 10_000, 'the other endpoint is notified');
  expect(new Set(toldOf('webhook.paused').map(({ text }) => JSON.parse(text).data.webhook_id))).toEqual(
    new Set(silent),
  );
  const { rows } = await sql<{ attempted: string }>`
    select count(*) as attempted from deliveries where attempts > 0`.execute(bench.database);
  // Eight at a time before the pause, then one for each probe.
  expect(Number(rows[0]!.attempted)).toBeLessThan(tarpits * 20);
});

it('sends what waited once the endpoint responds again', async () => {
  const [first] = silent;
  await sql`delete from deliveries where status = 'pending' and (endpoint_id <> ${first} or attempts = 0
    and id not in (select id from deliveries where endpoint_id = ${first} and attempts = 0 limit 50))`.execute(
    bench.database,
  );
  tarpit.behaviour = 200;
  await sql`update silent_receivers set paused_until = now()`.execute(bench.database);
  await until(async () => (await show(first!)).paused_until === null, 10_000, 'it is no longer paused');
  await until(() => toldOf('webhook.resumed').length === 1, 10_000, 'the other endpoint is notified');
  await until(
    async () =>
      (await api.get(`/v1/webhooks/deliveries?webhook_id=${first}&status=delivered&limit=200`, key)).body.data
        .deliveries.length >= 50,
    10_000,
    'what waited is delivered',
  );
});

it('fails the oldest deliveries when more than the limit wait for one endpoint', async () => {
  tarpit.behaviour = 'hang';
  const [, second] = silent;
  await sql`insert into deliveries
      (id, organization_id, event, subject, channel, target, content, endpoint_id, event_id, created_at)
    select 'dlv_many_' || n, ${bench.organization}, 'call.failed', 'call-' || n, 'webhook', ${tarpit.url('/1')},
      '{"body": {}}', ${second}, 'evt_many_' || n, now() - make_interval(secs => ${limit + 10} - n)
    from generate_series(1, ${limit + 10}) n`.execute(bench.database);
  await until(async () => (await show(second!)).dropped_deliveries > 0, 40_000, 'the oldest are dropped');
  const failed = await api.get(`/v1/webhooks/deliveries?webhook_id=${second}&status=failed&limit=200`, key);
  const dropped = failed.body.data.deliveries;
  expect(dropped[0].last_error).toBe('Dropped: more than 1000 deliveries were waiting for this receiver');
  expect((await show(second!)).pending_deliveries).toBeLessThanOrEqual(limit);
  await until(
    () => toldOf('webhook.deliveries_dropped').length === 1,
    10_000,
    'the other endpoint is notified',
  );
}, 180_000);
