import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CallControlReply,
  callControlChannel,
  callControlReplyKey,
  callControlSchema,
} from '../../../src/contract/call-control.js';
import { type CallCommand, callCommandSchema } from '../../../src/contract/commands.js';
import {
  commandStream,
  edgeLeaseKey,
  orderedCallKey,
  orderLineKey,
  readyEdgesKey,
  stopChannel,
} from '../../../src/contract/keys.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import {
  type TransferOrder,
  type TransferReply,
  transferChannel,
  transferOrderSchema,
  transferReplyKey,
} from '../../../src/contract/transfer.js';
import { readEntry, storeEntries } from '../../../src/control/calls/history/call-storage.js';
import { AbandonedListenings, noteBeginning } from '../../../src/control/calls/listening/listening-log.js';
import type { Scope } from '../../../src/control/http/scopes.js';
import { createKey, revokeKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { Listenings } from '../../../src/edge/listening/listenings.js';
import { parseWave } from '../../../src/rtp/wave.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench, log } from './control-bench.js';
import { sampleRecord } from './history/sample-record.js';

const mine = '+14155550100';
const inboundOnly = '+14155550101';
const strangersNumber = '+14155550102';
const callee = '+4930123456';

const secretKey = generateSecretKey();
let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let key: string;
let otherKey: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, { DEMARC_CALL_QUEUE_LENGTH: '5', DEMARC_SECRET_KEY: secretKey });
  redis = bench.redis.client();
  await bench.pretendEdge();
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const attach = async (withKey: string, number: string, direction: Record<string, unknown>) => {
    const body = { phone_numbers: [number], directions: [direction], service: 'sip' };
    const answer = await api.post('/v1/sip/attach', withKey, body);
    expect(answer.body.data.failed).toEqual([]);
  };
  const headers = [
    { type: 'custom', key: 'account', value: 'X-Account' },
    { type: 'custom', key: 'X-Tenant', value: 'acme', passthrough: true },
    { type: 'uui', target: 'ticket' },
  ];
  const outbound = {
    type: 'outbound',
    sip_endpoint: 'sip:pbx.example.com',
    headers: { direction: 'outbound', headers },
  };
  await attach(key, mine, outbound);
  await attach(key, inboundOnly, { type: 'inbound', allowed_ips: ['192.0.2.1'] });
  await attach(otherKey, strangersNumber, outbound);
});
afterAll(async () => {
  redis?.disconnect();
  await api?.stop();
  await bench?.stop();
});

const place = (fields: Record<string, unknown> = {}, withKey = key) =>
  api.post('/v1/calls', withKey, { phone_number: callee, from: mine, task: 'Say hello.', ...fields });
const read = (callId: string, withKey = key) => api.get(`/v1/calls/${callId}`, withKey);

async function ordered(callId: string): Promise<CallCommand | undefined> {
  const entries = await redis.xrange(commandStream, '-', '+');
  return entries
    .map(([, fields]) => callCommandSchema.parse(JSON.parse(fields[1]!)))
    .find((command) => command.call_id === callId);
}

