import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import type { CallCommand } from '../../../../src/contract/commands.js';
import { edgeLeaseKey, orderedCallKey } from '../../../../src/contract/keys.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { Retention } from '../../../../src/control/calls/history/retention.js';
import { eraseStoredCalls, stopUpcomingCalls } from '../../../../src/control/calls/index.js';
import { LostCalls } from '../../../../src/control/calls/lost/lost-calls.js';
import { CallFeeder } from '../../../../src/control/calls/orders/call-feeder.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let number: string;
let foreign: string;
let given: { readonly command: CallCommand; readonly line: number }[] = [];
let outcome: string;
let serial = 0;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
  [number, foreign] = [await outbound(user), await outbound(stranger)];
  given = [];
  outcome = 'ordered';
  api.redis.script('giveOrder', (_keys, [command, , line]) => {
    if (outcome === 'ordered') given.push({ command: JSON.parse(command!), line: Number(line) });
    return outcome;
  });
});

async function outbound(by: ApiUser): Promise<string> {
  const phone_number = `+1415556${6_000 + ++serial}`;
  const directions = [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }];
  const { status, body } = await by.post('/sip/attach', { phone_number, directions, service: 'sip' });
  expect(status, JSON.stringify(body)).toBe(200);
  return phone_number;
}
const order = (fields: object = {}, by = user) =>
  by.post('/calls', {
    phone_number: '+14155550199',
    from: by === user ? number : foreign,
    task: 'Remind them.',
    ...fields,
  });
/** The id of a call that was ordered so many minutes ago. */
async function ordered(minutesAgo: number, fields: object = {}, by = user): Promise<string> {
  const { body } = await order(fields, by);
  expect(body.call_id, JSON.stringify(body)).toBeTruthy();
  await set(body.call_id, { created_at: minutes(-minutesAgo) });
  return body.call_id;
}
const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
const set = (callId: string, values: object) =>
  api.database.updateTable('ordered_calls').set(values).where('call_id', '=', callId).execute();
const stored = (callId: string) =>
  api.database.selectFrom('ordered_calls').selectAll().where('call_id', '=', callId).executeTakeFirst();
async function end(callId: string, fields: Partial<CallRecord>, by = user): Promise<void> {
  const record = sampleRecord(callId, {
    organization: by.organizationId,
    number: (by === user ? number : foreign).slice(1),
    direction: 'outbound',
    to: '<sip:+14155550199@trunk.example>',
    started_at: minutes(-2).toISOString(),
    answered_at: null,
    ended_at: minutes(-1).toISOString(),
    ...fields,
  });
  await storeEntries(api.database, [readEntry({ id: `${++serial}-9`, json: JSON.stringify(record) })]);
}
const listed = async (query = '', by = user): Promise<string[]> => {
  const { body } = await by.get(`/calls${query}`);
  expect(body.calls, JSON.stringify(body)).toBeTruthy();
  return body.calls.map(({ call_id }: { call_id: string }) => call_id);
};

