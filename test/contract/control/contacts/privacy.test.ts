import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from '../../../../src/base/redis.js';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { signCallToken } from '../../../../src/contract/call-token.js';
import { contactId } from '../../../../src/contract/contact-id.js';
import { callStream, orderedCallKey } from '../../../../src/contract/keys.js';
import { momentStream } from '../../../../src/contract/moments.js';
import { openCallOwnersKey, openCallsKey } from '../../../../src/contract/open-calls.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { contactPageQuery } from '../../../../src/control/contacts/contacts.js';
import { ErasureSweep } from '../../../../src/control/contacts/erasure-sweep.js';
import { ownerQuery } from '../../../../src/control/contacts/identities.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { until } from '../../../../src/testkit/waiting.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench, log } from '../control-bench.js';
import { sampleRecord } from '../history/sample-record.js';

let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let key: string;
let keyId: string;
const secretKey = generateSecretKey();

beforeAll(async () => {
  bench = await ControlBench.start();
  redis = bench.connectRedis();
  api = await startApi(bench, { DEMARC_SECRET_KEY: secretKey });
  ({ key, id: keyId } = await createKey(bench.database, bench.organization, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const recordOf = (number: string, changes: Partial<CallRecord> = {}): CallRecord => {
  const record = sampleRecord(randomUUID(), {
    organization: bench.organization,
    from: `"Jane Doe" <sip:${number}@carrier.example>;tag=1`,
    detail: `Jane at ${number}`,
    ...changes,
  });
  const trace = record.trace.map((entry) => ({
    ...entry,
    message: entry.message.replaceAll('+14155550199', number),
  }));
  return { ...record, trace };
};

async function store(record: CallRecord): Promise<string> {
  await storeEntries(bench.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
  return record.call_id;
}

async function order(number: string, settled: boolean): Promise<string> {
  const callId = randomUUID();
  await bench.database
    .insertInto('ordered_calls')
    .values({
      call_id: callId,
      organization_id: bench.organization,
      number: '12025550100',
      phone_number: number.replace('+', ''),
      task: 'Ask Jane about Friday.',
      request_data: JSON.stringify({ name: 'Jane' }),
      metadata: JSON.stringify({ customer: 'Jane' }),
      max_duration_minutes: 1,
      created_at: new Date(),
      webhook: 'https://example.com/jane',
      settled,
      ...(settled
        ? {}
        : {
            pending: JSON.stringify({ phone_number: number }) as never,
            take_at: new Date(Date.now() + 3_600_000),
            pending_until: new Date(Date.now() + 7_200_000),
          }),
    })
    .execute();
  return callId;
}

/** Every text of every table, and every value of Redis. */
async function everything(): Promise<string> {
  const { rows: tables } = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(bench.database);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(bench.database);
    texts.push(`${name}: ${JSON.stringify(rows)}`);
  }
  const calls = await bench.database.selectFrom('calls').select('call_id').execute();
  for (const { call_id } of calls) texts.push((await api.get(`/v1/sip/calls/${call_id}`, key)).text);
  for (const stream of [callStream, momentStream])
    texts.push(JSON.stringify(await redis.xrange(stream, '-', '+')));
  for (const name of await redis.keys('demarc:ordered-call:*'))
    texts.push(JSON.stringify(await redis.hgetall(name)));
  return texts.join('\n');
}

describe('the deletion of a contact', () => {
  it('reaches memories, records, traces, orders, webhooks, Redis and late records, and leaves the figures', async () => {
    const [number, second] = ['+14155557001', '+14155557002'];
    const id = contactId(bench.organization, number);
    const record = recordOf(number);
    const ended = await store(record);
    const outbound = await order(number, true);
    await store(
      recordOf(number, {
        call_id: outbound,
        direction: 'outbound',
        from: '<sip:+12025550100@localhost>',
        to: `<sip:${second}@localhost>`,
      }),
    );
    await api.post('/v1/contacts/merge', key, {
      primary_contact_id: id,
      duplicate_contact_id: contactId(bench.organization, second),
    });
    await api.patch(`/v1/contacts/${id}`, key, { name: 'Jane Doe', email: 'jane@example.com' });
    await api.patch(`/v1/contacts/${id}/memory`, key, {
      summary: 'Jane called.',
      messages: [{ role: 'user', content: 'I am Jane' }],
    });
    const upcoming = await order(second, false);
    await bench.database
      .insertInto('deliveries')
      .values({
        id: 'dlv_1',
        organization_id: bench.organization,
        event: 'call.completed',
        subject: ended,
        channel: 'webhook',
        target: 'https://example.com',
        last_status: 200,
        last_error: null,
        content: JSON.stringify({ body: { from: number } }),
        last_attempt_at: null,
        next_attempt_at: null,
        delivered_at: null,
        endpoint_id: null,
        event_id: null,
      })
      .execute();
    await bench.database
      .insertInto('refused_call_records')
      .values({ entry_id: '9-9', entry: Buffer.from(`broken ${number}`), problem: 'not JSON' })
      .execute();
    await redis.hset(orderedCallKey(outbound), 'command', JSON.stringify({ phone_number: second }));
    await redis.xadd(
      momentStream,
      '*',
      'moment',
      JSON.stringify({ kind: 'call', call: { call_id: ended, from: number } }),
    );
    // A call that is up, and a record of another contact.
    const active = recordOf(number, { started_at: new Date(Date.now() - 60_000).toISOString() });
    const { call_id: activeId, started_at, from, to } = active;
    await redis.sadd(openCallOwnersKey, 'edge 1');
    await redis.hset(
      openCallsKey('edge 1'),
      activeId,
      JSON.stringify({
        call_id: activeId,
        organization: bench.organization,
        number: '12025550100',
        direction: 'inbound',
        from,
        to,
        state: 'answered',
        started_at,
        ringing_at: null,
        answered_at: null,
        media: null,
        trunk: { address: '', protocol: 'tls', sip_call_id: 'x' },
      }),
    );
    const unrelated = await store(recordOf('+14155557003'));
    const token = signCallToken(new SecretBox([secretKey]), {
      organization: bench.organization,
      callId: activeId,
      contactId: id,
      knowledgeIds: [],
      expiresAt: Math.floor(Date.now() / 1_000) + 600,
    });
    const remember = () =>
      fetch(`${api.url}/v1/contacts/${id}/memory`, {
        method: 'PATCH',
        headers: { 'x-demarc-token': token, 'content-type': 'application/json' },
        body: JSON.stringify({ summary: 'Jane again.' }),
      });
    expect((await remember()).status).toBe(200);
    expect(await everything()).toMatch(/Jane/);
    const usage = (await api.get('/v1/usage', key)).body.data;

    const deleted = await api.delete(`/v1/contacts/${id}`, key);
    expect(deleted.body.data).toEqual({
      deleted: true,
      deletion_id: expect.any(String),
      removed: {
        identifiers: 2,
        memories: 1,
        // The cancelled order has one too.
        calls: 3,
        orders: 2,
        trace_messages: expect.any(Number),
        active_calls: 1,
      },
    });
    expect((await api.get(`/v1/contacts/${id}`, key)).status).toBe(404);
    // Its agent does not bring it back.
    expect((await remember()).status).toBe(404);
    await redis.hdel(openCallsKey('edge 1'), activeId);
    await store(active);
    await redis.xadd(
      momentStream,
      '*',
      'moment',
      JSON.stringify({ call: { call_id: activeId, from: number } }),
    );
    // Later deletions, more than are read at once, whose calls are still active.
    await sql`insert into contact_erasures (organization_id, contact_id, erased_at, call_ids)
      select ${bench.organization}, gen_random_uuid(), now() + interval '1 minute', '["active"]'
      from generate_series(1, 250)`.execute(bench.database);
    await new ErasureSweep({ database: bench.database, redis, log }).sweep();
    const rest = await everything();
    const stays = rest
      .split('\n')
      .filter((line) => !line.includes('14155557003'))
      .join('\n');
    expect(stays).not.toMatch(/5557001|5557002|Jane|carrier\.example/);
    expect((await api.get(`/v1/contacts/${id}`, key)).status).toBe(404);

    const { row, ...call } = (await api.get(`/v1/sip/calls/${ended}`, key)).body.data;
    expect(call).toMatchObject({
      from: 'removed',
      to: '+12025550100',
      duration_seconds: 12.25,
      outcome: 'completed',
      media: { rtp: { trunk: { mos: 4.3 } } },
      trace: [],
      trace_truncated: true,
    });
    expect((await api.get(`/v1/calls/${outbound}`, key)).body).toMatchObject({ to: 'removed', task: '' });
    expect((await api.get(`/v1/calls/${upcoming}`, key)).body.status).toBe('canceled');
    expect((await api.get(`/v1/sip/calls/${unrelated}`, key)).body.data.from).toBe('+14155557003');
    const after = (await api.get('/v1/usage', key)).body.data;
    expect(after.days?.[0]?.calls ?? 0).toBeGreaterThanOrEqual(usage.days?.[0]?.calls ?? 0);
    const { deletions } = (await api.get('/v1/contacts/deletions', key)).body.data;
    expect(deletions).toMatchObject([
      { deletion_id: deleted.body.data.deletion_id, deleted_by: keyId, removed: { calls: 3 } },
    ]);
    expect(JSON.stringify(deletions)).not.toContain(id);
    const unknown = await api.get('/v1/contacts/deletions?after=none', key);
    expect([unknown.status, unknown.body.errors?.[0]?.path]).toEqual([400, 'after']);
    // A later call is that of a new contact.
    await store(recordOf(number, { started_at: new Date(Date.now() + 1_000).toISOString() }));
    expect((await api.get(`/v1/contacts/${id}`, key)).body.data).toMatchObject({ name: '', memories: [] });
  });

  it('misses no record that is stored at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const number = `+1415555711${round}`;
      const id = contactId(bench.organization, number);
      await store(recordOf(number));
      const records = Array.from({ length: 10 }, () => recordOf(number));
      const [deleted] = await Promise.all([
        api.delete(`/v1/contacts/${id}`, key),
        ...records.map((record) => store(record)),
      ]);
      expect(deleted.status).toBe(200);
      expect((await api.get(`/v1/contacts/${id}`, key)).status).toBe(404);
      const listed = await api.get(`/v1/sip/calls?from=${number.slice(1)}`, key);
      expect(listed.body.data.calls).toEqual([]);
    }
  });

  it('changes nothing while Redis is down', async () => {
    const number = '+14155557201';
    const id = contactId(bench.organization, number);
    await store(recordOf(number));
    await bench.redis.kill();
    expect((await api.delete(`/v1/contacts/${id}`, key)).status).toBe(503);
    await bench.redis.up();
    await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'control is ready again');
    expect((await api.get(`/v1/contacts/${id}/calls`, key)).body.data.calls).toHaveLength(1);
  });
});

describe('the export of a contact', () => {
  it('is one document with the contact, its calls and their traces', async () => {
    const number = '+14155557301';
    const id = contactId(bench.organization, number);
    const calls: string[] = [];
    for (let call = 0; call < 60; call += 1) {
      const started_at = new Date(Date.UTC(2026, 10, 1, 0, call)).toISOString();
      calls.unshift(await store(recordOf(number, { started_at })));
    }
    await order(number, true);
    await api.patch(`/v1/contacts/${id}/memory`, key, { summary: 'Jane called.' });
    const answer = await api.get(`/v1/contacts/${id}/export`, key);
    expect(answer.headers.get('content-disposition')).toContain('contact.json');
    const { data, errors } = answer.body;
    expect(errors).toBeNull();
    expect(data.contact).toMatchObject({ id, memories: [{ summary: 'Jane called.' }] });
    expect(data.orders).toMatchObject([{ task: 'Ask Jane about Friday.', request_data: { name: 'Jane' } }]);
    expect(data.calls.map(({ call_id }: { call_id: string }) => call_id)).toEqual(calls);
    expect(data.calls[0].trace[0].message).toContain(number);
  });
});

describe('among 20,000 contacts of one organization', () => {
  it('pages, searches and lookups read an index, and no row of another organization', async () => {
    await sql`with made as (
        insert into contacts (organization_id, id, name)
        select ${bench.organization}, gen_random_uuid(), 'Person ' || n from generate_series(1, 20000) n
        returning organization_id, id, name
      ), ids as (
        insert into contact_ids select organization_id, id, id from made
      ), emails as (
        insert into contact_identifiers (organization_id, contact_id, identifier_type, identifier_value, is_primary)
        select organization_id, id, 'email', id || '@example.com', true from made
      )
      insert into contact_terms select organization_id, lower(split_part(name, ' ', part)), id
      from made, generate_series(1, 2) part`.execute(bench.database);
    await sql`analyze contacts, contact_ids, contact_identifiers, contact_terms`.execute(bench.database);
    const { database, organization } = bench;
    const queries = [
      ...[undefined, 'person', 'person 4242', '19999', 'nobody'].map((search) =>
        contactPageQuery(database, organization, { limit: 50, search }),
      ),
      ownerQuery(database, organization, { type: 'phone_number', value: '+14155557301' }),
      ownerQuery(database, organization, { type: 'email', value: 'jane@example.com' }),
    ];
    for (const query of queries) {
      const lines = await query.explain<{ 'QUERY PLAN': string }>('text' as never, sql`analyze`);
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).not.toContain('Seq Scan');
      for (const [condition] of plan.matchAll(/Index Cond: .*/g))
        expect(condition).toContain('organization_id');
    }
    for (const path of ['?limit=50', '?search=person%204242', '?search=person']) {
      const watch = Stopwatch.start();
      expect((await api.get(`/v1/contacts${path}`, key)).status).toBe(200);
      expect(watch.milliseconds).toBeLessThan(watch.bound(1_500));
    }
  });
});