async function ended(callId: string, fields: Record<string, unknown>): Promise<void> {
  const record = sampleRecord(callId, {
    organization: bench.organization,
    number: mine.slice(1),
    direction: 'outbound',
    // A call starts after its order.
    started_at: new Date().toISOString(),
    ...fields,
  });
  await storeEntries(bench.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
}

const failed = (status: number, reason: string) => ({
  answered_at: null,
  duration_milliseconds: 0,
  outcome: 'refused' as const,
  sip_status: status,
  sip_reason: reason,
  end_reason: 'trunk_refused' as const,
  ended_by: 'callee' as const,
  detail: `pbx.example.com tls: ${status} ${reason}`,
});

describe('Idempotency-Key', () => {
  const order = { phone_number: callee, from: mine, task: 'Say hello.' };
  const send = (idempotencyKey: string, body: object = order, path = '/v1/calls', withKey = key) =>
    api.post(path, withKey, body, { 'idempotency-key': idempotencyKey });
  const commands = () => redis.xlen(commandStream);

  it('gives a repeated request the first answer, and dials once', async () => {
    const before = await commands();
    const first = await send('repeated');
    const second = await send('repeated');
    expect(first.status).toBe(200);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(second).toMatchObject({ status: 200, text: first.text });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await commands()).toBe(before + 1);
  });

  it('gives requests that come at once one answer, and dials once', async () => {
    const before = await commands();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('at-once')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect(await commands()).toBe(before + 1);
  });

  it('refuses another body under the same key, and separates keys by path and API key', async () => {
    const first = await send('once');
    expect(await send('once', { ...order, task: 'Say goodbye.' })).toMatchObject({
      status: 409,
      body: { errors: [{ error: 'IDEMPOTENCY_KEY_REUSED' }] },
    });
    const { key: second } = await createKey(bench.database, bench.organization, 'second');
    expect((await send('once', order, '/v1/calls', second)).body.call_id).not.toBe(first.body.call_id);
    expect((await send('once', {}, `/v1/calls/${first.body.call_id}/stop`)).status).toBe(200);
  });

  it('frees the key of a refused order, which can be sent again as it was or corrected', async () => {
    const before = await commands();
    const later = '+14155550103';
    const tooEarly = { ...order, from: later };
    expect((await send('too-early', tooEarly)).status).toBe(400);
    const direction = { type: 'outbound', sip_endpoint: 'sip:pbx.example.com' };
    await api.post('/v1/sip/attach', key, {
      phone_numbers: [later],
      directions: [direction],
      service: 'sip',
    });
    const taken = await send('too-early', tooEarly);
    expect([taken.status, taken.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect((await send('too-early', tooEarly)).headers.get('idempotent-replayed')).toBe('true');

    expect((await send('wrong', { ...order, from: strangersNumber })).status).toBe(400);
    const corrected = await send('wrong', order);
    expect(corrected.status).toBe(200);
    expect(await send('wrong', order)).toMatchObject({ status: 200, text: corrected.text });
    expect(await commands()).toBe(before + 2);
  });

  it('does not use up the key of an invalid order, nor of one that fails', async () => {
    expect((await send('mended', { ...order, nonsense: 1 })).status).toBe(400);
    expect((await send('mended')).status).toBe(200);
    await redis.del(readyEdgesKey);
    expect((await send('no-edge')).body.errors[0].error).toBe('NO_EDGE_READY');
    await bench.pretendEdge();
    expect((await send('no-edge')).status).toBe(200);
  });

  it('keeps the key of an order that may have been dialled before it was refused', async () => {
    const { body } = await send('answer-lost');
    // As if the process had died between storing the order and its answer, and the order were refused now.
    await sql`update idempotent_requests set status = null, answer = null, lease_until = now()
      where idempotency_key = 'answer-lost'`.execute(bench.database);
    const number = mine.slice(1);
    await sql`update configurations set direction = 'inbound' where number = ${number}`.execute(
      bench.database,
    );
    expect((await send('answer-lost')).status).toBe(400);
    await sql`update configurations set direction = 'outbound' where number = ${number}`.execute(
      bench.database,
    );
    const corrected = await send('answer-lost', { ...order, task: 'Say goodbye.' });
    expect(corrected.body.errors[0].error).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await send('answer-lost')).body.call_id).toBe(body.call_id);
  });

  it.each(['', 'with blank', 'x'.repeat(256)])('refuses %j as a key', async (idempotencyKey) => {
    expect((await send(idempotencyKey)).body.errors[0].path).toBe('headers.idempotency-key');
  });

  it('stores no secret of an answer in the clear', async () => {
    const first = await send('secret', {}, '/v1/webhooks/secret');
    const { secret } = first.body.data;
    expect(secret).toMatch(/^whsec_/);
    expect((await send('secret', {}, '/v1/webhooks/secret')).body.data.secret).toBe(secret);
    const stored = await bench.database.selectFrom('idempotent_requests').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain(order.task);
  });

  it('drops a request after its retention', async () => {
    const first = await send('old');
    await bench.database
      .updateTable('idempotent_requests')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('idempotency_key', '=', 'old')
      .execute();
    expect((await send('old')).body.call_id).not.toBe(first.body.call_id);
  });
});