describe('an order of a call', () => {
  it('is given to the edges once, within the limits of its number', async () => {
    const { body } = await order({
      request_data: { a: 1 },
      metadata: { row: 7 },
      webhook: 'https://hooks.example.com',
    });
    expect(body).toMatchObject({ status: 'success', message: 'The call is queued.', batch_id: null });
    expect(given).toMatchObject([
      { line: -1, command: { call_id: body.call_id, phone_number: '14155550199' } },
    ]);
    expect((await user.get(`/calls/${body.call_id}`)).body).toMatchObject({
      call_id: body.call_id,
      state: 'queued',
      task: 'Remind them.',
      metadata: { row: 7 },
      completed: false,
    });
    expect((await stranger.get(`/calls/${body.call_id}`)).status).toBe(404);
    const limits = { concurrent_calls: 2 };
    await user.patch('/sip/config', { phone_number: number, direction: 'outbound', limits });
    await order();
    expect(given[1]!.line).toBe(api.settings.callQueue.length);
    await order({}, stranger);
    expect(given[2]!.line).toBe(-1);
  });

  it.each([
    ['no_edge', 503, 'NO_EDGE_READY'],
    ['full', 503, 'TOO_MANY_CALLS_WAITING'],
    ['line_full', 429, 'NUMBER_QUEUE_FULL'],
  ])('is not kept when the edges answer %s', async (answer, status, error) => {
    const kept = await ordered(1);
    outcome = answer;
    const refused = await order();
    expect([refused.status, refused.body.errors[0].error]).toEqual([status, error]);
    expect(await listed()).toEqual([kept]);
  });

  it('is refused from a number of another organization, and without an outbound direction', async () => {
    for (const from of [foreign, '+14155550001']) {
      const refused = await order({ from });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'from']);
    }
    expect(given).toEqual([]);
  });

  it('is stopped before an edge has it, by its own organization', async () => {
    const at = minutes(60).toISOString();
    const { body } = await order({ scheduled_at: at });
    const neighbour = await order({ scheduled_at: at });
    expect(body.message).toBe('The call is scheduled.');
    expect(given).toEqual([]);
    expect((await stored(body.call_id))!.take_at).toEqual(new Date(at));
    expect((await stranger.post(`/calls/${body.call_id}/stop`)).status).not.toBe(200);
    expect((await user.post(`/calls/${body.call_id}/stop`)).body.message).toBe('The call is ending.');
    expect((await user.get(`/calls/${body.call_id}`)).body).toMatchObject({
      state: 'cancelled',
      completed: true,
    });
    expect((await user.get(`/calls/${neighbour.body.call_id}`)).body).toMatchObject({ state: 'queued' });
    expect(await stored(body.call_id)).toMatchObject({ settled: true, pending: null });
    expect(await stored(neighbour.body.call_id)).toMatchObject({ settled: false });
    expect((await user.post(`/calls/${body.call_id}/stop`)).status).toBe(200);
    const ended = await ordered(3);
    await end(ended, {});
    expect((await user.post(`/calls/${ended}/stop`)).body.message).toBe('The call has already ended.');
  });
});

describe('the list of ordered calls', () => {
  it('is that of the own organization, in pages and in both directions', async () => {
    const [first, second, third] = [await ordered(3), await ordered(2), await ordered(1)];
    const strange = await ordered(2, {}, stranger);
    expect(await listed()).toEqual([third, second, first]);
    expect(await listed('?ascending=true')).toEqual([first, second, third]);
    const page = (await user.get('/calls?limit=2')).body;
    expect(page).toMatchObject({ count: 2, total_count: 3, has_more: true, next: second });
    expect(await listed(`?limit=2&after=${second}`)).toEqual([first]);
    expect(await listed(`?limit=2&ascending=true&after=${second}`)).toEqual([third]);
    expect((await user.get('/calls?limit=3')).body).toMatchObject({ has_more: false, next: null });
    const refused = await user.get(`/calls?after=${strange}`);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'after']);
  });

  it('is filtered by what was ordered', async () => {
    const plain = await ordered(5);
    const second = await outbound(user);
    for (const [query, fields] of [
      ['to_number=%2B14155550122', { phone_number: '+14155550122' }],
      [`from_number=${encodeURIComponent(second)}`, { from: second }],
      ['metadata[row]=9', { metadata: { row: 9 } }],
    ] as const) {
      const wanted = await ordered(5, fields);
      expect(await listed(`?${query}`)).toEqual([wanted]);
    }
    const at = encodeURIComponent(minutes(-10).toISOString());
    const old = await ordered(20);
    expect(await listed(`?end_date=${at}`)).toEqual([old]);
    const since = await listed(`?start_date=${at}`);
    expect([since.length, since.includes(old), since.includes(plain)]).toEqual([4, false, true]);
  });

  it('is filtered by how calls ended, in one organization', async () => {
    const ends: readonly [string, Partial<CallRecord>][] = [
      ['completed', { answered_at: minutes(-2).toISOString() }],
      ['cancelled', { outcome: 'cancelled', end_reason: 'stopped', sip_status: null }],
      ['busy', { outcome: 'failed', end_reason: 'trunk_refused', sip_status: 486 }],
      ['no_answer', { outcome: 'failed', end_reason: 'trunk_no_answer', sip_status: 408 }],
      ['failed', { outcome: 'failed', end_reason: 'trunk_refused', sip_status: 503 }],
    ];
    const ids = new Map<string, string>();
    for (const [state, fields] of ends) {
      const id = await ordered(3);
      await end(id, fields);
      ids.set(state, id);
      const strange = await ordered(3, {}, stranger);
      await end(strange, fields, stranger);
    }
    const active = await ordered(1);
    const lost = await ordered(3);
    await set(lost, {
      settled: true,
      lost: JSON.stringify({ status: 'unknown', queue_status: 'call_error', error_message: null }),
    });
    for (const [state, id] of ids) expect(await listed(`?state=${state}`), state).toEqual([id]);
    expect(await listed('?state=active')).toEqual([active]);
    expect(await listed('?state=queued')).toEqual([active]);
    expect(await listed('?state=ringing')).toEqual([]);
    expect(await listed('?state=unknown')).toEqual([lost]);
    expect(await listed('?end_reason=trunk_no_answer')).toEqual([ids.get('no_answer')]);
    const { body } = await user.get(`/calls/${ids.get('busy')}`);
    expect(body).toMatchObject({
      state: 'busy',
      completed: true,
      sip: { code: 486, end_reason: 'trunk_refused' },
    });
    const all = (await user.get('/calls')).body;
    expect(all.total_count).toBe(7);
    const shown = all.calls.find(({ call_id }: { call_id: string }) => call_id === ids.get('busy'));
    expect(shown).toMatchObject({ state: 'busy', ended_at: expect.any(String) });
  });
});

