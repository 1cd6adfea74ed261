import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { callStream } from '../../../../src/contract/keys.js';
import { type Moment, momentStream } from '../../../../src/contract/moments.js';
import { storeChecks } from '../../../../src/control/health/health-storage.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { sampleRecord } from '../history/sample-record.js';
import { type Received, Receiver } from './receiver.js';

const settings = {
  DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
  DEMARC_WEBHOOK_SHOW_PRIVATE: 'true',
  DEMARC_WEBHOOK_TIMEOUT_MS: '5000',
  DEMARC_DELIVERY_RETRY_MS: '100',
  DEMARC_DELIVERY_ATTEMPTS: '3',
  DEMARC_SECRET_KEY: 'ab'.repeat(32),
};

let bench: ControlBench;
let api: ApiUnderTest;
let receiver: Receiver;
let redis: ReturnType<ControlBench['connectRedis']>;
let key: string;
let otherKey: string;

beforeAll(async () => {
  [bench, receiver] = await Promise.all([ControlBench.start(), Receiver.start()]);
  redis = bench.connectRedis();
  api = await startApi(bench, settings);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await receiver?.stop();
  await bench?.stop();
});

const register = async (path: string, events: readonly string[] = ['*'], withKey = key) => {
  const answer = await api.post('/v1/webhooks', withKey, { url: receiver.url(path), events });
  expect(answer.status).toBe(200);
  return answer.body.data as { readonly webhook_id: string; readonly secret: string };
};

const bodyOf = ({ text }: Received) => JSON.parse(text);
const eventsAt = (path: string): string[] => receiver.of(path).map((request) => bodyOf(request).event);

const recordOf = (callId: string, changes: Partial<CallRecord> = {}): CallRecord =>
  sampleRecord(callId, {
    organization: bench.organization,
    number: '14155550100',
    ringing_at: '2026-11-20T15:00:00.200Z',
    ...changes,
  });

/** As an edge reports it while the call is up. */
async function report(
  record: CallRecord,
  ...stages: ('initiated' | 'ringing' | 'answered')[]
): Promise<void> {
  for (const stage of stages) {
    const moment: Moment = {
      kind: 'call',
      stage,
      call: {
        call_id: record.call_id,
        organization: record.organization ?? '',
        number: record.number,
        direction: record.direction,
        from: record.from,
        to: record.to,
        source_address: record.source.address,
        sip_call_id: record.sip_call_ids.trunk,
        started_at: record.started_at,
        ringing_at: record.ringing_at,
        answered_at: record.answered_at,
      },
    };
    await redis.xadd(momentStream, '*', 'moment', JSON.stringify(moment));
  }
}

/** As an edge reports it when the call has ended. */
const end = (record: CallRecord) => redis.xadd(callStream, '*', 'record', JSON.stringify(record));

const deliveries = async (query: string) =>
  (await api.get(`/v1/webhooks/deliveries?${query}`, key)).body.data.deliveries;