describe('POST /v1/calls', () => {
  it('orders the call and keeps its context for the agent', async () => {
    const context = { request_data: { name: 'Zoë', visits: [1, 2] }, metadata: { campaign: 'spring' } };
    const answer = await place({ ...context, max_duration: 1.5, precall_dtmf_sequence: '12w#' });
    expect(answer.status).toBe(200);
    const { call_id: callId, ...rest } = answer.body;
    expect(rest).toEqual({ status: 'success', message: 'The call is queued.', batch_id: null });
    expect(await ordered(callId)).toMatchObject({
      organization: bench.organization,
      number: mine.slice(1),
      phone_number: callee.slice(1),
      max_duration_seconds: 90,
      precall_dtmf_sequence: '12w#',
    });
    expect((await read(callId)).body).toMatchObject({
      call_id: callId,
      to: callee,
      from: mine,
      task: 'Say hello.',
      inbound: false,
      completed: false,
      status: null,
      queue_status: 'new',
      max_duration: 1.5,
      ...context,
    });
  });

  it('passes the edges only the request data that header mappings read', async () => {
    const answer = await place({ request_data: { account: 4_711, 'X-Tenant': 'other', name: 'Zoë' } });
    expect((await ordered(answer.body.call_id))?.variables).toEqual({ account: '4711' });
    const without = await place({ request_data: { name: 'Zoë', ticket: null } });
    expect(await ordered(without.body.call_id)).not.toHaveProperty('variables');
  });

  it.each([
    ['a header with a line end', { request_data: { account: 'a\r\nX: b' } }, 'request_data.account'],
    ['a header that is a list', { request_data: { ticket: [1] } }, 'request_data.ticket'],
    ['an unknown field', { accent: 'maya' }, 'accent'],
    ['no number', { phone_number: 'bob' }, 'phone_number'],
    ['a number that is not attached', { from: '+12025550123' }, 'from'],
    ['a number without an outbound direction', { from: inboundOnly }, 'from'],
    ['a number of another organization', { from: strangersNumber }, 'from'],
    ['no task', { task: undefined }, 'task'],
    ['digits that no phone has', { precall_dtmf_sequence: '1x' }, 'precall_dtmf_sequence'],
    ['an endless call', { max_duration: 100_000 }, 'max_duration'],
    ['request data that is no object', { request_data: [1] }, 'request_data'],
  ])('refuses %s', async (_, fields, path) => {
    const before = await redis.xlen(commandStream);
    const answer = await place(fields);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ error: 'VALIDATION_ERROR', path }]);
    expect(await redis.xlen(commandStream)).toBe(before);
  });

  it('answers the same for numbers of others and for unknown numbers', async () => {
    const [first, second] = [await place({ from: strangersNumber }), await place({ from: '+12025550123' })];
    const messageOf = (answer: typeof first) => answer.body.errors[0].message.replace(/\+\d+/, '');
    expect(messageOf(first)).toBe(messageOf(second));
    expect((await place({}, '')).status).toBe(401);
  });

  it('refuses more orders than edges take', async () => {
    const pipeline = redis.pipeline();
    for (let at = 0; at < 1_000; at++) pipeline.xadd(commandStream, '*', 'command', '{}');
    await pipeline.exec();
    const answer = await place();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body.errors[0].error).toBe('TOO_MANY_CALLS_WAITING');
    await redis.del(commandStream);
  });

  it('refuses and drops orders that no edge could take', async () => {
    await redis.del(readyEdgesKey);
    const before = (await api.get('/v1/calls', key)).body.total_count;
    const answer = await place();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body.errors[0].error).toBe('NO_EDGE_READY');
    await redis.zadd(readyEdgesKey, Date.now() - 1, 'dead');
    expect((await place()).status).toBe(503);
    expect((await api.get('/v1/calls', key)).body.total_count).toBe(before);
    await bench.pretendEdge();
  });

  it('lets as many orders wait for the limits of a number as may, however many come at once', async () => {
    const limit = (limits: object | null) =>
      api.patch('/v1/sip/config', key, { phone_number: mine, direction: 'outbound', limits });
    expect((await limit({ concurrent_calls: 1 })).status).toBe(200);
    await redis.del(orderLineKey(mine.slice(1)));
    const answers = await Promise.all(Array.from({ length: 8 }, () => place()));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual(Array(3).fill(429));
    expect(refused[0]!.headers.get('retry-after')).toBe('10');
    expect(refused[0]!.body.errors[0].error).toBe('NUMBER_QUEUE_FULL');
    await redis.del(orderLineKey(mine.slice(1)), commandStream);
    await limit(null);
    // Without limits there is nothing to wait for.
    const all = await Promise.all(Array.from({ length: 8 }, () => place()));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await redis.del(orderLineKey(mine.slice(1)), commandStream);
  });
});