describe('a batch of calls', () => {
  const create = (fields: object = {}) =>
    user.post('/calls/batch', {
      from: number,
      name: 'Friday',
      task: 'Remind them.',
      calls: [{ phone_number: '+14155550131' }, { phone_number: '+14155550132' }],
      ...fields,
    });
  const feed = async (isDone: () => Promise<boolean>): Promise<void> => {
    const feeder = new CallFeeder({
      database: api.database,
      redis: api.redis.asRedis,
      queued: () => {},
      log,
    });
    await feeder.start();
    try {
      await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 60_000, interval: 20 });
    } finally {
      await feeder.stop();
    }
  };

  it('is dialled in its order, counted, listed and stopped by its organization alone', async () => {
    const first = (await create()).data;
    const second = (await create({ name: 'Saturday', scheduled_at: minutes(60).toISOString() })).data;
    expect(first).toMatchObject({ name: 'Friday', progress: { waiting: 2, active: 0 } });
    const id = first.batch_id;
    for (const path of [`/batches/${id}`, `/batches/${id}/stop`])
      expect((await (path.endsWith('stop') ? stranger.post(path) : stranger.get(path))).status).toBe(404);
    await feed(async () => given.length === 2);
    expect(given.map(({ command, line }) => [command.phone_number, line])).toEqual([
      ['14155550131', 3],
      ['14155550132', 3],
    ]);
    const counts = async (batch: string) => (await user.get(`/batches/${batch}`)).data.progress;
    expect(await counts(id)).toMatchObject({ waiting: 0, active: 2 });
    await end(given[0]!.command.call_id, { answered_at: minutes(-2).toISOString() });
    await end(given[1]!.command.call_id, { outcome: 'failed', end_reason: 'trunk_refused', sip_status: 503 });
    expect(await counts(id)).toMatchObject({ waiting: 0, active: 0, completed: 1, cancelled: 0, failed: 1 });
    expect(await counts(second.batch_id)).toMatchObject({ waiting: 2 });
    expect(await listed(`?batch_id=${id}`)).toHaveLength(2);
    const page = await user.get('/batches?limit=1');
    expect(page.data.batches.map(({ batch_id }: Record<string, unknown>) => batch_id)).toEqual([
      second.batch_id,
    ]);
    expect(page.data).toMatchObject({ has_more: true, next: second.batch_id });
    const rest = await user.get(`/batches?limit=1&after=${second.batch_id}`);
    expect(rest.data).toMatchObject({ batches: [{ batch_id: id }], has_more: false, next: null });
    expect((await stranger.get(`/batches?after=${id}`)).path).toBe('after');
    expect((await user.post(`/batches/${second.batch_id}/stop`)).status).toBe(200);
    await feed(async () => (await counts(second.batch_id)).cancelled === 2);
    expect(await counts(second.batch_id)).toMatchObject({ waiting: 0, cancelled: 2 });
    expect(given).toHaveLength(2);
  });

  it('keeps its calls while the queue of the number is full, and gives them up after its end', async () => {
    outcome = 'line_full';
    const { data } = await create();
    const rows = () =>
      api.database.selectFrom('ordered_calls').selectAll().where('batch_id', '=', data.batch_id).execute();
    await feed(async () => (await rows()).every(({ take_at: at, created_at: created }) => +at! === +created));
    expect((await rows()).map(({ settled, pending }) => [settled, pending === null])).toEqual([
      [false, false],
      [false, false],
    ]);
    await sql`update ordered_calls set pending_until = now() - interval '1 second'
      where batch_id = ${data.batch_id} and position = 0`.execute(api.database);
    await feed(async () => (await rows()).some(({ settled }) => settled));
    const [late, waiting] = (await rows()).toSorted((left, right) => left.position! - right.position!);
    expect(late).toMatchObject({ settled: true, pending: null });
    expect(waiting!.settled).toBe(false);
    expect((await user.get(`/calls/${late!.call_id}`)).body).toMatchObject({
      state: 'failed',
      error_message: expect.stringContaining('No edge took the call in time'),
    });
    outcome = 'stopped';
    await feed(async () => (await rows()).every(({ settled }) => settled));
    expect((await user.get(`/calls/${waiting!.call_id}`)).body.state).toBe('cancelled');
  });

  it('has a task for each call', async () => {
    const refused = await create({
      task: undefined,
      calls: [{ phone_number: '+14155550131', task: 'x' }, { phone_number: '+14155550132' }],
    });
    expect([refused.status, refused.path]).toEqual([400, 'calls.1.task']);
    expect((await user.get('/batches')).data.batches).toEqual([]);
  });
});