/** Runs the programs of docs/webhooks.md on one request; the exit status of each by its command. */
function runVerifiers(body: string, signature: string, secret: string): Record<string, number | null> {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const programs = [...page.matchAll(/<!-- verify: (\S+) (\S+) -->\n```\w+\n([\s\S]*?)```/g)];
  const folder = mkdtempSync(join(tmpdir(), 'demarc-verify-'));
  try {
    return Object.fromEntries(
      programs.map(([, command, file, source]) => {
        writeFileSync(join(folder, file!), source!);
        const { status, error } = spawnSync(command!, [file!], {
          cwd: folder,
          input: Buffer.from(body),
          env: { PATH: process.env.PATH, SIGNATURE: signature, SECRET: secret },
        });
        // A program that refuses the time of a signature may end before the body is written to it.
        if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
        return [command!, status];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('events of a call', () => {
  it('reach each subscribed endpoint once, while the call is up, and in a recognisable order', async () => {
    await register('/all');
    await register('/ends', ['call.completed', 'call.failed']);
    await register('/alerts', ['alert.*']);
    await register('/other', ['*'], otherKey);
    const record = recordOf('call-up');
    await report(record, 'initiated', 'ringing', 'answered');
    await until(() => receiver.of('/all').length === 3, 5_000, 'a webhook during the call');
    await report(record, 'initiated', 'ringing', 'answered');
    await end(record);
    await end(record);
    await until(() => receiver.of('/ends').length === 1, 5_000, 'a webhook about the end');
    await until(() => receiver.of('/all').length === 4, 5_000, 'a webhook about the end');
    const bodies = receiver
      .of('/all')
      .map(bodyOf)
      .toSorted((left, right) => left.sequence - right.sequence);
    expect(bodies.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['call.initiated', 1],
      ['call.ringing', 2],
      ['call.answered', 3],
      ['call.completed', 4],
    ]);
    expect(bodies[2]).toMatchObject({
      event_id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
      occurred_at: record.answered_at,
      data: {
        call_id: 'call-up',
        direction: 'inbound',
        phone_number: '+14155550100',
        from: '+14155550199',
        state: 'in_progress',
        answered_at: record.answered_at,
      },
    });
    expect(bodies[3].data).toMatchObject({
      outcome: 'completed',
      duration_seconds: 12.25,
      ended_by: 'caller',
    });
    const [ended] = receiver.of('/ends');
    expect(bodyOf(ended!).event_id).toBe(bodies[3].event_id);
    expect(ended!.headers['x-webhook-event']).toBe('call.completed');
    expect(receiver.of('/alerts')).toEqual([]);
    expect(receiver.of('/other')).toEqual([]);
    expect(await deliveries(`event_id=${bodies[3].event_id}`)).toHaveLength(2);
  });

  it('are delivered from the record when the edge could not send them, and wait while control is down', async () => {
    const { webhook_id: id } = await register('/late', ['call.*']);
    await api.stop();
    const up = recordOf('call-down');
    await report(up, 'initiated', 'ringing');
    await end(
      recordOf('call-untold', { outcome: 'failed', answered_at: null, end_reason: 'agent_no_answer' }),
    );
    api = await startApi(bench, settings);
    await until(() => receiver.of('/late').length === 5, 10_000, 'what happened meanwhile');
    const webhooksOf = (callId: string) =>
      receiver
        .of('/late')
        .map(bodyOf)
        .filter(({ data }) => data.call_id === callId)
        .map(({ event }) => event)
        .toSorted();
    expect(webhooksOf('call-down')).toEqual(['call.initiated', 'call.ringing']);
    expect(webhooksOf('call-untold')).toEqual(['call.failed', 'call.initiated', 'call.ringing']);
    await api.delete(`/v1/webhooks/${id}`, key);
  });

  it('never get call.failed for an answered call, so receivers do not redial because of its audio', async () => {
    const { webhook_id: id } = await register('/unheard', ['call.completed', 'call.failed']);
    await end(recordOf('call-one-way', { end_reason: 'one_way_audio' }));
    await end(recordOf('call-lost', { end_reason: 'media_failed' }));
    // As an edge of an earlier release wrote it.
    await end(recordOf('call-silent', { outcome: 'failed', end_reason: 'dead_air' }));
    await end(recordOf('call-good'));
    await until(() => receiver.of('/unheard').length === 4, 5_000, 'webhooks about the ends');
    const delivered = receiver.of('/unheard').map(bodyOf);
    expect(
      delivered.map(({ event, data }) => [event, data.state, data.call_id, data.audio_problem]).sort(),
    ).toEqual([
      ['call.completed', 'completed', 'call-good', null],
      ['call.completed', 'completed', 'call-lost', 'lost'],
      ['call.completed', 'completed', 'call-one-way', 'one_way'],
      ['call.completed', 'completed', 'call-silent', 'none'],
    ]);
    await api.delete(`/v1/webhooks/${id}`, key);
  });

  it('get no events for refusals that unauthenticated hosts can cause', async () => {
    const { webhook_id: id } = await register('/refusals', ['call.*']);
    const refused = { outcome: 'refused', answered_at: null, ringing_at: null } as const;
    await end(recordOf('call-scanned', { ...refused, end_reason: 'refused_source' }));
    await end(recordOf('call-full', { ...refused, end_reason: 'refused_limit' }));
    await until(() => eventsAt('/refusals').includes('call.failed'), 5_000, 'the refusal of a known source');
    expect(await deliveries('subject=call-scanned')).toEqual([]);
    await api.delete(`/v1/webhooks/${id}`, key);
  });
});

describe('signature', () => {
  it('is verified by each program of the documentation, with its time, with either secret after a rotation', async () => {
    const { webhook_id: id, secret } = await register('/signed', ['alert.fired']);
    const send = async (): Promise<Received> => {
      const before = receiver.of('/signed').length;
      expect((await api.post(`/v1/webhooks/${id}/test`, key, {})).status).toBe(200);
      await until(() => receiver.of('/signed').length > before, 5_000, 'the test event');
      return receiver.of('/signed').at(-1)!;
    };
    const all = (status: number) => ({ node: status, python3: status, bash: status });
    const first = await send();
    expect(first.text).toMatch(/[^\p{ASCII}]/u);
    const signature = String(first.headers['x-demarc-signature']);
    expect(runVerifiers(first.text, signature, secret)).toEqual(all(0));
    expect(runVerifiers(first.text.replace('ß', 'ss'), signature, secret)).toEqual(all(1));
    expect(runVerifiers(first.text, signature, `${secret}x`)).toEqual(all(1));
    const earlier = Number(/t=(\d+)/.exec(signature)![1]) - 400;
    const old = createHmac('sha256', secret).update(`${earlier}.${first.text}`).digest('hex');
    expect(runVerifiers(first.text, `t=${earlier},v1=${old}`, secret)).toEqual(all(1));
    const legacy = createHmac('sha256', secret).update(first.text).digest('hex');
    expect(first.headers['x-webhook-signature']).toBe(legacy);

    const rotated = (await api.post(`/v1/webhooks/${id}/rotate-secret`, key, {})).body.data;
    expect(Date.parse(rotated.previous_secret_until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const second = await send();
    const both = String(second.headers['x-demarc-signature']);
    expect(both.match(/v1=/g)).toHaveLength(2);
    expect(runVerifiers(second.text, both, secret)).toEqual(all(0));
    expect(runVerifiers(second.text, both, rotated.secret)).toEqual(all(0));
    await bench.database
      .updateTable('webhook_endpoints')
      .set({ previous_until: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute();
    const third = await send();
    const alone = String(third.headers['x-demarc-signature']);
    expect(runVerifiers(third.text, alone, secret)).toEqual(all(1));
    expect(runVerifiers(third.text, alone, rotated.secret)).toEqual(all(0));
    const shown = await api.get(`/v1/webhooks/${id}`, key);
    expect(shown.text).not.toContain(rotated.secret);
    const stored = await bench.database.selectFrom('webhook_endpoints').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('whsec_');
  }, 120_000);
});

describe('endpoint', () => {
  it('is disabled after days of failures, shown so, and enabled again; failed deliveries are replayed unchanged', async () => {
    const { webhook_id: id } = await register('/weak', ['call.*']);
    receiver.behaviour = 500;
    await report(recordOf('call-weak'), 'initiated');
    await until(
      async () =>
        (await deliveries('subject=call-weak')).some(
          (delivery: { webhook_id: string; status: string }) =>
            delivery.webhook_id === id && delivery.status === 'failed',
        ),
      8_000,
      'given up',
    );
    const shown = async () => (await api.get(`/v1/webhooks/${id}`, key)).body.data;
    expect(await shown()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    await bench.database
      .updateTable('webhook_endpoints')
      .set({ failing_since: new Date(Date.now() - 73 * 3_600_000) })
      .where('id', '=', id)
      .execute();
    await report(recordOf('call-weaker'), 'initiated');
    await until(async () => (await shown()).enabled === false, 8_000, 'disabled');
    expect(await shown()).toMatchObject({ disabled_reason: 'failing', disabled_at: expect.any(String) });
    receiver.behaviour = 200;
    const received = receiver.of('/weak').length;
    const enabled = await api.patch(`/v1/webhooks/${id}`, key, { enabled: true });
    expect(enabled.body.data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });

    const [failed] = await deliveries(`webhook_id=${id}&subject=call-weak`);
    const path = `/v1/deliveries/${failed.delivery_id}`;
    const detail = (await api.get(path, key)).body.data;
    expect(detail.attempt_log).toHaveLength(3);
    expect(detail.attempt_log[0]).toMatchObject({
      status: 500,
      error: 'The receiver answered 500 Internal Server Error',
      milliseconds: expect.any(Number),
      request_head: expect.stringMatching(/^POST \/weak HTTP\/1\.1\nhost: 127.*\nx-demarc-signature: t=/s),
      response_head: expect.stringMatching(/^HTTP\/1\.1 500 Internal Server Error\n/),
      response_body: '{}',
    });
    expect((await api.post(`${path}/replay`, otherKey, {})).status).toBe(404);
    expect((await api.post(`${path}/replay`, key, {})).status).toBe(200);
    await until(() => receiver.of('/weak').length > received, 70_000, 'the replay');
    const attempts = receiver
      .of('/weak')
      .filter(({ text }) => bodyOf({ text } as Received).data.call_id === 'call-weak');
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    await until(async () => (await api.get(path, key)).body.data.status === 'delivered', 3_000, 'delivered');
    expect((await api.get(path, key)).body.data.attempt_log).toHaveLength(4);
    await api.delete(`/v1/webhooks/${id}`, key);
    expect((await api.get(`/v1/webhooks/${id}`, key)).status).toBe(404);
  }, 180_000);

  it('has all that failed in a time range replayed, with the same events and new signatures', async () => {
    const { webhook_id: id } = await register('/down', ['call.initiated']);
    const from = new Date().toISOString();
    receiver.behaviour = 503;
    const ids = ['call-down-1', 'call-down-2', 'call-down-3'];
    for (const callId of ids) await report(recordOf(callId), 'initiated');
    const failed = () => deliveries(`webhook_id=${id}&status=failed&created_after=${from}`);
    await until(async () => (await failed()).length === 3, 15_000, 'given up');
    const to = new Date(Date.now() + 1_000).toISOString();
    expect(await deliveries(`webhook_id=${id}&created_before=${from}`)).toEqual([]);
    expect(await deliveries(`webhook_id=${id}&channel=email`)).toEqual([]);
    receiver.behaviour = 200;
    const tried = receiver.of('/down').length;
    const replay = (body: object, withKey = key) => api.post(`/v1/webhooks/${id}/replay`, withKey, body);
    expect((await replay({ created_after: from }, otherKey)).status).toBe(404);
    expect((await replay({})).body.errors[0]).toMatchObject({ path: 'created_after' });
    const later = { created_after: new Date(Date.now() + 3_600_000).toISOString() };
    expect((await replay(later)).body.data).toEqual({ replayed: 0, is_complete: true });
    const all = await replay({ created_after: from, created_before: to });
    expect(all.body.data).toEqual({ replayed: 3, is_complete: true });
    expect((await replay({ created_after: from })).body.data.replayed).toBe(0);
    await until(() => receiver.of('/down').length === tried + 3, 70_000, 'replayed');
    const attempts = receiver.of('/down');
    const eventIds = (list: typeof attempts) =>
      [...new Set(list.map((attempt) => bodyOf(attempt).event_id))].sort();
    expect(eventIds(attempts.slice(tried))).toEqual(eventIds(attempts.slice(0, tried)));
    await api.patch(`/v1/webhooks/${id}`, key, { enabled: false });
    expect((await replay({ created_after: from })).body.errors[0].error).toBe('WEBHOOK_DISABLED');
    await api.delete(`/v1/webhooks/${id}`, key);
  }, 180_000);

  it.each([
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://example.com/', events: ['call.exploded'] }, 'events.0'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{}, 'url'],
  ])('is refused as %j', async (body, path) => {
    const answer = await api.post('/v1/webhooks', key, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path });
  });

  it('is one of at most twenty, even under concurrent requests, and is invisible to other organizations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => api.post('/v1/webhooks', otherKey, { url: receiver.url('/many') })),
    );
    const created = answers.filter(({ status }) => status === 200);
    // One is there from before.
    expect(created).toHaveLength(19);
    expect(answers.find(({ status }) => status === 409)?.body.errors[0].error).toBe(
      'TOO_MANY_WEBHOOK_ENDPOINTS',
    );
    const { webhook_id: id } = created[0]!.body.data;
    expect((await api.get(`/v1/webhooks/${id}`, key)).status).toBe(404);
    expect((await api.patch(`/v1/webhooks/${id}`, key, { enabled: false })).status).toBe(404);
    expect((await api.delete(`/v1/webhooks/${id}`, key)).status).toBe(404);
    expect((await api.post(`/v1/webhooks/${id}/rotate-secret`, key, {})).status).toBe(404);
  });
});

describe('trunk and registration', () => {
  it('report that a server stopped answering and answers again, with the numbers that use it', async () => {
    await register('/trunks', ['trunk.*', 'registration.*']);
    await api.post('/v1/sip/attach', key, {
      phone_numbers: ['+14155550105'],
      directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com:5061;transport=tls' }],
      service: 'sip',
    });
    const check = (seconds: number, status: 'healthy' | 'unreachable') => ({
      id: `${Date.now() + seconds * 1_000}-0`,
      json: JSON.stringify({
        version: 1,
        endpoint: 'tls:pbx.example.com:5061',
        edge_id: 'edge-1',
        checked_at: new Date(Date.now() + seconds * 1_000).toISOString(),
        status,
        reason: status === 'healthy' ? null : 'timeout',
        detail: null,
        sip_status: status === 'healthy' ? 200 : null,
        response_time_milliseconds: status === 'healthy' ? 12 : null,
        evidence: 'probe',
        targets: [],
      }),
    });
    await storeChecks(bench.database, [
      check(0, 'healthy'),
      check(1, 'unreachable'),
      check(2, 'unreachable'),
    ]);
    await storeChecks(bench.database, [check(3, 'healthy'), check(4, 'healthy')]);
    const now = new Date().toISOString();
    const registration = {
      version: 1,
      registration: 'reg-1',
      organization: bench.organization,
      registrar: 'tls:pbx.example.com',
      username: 'demarc',
      edge_id: 'edge-1',
      state: 'failed',
      since: now,
      attempted_at: now,
      expires_at: null,
      next_attempt_at: now,
      sip_code: 403,
      last_error: 'Forbidden',
      contact: null,
      address: null,
    };
    await redis.xadd(momentStream, '*', 'moment', JSON.stringify({ kind: 'registration', registration }));
    await until(() => receiver.of('/trunks').length === 3, 5_000, 'three events');
    const bodies = receiver.of('/trunks').map(bodyOf);
    expect(bodies.map(({ event }) => event).toSorted()).toEqual([
      'registration.failed',
      'trunk.recovered',
      'trunk.unreachable',
    ]);
    expect(bodies.find(({ event }) => event === 'trunk.unreachable').data).toMatchObject({
      server: 'tls:pbx.example.com:5061',
      reason: 'timeout',
      phone_numbers: ['+14155550105'],
    });
    expect(bodies.find(({ event }) => event === 'registration.failed').data).toMatchObject({
      username: 'demarc',
      sip_code: 403,
    });
  });
});