describe('an order that waits for its turn', () => {
  const inLine = async (until: number): Promise<string> => {
    const { call_id: callId } = (await place()).body;
    const command = JSON.stringify(await ordered(callId));
    await redis.hset(orderedCallKey(callId), 'command', command, 'until', String(until));
    return callId;
  };

  it('is queued until its time is over', async () => {
    expect((await read(await inLine(Date.now() + 60_000))).body).toMatchObject({
      completed: false,
      queue_status: 'queued',
    });
    expect((await read(await inLine(Date.now() - 11_000))).body).toMatchObject({
      completed: true,
      status: 'failed',
      queue_status: 'queue_error',
      error_message: expect.stringContaining('at its limits'),
    });
  });

  it('is over when it is stopped', async () => {
    const callId = await inLine(Date.now() + 60_000);
    await api.post(`/v1/calls/${callId}/stop`, key, {});
    expect((await read(callId)).body).toMatchObject({ completed: true, status: 'canceled' });
  });

  it('is not over at once when Redis does not have it: an edge may restore it', async () => {
    const { call_id: callId } = (await place()).body;
    await redis.del(orderedCallKey(callId));
    expect((await read(callId)).body).toMatchObject({ completed: false, queue_status: 'new' });
    await bench.database
      .updateTable('ordered_calls')
      .set({ created_at: new Date(Date.now() - 11_000) })
      .where('call_id', '=', callId)
      .execute();
    expect((await read(callId)).body).toMatchObject({ completed: false, status: null });
  });
});