describe('an ordered call without a record', () => {
  it('is ended where it is certain that no edge has it, once', async () => {
    const lostCalls = new LostCalls({ database: api.database, redis: api.redis.asRedis, log });
    const webhook = 'https://hooks.example.com/lost';
    const [fresh, expired, claimed, dead] = [
      await ordered(1, { webhook }),
      await ordered(3, { webhook }),
      await ordered(3, { webhook }),
      await ordered(3, { webhook }),
    ];
    const { redis } = api;
    const key = (id: string) => orderedCallKey(id);
    for (const id of [fresh, expired]) await redis.hset(key(id), 'phase', 'expired');
    await redis.hset(key(claimed), 'claimed_by', 'edge-1 live', 'phase', 'answered');
    await redis.hset(key(dead), 'claimed_by', 'edge-2 dead', 'phase', 'ringing');
    await redis.set(edgeLeaseKey('edge-1 live'), '1');
    await lostCalls.sweep();
    const settled = async () => {
      const found: boolean[] = [];
      for (const id of [fresh, expired, claimed, dead]) found.push((await stored(id))!.settled);
      return found;
    };
    expect(await settled()).toEqual([false, true, false, false]);
    // The record of a dead edge may be on its way: it is looked for twice.
    await lostCalls.sweep();
    expect(await settled()).toEqual([false, true, false, true]);
    await lostCalls.sweep();
    expect(await settled()).toEqual([false, true, false, true]);
    expect((await user.get(`/calls/${expired}`)).body).toMatchObject({
      state: 'failed',
      queue_status: 'queue_error',
    });
    expect((await user.get(`/calls/${dead}`)).body).toMatchObject({
      state: 'failed',
      queue_status: 'call_error',
    });
    const deliveries = async () =>
      (
        await api.database
          .selectFrom('deliveries')
          .select('subject')
          .where('organization_id', '=', user.organizationId)
          .where('event', '=', 'call.lost')
          .execute()
      ).map(({ subject }) => subject);
    expect((await deliveries()).toSorted()).toEqual([expired, dead].toSorted());
    // Its record comes after all.
    await end(dead, { answered_at: minutes(-2).toISOString() });
    expect((await user.get(`/calls/${dead}`)).body).toMatchObject({ state: 'completed' });
    expect((await stored(dead))!.lost).toBeNull();
    expect((await user.get('/sip/calls?end_reason=edge_lost')).data.calls).toEqual([]);
  });
});

