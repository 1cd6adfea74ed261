import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceIdOf } from '../../../../src/contract/trace-context.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { startControlProcess } from '../../../support/control-process.js';
import type { TestProcess } from '../../../support/processes.js';
import { sideBySide } from '../../../support/side-by-side.js';
import { stays } from '../../../support/stays.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { sampleRecord } from '../history/sample-record.js';
import { Receiver } from './receiver.js';

const mine = '+14155550100';
sideBySide(2, () => {
  const settings = {
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
    // A shorter one passes while this process, which is the receiver too, is stalled: the delivery is then repeated.
    DEMARC_WEBHOOK_TIMEOUT_MS: '3000',
    DEMARC_DELIVERY_RETRY_MS: '100',
    DEMARC_DELIVERY_ATTEMPTS: '6',
    DEMARC_SECRET_KEY: 'ab'.repeat(32),
  };

  let bench: ControlBench;
  let api: ApiUnderTest;
  let receiver: Receiver;
  /** Takes OTLP. */
  let spans: Receiver;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    [bench, receiver, spans] = await Promise.all([ControlBench.start(), Receiver.start(), Receiver.start()]);
    api = await startApi(bench, { ...settings, DEMARC_OTLP_URL: spans.url('') });
    await bench.pretendEdge();
    const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
    ({ key } = await createKey(bench.database, bench.organization, 'test'));
    ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
    await api.post('/v1/sip/attach', key, {
      phone_numbers: [mine],
      directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }],
      service: 'sip',
    });
  });
  afterAll(async () => {
    await api?.stop();
    await receiver?.stop();
    await spans?.stop();
    await bench?.stop();
  });

  const order = async (webhook: string): Promise<string> => {
    const body = {
      phone_number: '+4930123456',
      from: mine,
      task: 'Say hello.',
      metadata: { ours: 1 },
      webhook,
    };
    const answer = await api.post('/v1/calls', key, body);
    expect(answer.status).toBe(200);
    return answer.body.call_id;
  };

  let lastEntry = 0;
  async function end(callId: string): Promise<void> {
    const record = sampleRecord(callId, {
      organization: bench.organization,
      number: mine.slice(1),
      direction: 'outbound',
      started_at: new Date().toISOString(),
    });
    await storeEntries(bench.database, [
      await readEntry({ id: `1-${++lastEntry}`, json: JSON.stringify(record) }),
    ]);
  }

  const deliveriesOf = async (callId: string, withKey = key) =>
    (await api.get(`/v1/webhooks/deliveries?subject=${callId}`, withKey)).body.data.deliveries;

  const settled = async (callId: string, status: string, milliseconds = 8_000) => {
    await until(
      async () => (await deliveriesOf(callId))[0]?.status === status,
      milliseconds,
      `the delivery is ${status}`,
    );
    return (await deliveriesOf(callId))[0];
  };

  /** Without the edges' stream, which has no reader here. */
  async function orderedBy(webhook: string): Promise<string> {
    const callId = `call-${++lastEntry}`;
    await bench.database
      .insertInto('ordered_calls')
      .values({
        call_id: callId,
        organization_id: bench.organization,
        number: mine.slice(1),
        phone_number: '4930123456',
        task: 'x',
        request_data: null,
        metadata: null,
        max_duration_minutes: 1,
        created_at: new Date(),
        webhook,
      })
      .execute();
    return callId;
  }

  describe('webhook of a call', () => {
    it('gets what GET shows once the record is stored, once, unsigned while there is no secret', async () => {
      const callId = await order(receiver.url('/first?token=secret'));
      await stays(() => expect(receiver.received).toEqual([]), 1_200);
      await end(callId);
      await end(callId);
      const delivery = await settled(callId, 'delivered');
      expect(delivery).toMatchObject({
        event: 'call.completed',
        channel: 'webhook',
        target: `${receiver.url('/first')}?…`,
        attempts: 1,
        last_status: 200,
        last_error: null,
        next_attempt_at: null,
      });
      const [got, ...more] = receiver.of('/first?token=secret');
      expect(more).toEqual([]);
      const shown = (await api.get(`/v1/calls/${callId}`, key)).body;
      expect(shown).toMatchObject({ status: 'completed', metadata: { ours: 1 } });
      expect(JSON.parse(got!.text)).toEqual(shown);
      expect(got!.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-webhook-id': delivery.delivery_id,
        'x-webhook-event': 'call.completed',
      });
      expect(got!.headers['x-webhook-signature']).toBeUndefined();
      expect(await deliveriesOf(callId, otherKey)).toEqual([]);
      const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(
        got!.headers.traceparent as string,
      )!;
      expect(traceId).toBe(traceIdOf(callId));
      await until(
        () => spans.of('/v1/traces').some(({ text }) => text.includes(`"spanId":"${spanId}"`)),
        8_000,
        'the span of the attempt',
      );
    });

    it('is signed with the latest secret, which is shown once', async () => {
      expect((await api.get('/v1/webhooks/secret', key)).body.data).toEqual({
        exists: false,
        created_at: null,
      });
      const first = (await api.post('/v1/webhooks/secret', key, {})).body.data.secret;
      const { secret } = (await api.post('/v1/webhooks/secret', key, {})).body.data;
      expect(secret).not.toBe(first);
      expect((await api.get('/v1/webhooks/secret', key)).body.data.exists).toBe(true);
      expect((await api.get('/v1/webhooks/secret', key)).text).not.toContain(secret);
      expect((await api.get('/v1/webhooks/secret', otherKey)).body.data.exists).toBe(false);
      const row = await bench.database.selectFrom('webhook_secrets').selectAll().executeTakeFirstOrThrow();
      expect(row.secret).toMatch(/^v2:/);
      const callId = await order(receiver.url('/signed'));
      await end(callId);
      await settled(callId, 'delivered');
      const [got] = receiver.of('/signed');
      const expected = createHmac('sha256', secret).update(got!.text).digest('hex');
      expect(got!.headers['x-webhook-signature']).toBe(expected);
    });

    it('is signed after the service has changed its key, without the previous one', async () => {
      const { secret } = (await api.post('/v1/webhooks/secret', key, {})).body.data;
      const sealed = async () =>
        (await bench.database.selectFrom('webhook_secrets').select('secret').executeTakeFirstOrThrow())
          .secret;
      const before = await sealed();
      const next = 'cd'.repeat(32);
      await api.stop();
      api = await startApi(bench, {
        ...settings,
        DEMARC_SECRET_KEY: next,
        DEMARC_SECRET_KEY_PREVIOUS: settings.DEMARC_SECRET_KEY,
      });
      await until(async () => (await sealed()) !== before, 5_000, 'it is sealed anew');
      await api.stop();
      api = await startApi(bench, { ...settings, DEMARC_SECRET_KEY: next });
      const callId = await order(receiver.url('/rotated'));
      await end(callId);
      await settled(callId, 'delivered');
      const [got] = receiver.of('/rotated');
      const expected = createHmac('sha256', secret).update(got!.text).digest('hex');
      expect(got!.headers['x-webhook-signature']).toBe(expected);
      settings.DEMARC_SECRET_KEY = next;
    });

    it('is tried again with growing waits when the receiver fails, hangs, and recovers', async ({
      expect,
    }) => {
      // Different for each try of this test: the receiver remembers.
      const path = `/weak-${randomUUID()}`;
      const callId = await order(receiver.url(path));
      // By their count, because a test that is stalled could not change it between two attempts.
      receiver.behaviour = (earlier) => (earlier < 4 ? 503 : earlier === 4 ? 'hang' : 204);
      await end(callId);
      // The first and the following attempts until the one that hangs has ended.
      await expect
        .poll(async () => (await deliveriesOf(callId))[0])
        .toMatchObject({
          status: 'pending',
          last_status: 503,
          last_error: 'The receiver answered 503 Service Unavailable',
          next_attempt_at: expect.any(String),
        });
      const delivery = await settled(callId, 'delivered', 15_000);
      const log = (await api.get(`/v1/deliveries/${delivery.delivery_id}`, key)).body.data.attempt_log;
      const hung = log.filter(({ error }: { error: string | null }) =>
        /did not respond within 3000 ms/.test(error ?? ''),
      );
      expect(hung.length).toBeGreaterThanOrEqual(1);
      const attempts = receiver.of(path);
      expect(delivery).toMatchObject({ attempts: attempts.length, last_status: 204 });
      const waits = attempts.slice(1, 4).map(({ at }, index) => at - attempts[index]!.at);
      // Doubled each time, a quarter of it by chance; a busy machine makes them longer, never shorter.
      for (const [index, shortest] of [75, 150, 300].entries()) {
        expect(waits[index]).toBeGreaterThan(0.9 * shortest);
      }
      expect(new Set(attempts.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    });

    it('is given up after the last attempt, and follows no redirect', async () => {
      const callId = await order(receiver.url('/moved'));
      receiver.behaviour = { redirect: receiver.url('/elsewhere') };
      await end(callId);
      const delivery = await settled(callId, 'failed', 15_000);
      expect(delivery).toMatchObject({ attempts: 6, last_status: 307, next_attempt_at: null });
      expect(delivery.last_error).toContain('redirects are not followed');
      expect(receiver.of('/elsewhere')).toEqual([]);
      receiver.behaviour = 200;
    });

    it('does not let a receiver that hangs hold up those of others', async () => {
      const slowReceiver = await Receiver.start();
      slowReceiver.behaviour = 'hang';
      const hanging = await Promise.all(Array.from({ length: 60 }, () => orderedBy(slowReceiver.url())));
      await Promise.all(hanging.map((callId) => end(callId)));
      await until(() => slowReceiver.received.length >= 8, 5_000, 'hanging deliveries');
      const otherAttachment = await api.post('/v1/sip/attach', otherKey, {
        phone_numbers: ['+14155550102'],
        directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }],
        service: 'sip',
      });
      expect(otherAttachment.body.data.failed).toEqual([]);
      const body = {
        phone_number: '+4930123456',
        from: '+14155550102',
        task: 'x',
        webhook: receiver.url('/quick'),
      };
      const { call_id: callId } = (await api.post('/v1/calls', otherKey, body)).body;
      await end(callId);
      await until(() => receiver.of('/quick').length === 1, 3_000, 'a webhook of the other organization');
      await bench.database.deleteFrom('deliveries').where('target', '=', slowReceiver.url()).execute();
      await slowReceiver.stop();
    });

    it('reports an unanswered call', async () => {
      const callId = await order(receiver.url('/lost'));
      await bench.database
        .updateTable('ordered_calls')
        .set({ created_at: new Date(Date.now() - 120_000) })
        .where('call_id', '=', callId)
        .execute();
      await until(() => receiver.of('/lost').length === 1, 20_000, 'a webhook about the end');
      const [got] = receiver.of('/lost');
      expect(got!.headers['x-webhook-event']).toBe('call.lost');
      expect(JSON.parse(got!.text)).toMatchObject({
        call_id: callId,
        status: 'failed',
        queue_status: 'queue_error',
      });
    });

    it.each([
      'ftp://example.com/',
      'no url',
      'https://user:password@example.com/',
      `https://example.com/${'a'.repeat(2_100)}`,
    ])('refuses %s', async (webhook) => {
      const answer = await api.post('/v1/calls', key, {
        phone_number: '+4930123456',
        from: mine,
        task: 'x',
        webhook,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path: 'webhook' });
    });
  });

  describe('processes', () => {
    const control = async (): Promise<TestProcess> => {
      const more = { ...settings, DEMARC_WEBHOOK_TIMEOUT_MS: '30000' };
      return (await startControlProcess(bench, more)).child;
    };

    it('share the work, each delivery made once', async () => {
      // Beside the process of the test.
      const second = await control();
      const callIds = await Promise.all(Array.from({ length: 40 }, () => orderedBy(receiver.url('/shared'))));
      await Promise.all(callIds.map((callId) => end(callId)));
      await until(() => receiver.of('/shared').length >= 40, 10_000, 'all deliveries');
      const pending = () =>
        bench.database
          .selectFrom('deliveries')
          .where('target', '=', receiver.url('/shared'))
          .where('status', '=', 'pending')
          .select('id')
          .execute();
      await until(async () => (await pending()).length === 0, 40_000, 'no delivery is attempted again');
      // The receiver may miss the time limit of an attempt, which is then repeated.
      const attempts = await bench.database
        .selectFrom('delivery_attempts')
        .innerJoin('deliveries', 'deliveries.id', 'delivery_id')
        .where('target', '=', receiver.url('/shared'))
        .select('error')
        .execute();
      expect(attempts.filter(({ error }) => error === null)).toHaveLength(40);
      expect(receiver.of('/shared').length).toBeLessThanOrEqual(attempts.length);
      expect(new Set(receiver.of('/shared').map(({ text }) => JSON.parse(text).call_id)).size).toBe(40);
      await second.stop();
    });

    it('take over pending deliveries of a killed process, and need no Redis', async () => {
      await api.stop();
      const first = await control();
      receiver.behaviour = 'hang';
      const callId = await orderedBy(receiver.url('/killed'));
      await end(callId);
      await until(() => receiver.of('/killed').length === 1, 5_000, 'the first attempt');
      first.signal('SIGKILL');
      await first.exit(2_000);
      receiver.behaviour = 200;
      const left = bench.database
        .selectFrom('deliveries')
        .select(['status', 'attempts'])
        .where('target', '=', receiver.url('/killed'));
      expect(await left.execute()).toEqual([{ status: 'pending', attempts: 0 }]);
      api = await startApi(bench, { ...settings, DEMARC_REDIS_URL: 'redis://127.0.0.1:1' });
      await until(() => receiver.of('/killed').length === 2, 30_000, 'another process takes over');
      await settled(callId, 'delivered');
    }, 120_000);
  });
});