describe('GET /v1/calls', () => {
  it('follows the call through the edge to its record', async () => {
    const { call_id: callId } = (await place()).body;
    const hash = orderedCallKey(callId);
    await redis.hset(hash, 'claimed_by', 'edge-1', 'phase', 'claimed');
    await redis.set(edgeLeaseKey('edge-1'), '1');
    expect((await read(callId)).body).toMatchObject({ status: null, queue_status: 'allocated' });
    await redis.hset(hash, 'phase', 'ringing');
    expect((await read(callId)).body).toMatchObject({ status: null, queue_status: 'started' });
    await ended(callId, { end_reason: 'callee_hung_up', ended_by: 'callee', duration_milliseconds: 90_000 });
    expect((await read(callId)).body).toMatchObject({
      completed: true,
      status: 'completed',
      queue_status: 'complete',
      call_ended_by: 'USER',
      call_length: 1.5,
      corrected_duration: '90',
      error_message: null,
      sip: { code: 200, side: 'callee', end_reason: 'callee_hung_up' },
    });
  });

  it.each([
    [failed(486, 'Busy Here'), 'busy'],
    [failed(603, 'Decline'), 'failed'],
    [failed(480, 'Temporarily Unavailable'), 'no-answer'],
    [{ ...failed(487, 'Request Terminated'), outcome: 'failed', end_reason: 'trunk_no_answer' }, 'no-answer'],
    [{ ...failed(487, 'Request Terminated'), outcome: 'cancelled', end_reason: 'stopped' }, 'canceled'],
    [{ ...failed(503, 'Service Unavailable'), outcome: 'failed', end_reason: 'trunk_unreachable' }, 'failed'],
    [
      {
        outcome: 'completed',
        end_reason: 'media_timeout',
        sip_status: 200,
        sip_reason: 'OK',
        detail: 'Silence.',
      },
      'completed',
    ],
    [
      {
        outcome: 'completed',
        end_reason: 'dead_air',
        sip_status: 200,
        sip_reason: 'OK',
        detail: 'No audio.',
      },
      'completed',
    ],
  ] as const)('names what became of it: %#', async (fields, status) => {
    const { call_id: callId } = (await place()).body;
    await ended(callId, fields);
    expect((await read(callId)).body).toMatchObject({
      completed: true,
      status,
      sip: { code: fields.sip_status, reason: fields.sip_reason },
      error_message: fields.detail,
    });
  });

  it('explains endings that carry no detail', async () => {
    const { call_id: callId } = (await place()).body;
    await ended(callId, { outcome: 'cancelled', end_reason: 'stopped', ended_by: 'api', detail: null });
    expect((await read(callId)).body).toMatchObject({
      status: 'canceled',
      error_message: 'The API ended the call.',
    });
  });

  it('shows the transfer target', async () => {
    const { call_id: callId } = (await place()).body;
    const at = '2026-11-20T15:00:05.000Z';
    const transfer = {
      mode: 'bridge' as const,
      requested_by: 'agent' as const,
      target: 'tel:+4930765432',
      sip_status: 200,
      sip_reason: 'OK',
      detail: null,
      requested_at: at,
      completed_at: at,
      sip_call_id: 'x',
      other_call_id: null,
    };
    const transfers = [
      { ...transfer, status: 'failed' as const, reason: 'rejected' as const, sip_status: 486 },
      { ...transfer, status: 'completed' as const, reason: 'completed' as const },
    ];
    await ended(callId, { end_reason: 'target_hung_up', ended_by: 'target', transfers });
    expect((await read(callId)).body).toMatchObject({
      transferred_to: 'tel:+4930765432',
      transferred_at: at,
      transfer: transfers[1],
      call_ended_by: 'USER',
    });
    expect((await api.get(`/v1/sip/calls/${callId}`, key)).body.data).toMatchObject({ transfers });
  });

  it('reports a dead edge, and orders that no edge took', async () => {
    const { call_id: lost } = (await place()).body;
    await redis.hset(orderedCallKey(lost), 'claimed_by', 'edge-2', 'phase', 'dialling');
    expect((await read(lost)).body).toMatchObject({
      completed: true,
      status: 'failed',
      queue_status: 'call_error',
      error_message: expect.stringContaining('not dialled again'),
    });
    await redis.hset(orderedCallKey(lost), 'phase', 'answered');
    expect((await read(lost)).body).toMatchObject({ status: 'unknown', queue_status: 'call_error' });
    const { call_id: late } = (await place()).body;
    await bench.database
      .updateTable('ordered_calls')
      .set({ created_at: new Date(Date.now() - 120_000) })
      .where('call_id', '=', late)
      .execute();
    expect((await read(late)).body).toMatchObject({
      completed: true,
      status: 'failed',
      queue_status: 'queue_error',
    });
  });

  it('lists and filters the calls of the organization only', async () => {
    const { call_id: callId } = (await place({ phone_number: '+4930999999' })).body;
    const all = (await api.get('/v1/calls', key)).body;
    expect(all.calls[0].call_id).toBe(callId);
    expect(all.total_count).toBe(all.count);
    const page = (await api.get('/v1/calls?limit=2&ascending=true', key)).body;
    expect(page).toMatchObject({ count: 2, total_count: all.count });
    expect(page.calls[0].call_id).toBe(all.calls.at(-1).call_id);
    const seen: string[] = [];
    const written: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await api.get(`/v1/calls?limit=3${after === '' ? '' : `&after=${after}`}`, key);
      seen.push(...body.calls.map((call: { call_id: string }) => call.call_id));
      expect(body).not.toHaveProperty('data');
      after = body.next;
      // Written between two pages: neither moves an entry to another page.
      if (after !== null) written.push((await place()).body.call_id);
    }
    expect(written.length).toBeGreaterThan(0);
    expect(seen).toEqual(all.calls.map((call: { call_id: string }) => call.call_id));
    const filtered = (await api.get('/v1/calls?to_number=%2B4930999999', key)).body;
    expect(filtered.calls.map((call: { call_id: string }) => call.call_id)).toEqual([callId]);
    expect((await api.get('/v1/calls?nonsense=1', key)).status).toBe(400);
    expect((await api.get('/v1/calls', otherKey)).body).toEqual({
      has_more: false,
      next: null,
      errors: null,
      count: 0,
      total_count: 0,
      calls: [],
    });
    expect((await read(callId, otherKey)).status).toBe(404);
    expect((await api.post(`/v1/calls/${callId}/stop`, otherKey, {})).status).toBe(404);
  });

  it('filters by state, live or final, by end reason and by metadata', async () => {
    const metadata = { campaign: 'filters', step: 7 };
    const place3 = async () => (await place({ metadata })).body.call_id as string;
    const [rings, talks, busy] = [await place3(), await place3(), await place3()];
    const progress = {
      started_at: '2026-11-20T15:00:00.000Z',
      ringing_at: '2026-11-20T15:00:01.000Z',
      answered_at: null,
      attempts: [],
      on_hold: false,
    };
    const live = async (callId: string, phase: string, more: object) => {
      const json = JSON.stringify({ ...progress, ...more });
      await redis.hset(orderedCallKey(callId), { claimed_by: 'edge-1', phase, progress: json });
    };
    await redis.set(edgeLeaseKey('edge-1'), '1');
    await live(rings, 'ringing', {});
    await live(talks, 'answered', { answered_at: '2026-11-20T15:00:02.000Z' });
    await ended(busy, failed(486, 'Busy Here'));
    const found = async (query: string): Promise<string[]> => {
      const { body } = await api.get(`/v1/calls?metadata[campaign]=filters&ascending=true&${query}`, key);
      return body.calls.map((call: { call_id: string }) => call.call_id);
    };
    expect(await found('')).toEqual([rings, talks, busy]);
    expect(await found('metadata[step]=7')).toEqual([rings, talks, busy]);
    expect(await found('metadata[step]=8')).toEqual([]);
    expect(await found('state=active')).toEqual([rings, talks]);
    expect(await found('state=ringing')).toEqual([rings]);
    expect(await found('state=in_progress')).toEqual([talks]);
    expect(await found('state=busy')).toEqual([busy]);
    expect(await found('state=failed')).toEqual([]);
    expect(await found('end_reason=trunk_refused')).toEqual([busy]);
    expect((await read(talks)).body).toMatchObject({
      state: 'in_progress',
      answered_at: '2026-11-20T15:00:02.000Z',
    });
  });

  it('limits a list to a few megabytes', async () => {
    const { call_id: model } = (await place({ phone_number: '+4930888888' })).body;
    await sql`insert into ordered_calls
      (call_id, organization_id, number, phone_number, task, request_data, max_duration_minutes, created_at)
      select 'long ' || n, organization_id, number, phone_number, task,
        jsonb_build_object('text', repeat('x', 200000)), 1, created_at
      from ordered_calls, generate_series(1, 60) n where call_id = ${model}`.execute(bench.database);
    const answer = await api.get('/v1/calls?to_number=%2B4930888888', key);
    expect(answer.text.length).toBeLessThan(5_000_000);
    expect(answer.body.total_count).toBe(61);
    expect(answer.body.count).toBeGreaterThan(5);
    expect(answer.body.next).not.toBeNull();
    await sql`delete from ordered_calls where call_id like 'long %'`.execute(bench.database);
  });
});