describe('old calls', () => {
  it('are deleted after the retention, of an organization with a shorter one earlier', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const call = async (count: number, by: ApiUser) => {
      const id = randomUUID();
      const times = { started_at: days(count), answered_at: days(count), ended_at: days(count) };
      await end(id, times, by);
      return id;
    };
    await sql`update organizations set call_retention_days = 10 where id = ${user.organizationId}`.execute(
      api.database,
    );
    const third = await api.user();
    await sql`update organizations set call_retention_days = 90 where id = ${third.organizationId}`.execute(
      api.database,
    );
    const own = [await call(9, user), await call(11, user)];
    const strange = [await call(29, stranger), await call(31, stranger)];
    const longer = await call(31, third);
    const orders = [await ordered(9 * 1_440), await ordered(11 * 1_440)];
    const foreignOrder = await ordered(11 * 1_440, {}, stranger);
    const has = async (id: string) =>
      (await api.database.selectFrom('calls').select('call_id').where('call_id', '=', id).execute())
        .length === 1;
    await new Retention({ database: api.database, log, days: 0 }).sweep();
    expect([await has(own[0]!), await has(own[1]!)]).toEqual([true, false]);
    expect([await has(strange[0]!), await has(strange[1]!), await has(longer)]).toEqual([true, true, true]);
    expect([await stored(orders[0]!), await stored(orders[1]!)]).toEqual([expect.anything(), undefined]);
    expect(await stored(foreignOrder)).toBeDefined();
    await new Retention({ database: api.database, log, days: 30 }).sweep();
    expect([await has(strange[0]!), await has(strange[1]!), await has(longer)]).toEqual([true, false, false]);
    expect(await has(own[0]!)).toBe(true);
  });
});