describe('POST /v1/calls/{id}/stop', () => {
  it('marks the call and notifies the edges', async () => {
    const { call_id: callId } = (await place()).body;
    const listener = redis.duplicate();
    const stopped: string[] = [];
    listener.on('message', (_channel, message) => stopped.push(message));
    await listener.subscribe(stopChannel);
    expect((await api.post(`/v1/calls/${callId}/stop`, key, {})).body).toMatchObject({ status: 'success' });
    await until(() => stopped.length === 1, 2_000, 'the edges are notified');
    expect(stopped).toEqual([callId]);
    expect(await redis.hget(orderedCallKey(callId), 'stop')).toBe('1');
    listener.disconnect();
    await ended(callId, { outcome: 'completed' });
    expect((await api.post(`/v1/calls/${callId}/stop`, key, {})).body.message).toContain('already ended');
    expect((await api.post('/v1/calls/nothing/stop', key, {})).status).toBe(404);
  });
});

describe('POST /v1/calls/{id}/transfer', () => {
  const transfer = (callId: string, body: Record<string, unknown>) =>
    api.post(`/v1/calls/${callId}/transfer`, key, body);

  it('returns the answer of the edge that has the call, and 404 when none has it', async () => {
    expect((await transfer('nobody', { target: '+14155550100' })).status).toBe(404);
    expect((await transfer('nobody', { target: '+14155550100', mode: 'warm' })).status).toBe(400);
    const edge = bench.redis.client();
    const orders: TransferOrder[] = [];
    let reply: TransferReply = { result: 'begun', detail: null };
    await edge.subscribe(transferChannel);
    edge.on('message', (_channel, message) => {
      const order = transferOrderSchema.parse(JSON.parse(message));
      orders.push(order);
      void redis.set(transferReplyKey(order.request_id), JSON.stringify(reply), 'EX', 5);
    });
    expect((await transfer('c1', { target: '+14155550100', mode: 'refer' })).body).toMatchObject({
      status: 'success',
    });
    expect(orders[0]).toMatchObject({
      call_id: 'c1',
      organization: bench.organization,
      target: '+14155550100',
      mode: 'refer',
    });
    for (const [result, status] of [
      ['invalid', 400],
      ['forbidden', 403],
      ['conflict', 409],
    ] as const) {
      reply = { result, detail: 'because' };
      const answer = await transfer('c1', { target: 'sip:x@y' });
      expect(answer.status).toBe(status);
      expect(answer.body.errors[0].message).toMatch(/because$/);
    }
    edge.disconnect();
  });
});

describe('GET /v1/calls/{id}/audio', () => {
  /** The half of an edge that publishes, with a call whose audio cannot be copied: it is silent. */
  async function silentEdge() {
    const call = { hasEnded: false, media: undefined };
    const listenings = new Listenings({ redis, secrets: new SecretBox([secretKey]), log });
    const subscriber = bench.redis.client();
    await subscriber.subscribe(callControlChannel);
    subscriber.on('message', async (_channel, message) => {
      const order = callControlSchema.parse(JSON.parse(message));
      let reply: Omit<CallControlReply, 'owner'> = { result: 'unknown', detail: null };
      if (order.call_id === 'heard' && order.action === 'listen') {
        const detail = await listenings.begin(call, { id: order.listening_id, name: order.listener });
        reply = detail === undefined ? { result: 'done', detail: null } : { result: 'conflict', detail };
      } else if (order.action === 'end_listening') listenings.end(call, order.listening_id);
      await redis.rpush(
        callControlReplyKey(order.request_id),
        JSON.stringify({ owner: 'pretended', ...reply }),
      );
    });
    const stop = async (): Promise<void> => {
      subscriber.disconnect();
      await listenings.stop();
    };
    return { call, listenings, stop };
  }

  const newKey = (name: string, scope: Scope) =>
    createKey(bench.database, bench.organization, name, { scopes: [scope] });
  const auditOf = async (name: string): Promise<string[]> => {
    const { events } = (await api.get('/v1/audit', key)).body.data;
    return events
      .filter(({ actor }: { actor: { name: string } }) => actor.name === name)
      .map(({ subject, summary }: Record<string, string>) => `${subject}: ${summary}`)
      .reverse();
  };

  it('relays the audio until the call ends, or the key is revoked, and records each', async () => {
    const edge = await silentEdge();
    const { key: staying } = await newKey('staying', 'calls:listen');
    const { key: leaving, id: leavingId } = await newKey('leaving', 'calls:listen');
    const [whole, withdrawn] = [staying, leaving].map((each) => api.get('/v1/calls/heard/audio', each));
    await until(() => edge.listenings.size === 2, 20_000, 'two listeners');
    const names = edge.listenings.listenersOf(edge.call).map(({ name }) => name);
    expect(names.sort()).toEqual(['leaving', 'staying']);
    await revokeKey(bench.database, leavingId);
    expect(parseWave((await withdrawn!).bytes)).toMatchObject({ encoding: 'PCMU', channels: 2, rate: 8_000 });
    await until(() => edge.listenings.size === 1, 20_000, 'the edge ends the withdrawn one');
    edge.call.hasEnded = true;
    const { data } = parseWave((await whole!).bytes)!;
    // Five seconds at the least: so long did the other one take.
    expect(data.length).toBeGreaterThan(16_000);
    expect(data.every((octet) => octet === 0xff)).toBe(true);
    const pattern = (reason: string) => [
      'heard: Begin to listen to a call',
      expect.stringMatching(new RegExp(`^heard: Stop listening to a call after \\d+ s: ${reason}$`)),
    ];
    await expect.poll(() => auditOf('staying'), { timeout: 20_000 }).toEqual(pattern('the call ended'));
    await expect
      .poll(() => auditOf('leaving'), { timeout: 20_000 })
      .toEqual(pattern('the right was withdrawn'));
    await edge.stop();
  });

  it('is refused without the right, and for a call that no edge has', async () => {
    const edge = await silentEdge();
    const { key: operator } = await newKey('operator', 'calls:write');
    expect((await api.get('/v1/calls/heard/audio', operator)).body.errors[0].error).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect((await api.get('/v1/calls/other/audio', key)).status).toBe(404);
    expect(edge.listenings.size).toBe(0);
    await edge.stop();
  });

  it('is recorded as ended when its process was killed', async () => {
    const actor = { kind: 'key', id: 'key_1', name: 'killed' } as const;
    const id = randomUUID();
    const { database, organization: organizationId } = bench;
    await noteBeginning(database, { id, organizationId, callId: 'heard', actor, address: '192.0.2.1' });
    const sweep = new AbandonedListenings(database, log);
    await sweep.sweep();
    expect(await auditOf('killed')).toHaveLength(1);
    await sql`update listenings set began_at = now() - interval '100 s', seen_at = now() - interval '70 s'`.execute(
      database,
    );
    await sweep.sweep();
    await sweep.sweep();
    expect(await auditOf('killed')).toEqual([
      'heard: Begin to listen to a call',
      'heard: Stop listening to a call after 30 s: control was cut off',
    ]);
  });
});

describe('without Redis', () => {
  it('reports that calls cannot be placed, and still lists them', async () => {
    const { call_id: callId } = (await place()).body;
    await bench.redis.kill();
    const answer = await place();
    expect(answer.status).toBe(503);
    expect(answer.body.errors[0].error).toBe('CALLS_UNAVAILABLE');
    expect((await api.post(`/v1/calls/${callId}/stop`, key, {})).status).toBe(503);
    expect((await read(callId)).body).toMatchObject({ call_id: callId, status: null });
    await bench.redis.up();
    await until(async () => (await place()).status === 503, 5_000, 'Redis is back');
    await bench.pretendEdge();
    await until(async () => (await place()).status === 200, 5_000, 'an edge is back');
  });
});