describe('the erasure of a contact from calls', () => {
  it('takes it out of calls and orders of its organization alone, and stops what is upcoming', async () => {
    const party = '+14155550177';
    const to = { to: `<sip:${party}@trunk.example>` };
    const [called, neighbour, strange] = [randomUUID(), randomUUID(), randomUUID()];
    await end(called, { ...to, answered_at: minutes(-2).toISOString() });
    await end(neighbour, { answered_at: minutes(-2).toISOString() });
    await end(strange, { ...to, answered_at: minutes(-2).toISOString() }, stranger);
    const at = { scheduled_at: minutes(60).toISOString() };
    const upcoming = (await order({ phone_number: party, ...at })).body.call_id;
    const kept = (await order(at)).body.call_id;
    const foreignOrder = (await order({ phone_number: party, ...at }, stranger)).body.call_id;
    await api.database
      .insertInto('refused_call_records')
      .values([
        { entry_id: `${++serial}-1`, entry: Buffer.from(`x ${party} x`), problem: 'not JSON' },
        { entry_id: `${++serial}-1`, entry: Buffer.from('x +14155550178 x'), problem: 'not JSON' },
      ])
      .execute();
    const { database } = api;
    const contact = { organizationId: user.organizationId, numbers: [party] };
    const withoutNumber = { ...contact, numbers: [] };
    expect(await stopUpcomingCalls({ database, redis: api.redis.asRedis }, withoutNumber, [])).toEqual([]);
    const stopped = await stopUpcomingCalls({ database, redis: api.redis.asRedis }, contact, []);
    expect(stopped).toEqual([upcoming]);
    expect(await eraseStoredCalls(database, withoutNumber)).toMatchObject({ calls: 0, orders: 0 });
    const erased = await eraseStoredCalls(database, contact);
    expect(erased).toMatchObject({ calls: 2, orders: 1, traceMessages: 8 });
    expect(erased.callIds.toSorted()).toEqual([called, upcoming].toSorted());
    const shown = async (id: string, by = user) => JSON.stringify((await by.get(`/sip/calls/${id}`)).data);
    expect(await shown(called)).not.toContain('4155550177');
    expect(await shown(strange, stranger)).toContain('4155550177');
    expect(await shown(neighbour)).toContain('4155550199');
    expect((await user.get(`/calls/${upcoming}`)).body).toMatchObject({
      to: 'removed',
      task: '',
      state: 'cancelled',
    });
    expect((await user.get(`/calls/${kept}`)).body).toMatchObject({
      to: '+14155550199',
      task: 'Remind them.',
      state: 'queued',
    });
    expect((await stranger.get(`/calls/${foreignOrder}`)).body).toMatchObject({ to: party, state: 'queued' });
    const refused = await sql<{ entry: Buffer }>`select entry from refused_call_records
      where position(convert_to('415555017', 'UTF8') in entry) > 0`.execute(api.database);
    expect(refused.rows.map(({ entry }) => entry.toString())).toEqual(['x +14155550178 x']);
  });
});

describe('links to a call', () => {
  it('are listed and revoked by the organization of the call, and valid until they expire', async () => {
    const [id, neighbour] = [randomUUID(), randomUUID()];
    for (const callId of [id, neighbour]) await end(callId, { answered_at: minutes(-2).toISOString() });
    const share = async (callId = id) => {
      const { data, body } = await user.post(`/sip/calls/${callId}/shares`, {});
      expect(data, JSON.stringify(body)).toBeTruthy();
      return { id: data.share_id as string, token: (data.url as string).split('#')[1]! };
    };
    const [first, second, aside] = [await share(), await share(), await share(neighbour)];
    const read = async (token: string) => (await user.post('/shared-calls/read', { token })).status;
    const list = async (by = user, callId = id) =>
      (await by.get(`/sip/calls/${callId}/shares`)).data.shares.map(
        ({ share_id }: { share_id: string }) => share_id,
      );
    expect((await list()).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(await list(stranger)).toEqual([]);
    expect([await read(first.token), await read(aside.token)]).toEqual([200, 200]);
    expect((await stranger.delete(`/sip/calls/${id}/shares/${first.id}`)).status).toBe(404);
    expect((await user.delete(`/sip/calls/${id}/shares/${aside.id}`)).status).toBe(404);
    expect((await user.delete(`/sip/calls/${id}/shares/${first.id}`)).data).toEqual({ revoked: true });
    expect((await user.delete(`/sip/calls/${id}/shares/${first.id}`)).status).toBe(404);
    expect([await read(first.token), await read(second.token)]).not.toEqual([200, 200]);
    expect(await list()).toEqual([second.id]);
    await sql`update call_shares set expires_at = now() - interval '1 second' where id = ${second.id}`.execute(
      api.database,
    );
    expect([await list(), (await read(second.token)) === 200]).toEqual([[], false]);
    await share();
    const left = await sql<{
      id: string;
    }>`select id from call_shares where organization_id = ${user.organizationId}`.execute(api.database);
    expect(left.rows.map((row) => row.id)).not.toContain(second.id);
    expect(left.rows.map((row) => row.id)).toContain(aside.id);
    for (let count = 1; count < 20; count += 1) await share();
    expect((await user.post(`/sip/calls/${id}/shares`, {})).status).toBe(400);
    expect((await share(neighbour)).id).toBeTruthy();
  });
});
