import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { type CallGrant, signCallToken } from '../../../../src/contract/call-token.js';
import { contactId } from '../../../../src/contract/contact-id.js';
import type { LiveCall } from '../../../../src/contract/live.js';
import { openCallOwnersKey, openCallsKey } from '../../../../src/contract/open-calls.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { noteParties } from '../../../../src/control/parties/call-parties.js';
import { until } from '../../../../src/testkit/waiting.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';
import { sampleRecord } from '../history/sample-record.js';

const run = promisify(execFile);

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let keyId: string;
let strangersKey: string;
const secretKey = generateSecretKey();

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, { DEMARC_SECRET_KEY: secretKey });
  ({ key, id: keyId } = await createKey(bench.database, bench.organization, 'test'));
  // Contacts need no SIP entitlement.
  const stranger = await createOrganization(bench.database, { name: 'strangers', sipEnabled: false });
  ({ key: strangersKey } = await createKey(bench.database, stranger.id, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

let lastNumber = 4_155_550_000;
const freshNumber = (): string => `+1${++lastNumber}`;

const post = (path: string, body: unknown, as = key): Promise<Answer> =>
  api.post(`/v1/contacts${path}`, as, body);
const get = (path: string, as = key): Promise<Answer> => api.get(`/v1/contacts${path}`, as);
const resolve = async (body: Record<string, unknown>): Promise<string> => {
  const answer = await post('/resolve', body);
  expect(answer.body.errors).toBeNull();
  return answer.body.data.contact.id;
};

async function storeCall(changes: Partial<CallRecord>): Promise<string> {
  const record = { ...sampleRecord(randomUUID()), organization: bench.organization, ...changes };
  await storeEntries(bench.database, [await readEntry({ id: '1-1', json: JSON.stringify(record) })]);
  return record.call_id;
}

const tokenOf = (grant: Partial<CallGrant>): string =>
  signCallToken(new SecretBox([secretKey]), {
    organization: bench.organization,
    callId: randomUUID(),
    knowledgeIds: [],
    expiresAt: Math.floor(Date.now() / 1_000) + 60,
    ...grant,
  });

async function asAgent(method: string, path: string, token: string, body?: unknown) {
  const answer = await fetch(`${api.url}/v1/contacts${path}`, {
    method,
    headers: { 'x-demarc-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: As in `api-under-test.ts`.
  return { status: answer.status, body: (await answer.json()) as any };
}

describe('contacts', () => {
  it('are shown exactly as the interface says', async () => {
    const number = freshNumber();
    const created = await post('/resolve', {
      phone_number: number,
      email: 'Jane@Example.com',
      name: 'Jane',
      persona_id: 'per_1',
      metadata: { plan: 'gold' },
    });
    expect(created.body.data.created).toBe(true);
    const id = contactId(bench.organization, number);
    const memory = await api.patch(`/v1/contacts/${id}/memory`, key, {
      persona_id: 'per_1',
      summary: 'Wants Friday.',
      facts: { language: 'en', visits: 3 },
      messages: [{ role: 'user', content: 'Hello', timestamp: '2026-11-20T16:00:00+01:00' }],
      open_items: [{ type: 'follow_up', description: 'Call back', created_at: '2026-11-20T15:00:00Z' }],
      entities: [{ entity_type: 'order', entity_id: '7', last_discussed_at: '2026-11-20T15:00:00Z' }],
    });
    expect(memory.status).toBe(200);
    const { status, body } = await get(`/${id}`);
    expect(status).toBe(200);
    const identifier = { id: expect.any(String), contact_id: id, is_primary: true };
    expect(body).toEqual({
      data: {
        id,
        org_id: bench.organization,
        name: 'Jane',
        metadata: { plan: 'gold' },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        identifiers: [
          { ...identifier, identifier_type: 'email', identifier_value: 'jane@example.com' },
          { ...identifier, identifier_type: 'phone_number', identifier_value: number },
        ],
        memories: [
          {
            id: memory.body.data.id,
            contact_id: id,
            persona_id: 'per_1',
            agent_number: null,
            summary: 'Wants Friday.',
            facts: { language: 'en', visits: 3 },
            recent_messages: [
              { role: 'user', content: 'Hello', channel: 'call', timestamp: '2026-11-20T15:00:00.000Z' },
            ],
            open_items: [
              {
                type: 'follow_up',
                description: 'Call back',
                created_at: '2026-11-20T15:00:00.000Z',
                priority: 'medium',
                related_to: null,
              },
            ],
            entities: [
              {
                entity_type: 'order',
                entity_id: '7',
                facts: {},
                status: '',
                last_discussed_at: '2026-11-20T15:00:00.000Z',
                notes: null,
              },
            ],
          },
        ],
      },
      errors: null,
    });
  });

  it('are found by each identifier, only by their organization, and are null if there is none', async () => {
    const number = freshNumber();
    const id = await resolve({ phone_number: number, email: 'bob@example.com', external_id: 'crm-1' });
    for (const body of [
      { phone_number: `${number.replace('+1', '1 (')})` },
      { email: 'BOB@example.com' },
      { external_id: 'crm-1' },
      { phone_number: freshNumber(), external_id: 'crm-1' },
    ]) {
      expect((await post('/find', body)).body.data.id).toBe(id);
      const unknown = await post('/find', body, strangersKey);
      expect([unknown.status, unknown.body]).toEqual([200, { data: null, errors: null }]);
    }
    expect((await post('/find', {})).body.errors[0].error).toBe('BAD_REQUEST');
    expect((await post('/find', { phone_number: '200' })).body.errors[0]).toMatchObject({
      error: 'VALIDATION_ERROR',
      path: 'phone_number',
    });
    expect((await post('/find', { phone: '200' })).status).toBe(400);
  });

  it('are of one organization', async () => {
    const number = freshNumber();
    const id = await resolve({ phone_number: number });
    const foreign = (await post('/resolve', { phone_number: number }, strangersKey)).body.data.contact.id;
    expect(foreign).not.toBe(id);
    for (const answer of [
      await get(`/${id}`, strangersKey),
      await get(`/${id}/calls`, strangersKey),
      await get(`/${id}/merges`, strangersKey),
      await get(`/${id}/export`, strangersKey),
      await api.patch(`/v1/contacts/${id}`, strangersKey, { name: 'x' }),
      await api.patch(`/v1/contacts/${id}/memory`, strangersKey, { summary: 'x' }),
      await api.delete(`/v1/contacts/${id}`, strangersKey),
      await post('/merge', { primary_contact_id: id, duplicate_contact_id: foreign }, strangersKey),
      await post('/merge', { primary_contact_id: foreign, duplicate_contact_id: id }, strangersKey),
      await get('/not-a-uuid'),
      await get(`/${randomUUID()}`),
    ]) {
      expect([answer.status, answer.body.errors[0].message]).toEqual([404, 'Contact not found']);
    }
    expect((await get('?limit=200', strangersKey)).body.data.contacts).toHaveLength(1);
  });

  it('are resolved once by any number of requests and calls at a time', async () => {
    for (const mixed of [
      (number: string) => storeCall({ from: `<sip:${number}@pbx.example>` }).then(() => null),
      (_number: string, email: string) => post('/resolve', { email }),
    ]) {
      const [number, email] = [freshNumber(), `${randomUUID()}@example.com`];
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, () => post('/resolve', { phone_number: number, email })),
        ...Array.from({ length: 8 }, () => mixed(number, email)),
      ]);
      expect(answers.flatMap((answer) => answer?.body.errors ?? [])).toEqual([]);
      const resolved = answers.flatMap((answer) => answer?.body.data ?? []);
      const found = (await post('/find', { phone_number: number })).body.data;
      expect(found.identifiers).toMatchObject([{ identifier_value: email }, { identifier_value: number }]);
      expect(new Set(resolved.map(({ contact }) => contact.id))).toEqual(new Set([found.id]));
      expect(resolved.filter(({ created }) => created).length).toBeLessThanOrEqual(1);
      expect((await get(`/${contactId(bench.organization, number)}`)).body.data.id).toBe(found.id);
    }
  });

  it('are resolved while the record of their first call is being stored, without a deadlock', async () => {
    const parties = [freshNumber(), freshNumber()]
      .map((number) => ({ number, contactId: contactId(bench.organization, number) }))
      .toSorted((left, right) => (left.contactId < right.contactId ? -1 : 1));
    const [first, second] = parties as [(typeof parties)[0], (typeof parties)[0]];
    const blocked = (many: number) =>
      until(
        async () => {
          const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(bench.database);
          return rows[0]!.count === many;
        },
        5_000,
        `${many} wait for a lock`,
      );
    let storing: Promise<unknown> | undefined;
    let resolving: Promise<Answer> | undefined;
    await bench.database.transaction().execute(async (blocker) => {
      await sql`insert into contacts (organization_id, id) values (${bench.organization}, ${second.contactId})`.execute(
        blocker,
      );
      await sql`insert into contact_ids (organization_id, id, contact_id)
        values (${bench.organization}, ${second.contactId}, ${second.contactId})`.execute(blocker);
      // Has the id of the first contact, and waits for that of the second one.
      storing = bench.database.transaction().execute((transaction) =>
        noteParties(
          transaction,
          parties.map((party) => ({
            ...party,
            callId: randomUUID(),
            organizationId: bench.organization,
            called: '12025550100',
            startedAt: new Date().toISOString(),
            makesContact: true,
          })),
        ),
      );
      await blocked(1);
      resolving = post('/resolve', { phone_number: first.number });
      await blocked(2);
    });
    await storing;
    const { data } = (await resolving)!.body;
    expect([data?.created, data?.contact.id]).toEqual([false, first.contactId]);
  });

  it('have so many identifiers and no more, also after a merge', async () => {
    const number = freshNumber();
    const id = await resolve({ phone_number: number });
    await sql`insert into contact_identifiers
      (organization_id, contact_id, identifier_type, identifier_value, is_primary)
      select ${bench.organization}, ${id}, 'external_id', 'many-' || n, n = 1
      from generate_series(1, 99) n`.execute(bench.database);
    const more = await post('/resolve', { phone_number: number, external_id: 'one-more' });
    expect([more.status, more.body.errors?.[0]?.path]).toEqual([400, 'external_id']);
    const replaced = await api.patch(`/v1/contacts/${id}`, key, { external_id: 'another' });
    expect(replaced.status).toBe(200);
    const duplicate = await resolve({ phone_number: freshNumber() });
    const merged = await post('/merge', { primary_contact_id: id, duplicate_contact_id: duplicate });
    expect([merged.status, merged.body.errors?.[0]?.error]).toEqual([400, 'BAD_REQUEST']);
  });

  it('keep identifiers apart', async () => {
    const [first, second] = [freshNumber(), freshNumber()];
    const id = await resolve({ phone_number: first, email: 'apart@example.com' });
    await resolve({ phone_number: second });
    const taken = await post('/resolve', { phone_number: second, email: 'apart@example.com' });
    expect(taken.status).toBe(409);
    expect(taken.body.errors[0]).toMatchObject({ error: 'CONTACT_IDENTIFIER_TAKEN' });
    expect(taken.body.errors[0].message).toContain(id);
    const patched = await api.patch(`/v1/contacts/${id}`, key, {
      email: null,
      external_id: 'crm-2',
      name: 'Ann',
      metadata: { a: 1, b: 2 },
    });
    expect(patched.body.data).toMatchObject({ name: 'Ann', metadata: { a: 1, b: 2 } });
    expect(patched.body.data.identifiers).toHaveLength(2);
    const again = await api.patch(`/v1/contacts/${id}`, key, { metadata: { a: null, c: 3 } });
    expect(again.body.data).toMatchObject({ name: 'Ann', metadata: { b: 2, c: 3 } });
    const large = await api.patch(`/v1/contacts/${id}`, key, { metadata: { a: 'x'.repeat(20_000) } });
    expect(large.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path: 'metadata' });
  });

  it('are listed in pages that later changes do not shift, and searched', async () => {
    const family = `Quux${Date.now()}`;
    const ids: string[] = [];
    for (const first of ['Ann', 'Ben', 'Cleo'])
      ids.unshift(await resolve({ phone_number: freshNumber(), name: `${first} ${family}` }));
    const search = family.toLowerCase();
    const page = (await get(`?search=${search}&limit=2`)).body;
    expect(page.data.contacts.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(page.has_more).toBe(true);
    await api.delete(`/v1/contacts/${ids[1]}`, key);
    const rest = (await get(`?search=${search}&limit=2&after=${page.next}`)).body;
    expect(rest.data.contacts.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect([rest.has_more, rest.next]).toEqual([false, null]);
    const found = (await get(`?search=${encodeURIComponent(`cle ${search}`)}`)).body.data.contacts;
    expect(found).toHaveLength(1);
    const digits = found[0].identifiers[0].identifier_value.slice(-7);
    expect((await get(`?search=${digits}`)).body.data.contacts[0].id).toBe(found[0].id);
    expect((await get('?after=nonsense')).status).toBe(400);
    await api.patch(`/v1/contacts/${found[0].id}`, key, { name: 'Zed' });
    expect((await get(`?search=cleo%20${search}`)).body.data.contacts).toEqual([]);
  });
});

describe('the memory of a contact', () => {
  it('loses nothing when two calls write at once, and adds no message twice', async () => {
    const id = await resolve({ phone_number: freshNumber() });
    const messages = [{ role: 'user', content: 'Same', timestamp: '2026-11-20T15:00:00Z' }];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.patch(`/v1/contacts/${id}/memory`, key, {
          facts: { [`fact${index}`]: index },
          messages: [...messages, { role: 'assistant', content: `Answer ${index}` }],
          open_items: [{ type: 'follow_up', description: `Item ${index}` }],
          entities: [{ entity_type: 'order', entity_id: '1', facts: { [`line${index}`]: true } }],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const [memory] = (await get(`/${id}`)).body.data.memories;
    expect(Object.keys(memory.facts)).toHaveLength(10);
    expect(memory.open_items).toHaveLength(10);
    expect(Object.keys(memory.entities[0].facts)).toHaveLength(10);
    expect(memory.recent_messages).toHaveLength(11);
    const yes = { role: 'user', content: 'Yes' };
    const said = await api.patch(`/v1/contacts/${id}/memory`, key, { messages: [yes, yes] });
    expect(said.body.data.recent_messages.slice(-2)).toMatchObject([yes, yes]);
    const done = await api.patch(`/v1/contacts/${id}/memory`, key, {
      facts: { fact0: null },
      closed_items: [{ type: 'follow_up', description: 'Item 3' }],
      removed_entities: [{ entity_type: 'order', entity_id: '1' }],
    });
    expect(Object.keys(done.body.data.facts)).toHaveLength(9);
    expect(done.body.data.open_items).toHaveLength(9);
    expect(done.body.data.entities).toEqual([]);
  });

  it('stays bounded', async () => {
    const id = await resolve({ phone_number: freshNumber() });
    const write = (body: unknown) => api.patch(`/v1/contacts/${id}/memory`, key, body);
    const batch = (from: number) =>
      Array.from({ length: 60 }, (_, index) => ({ role: 'user', content: `${from + index}` }));
    for (const from of [0, 60]) {
      const messages = batch(from).map((message, index) => ({
        ...message,
        timestamp: new Date(1_700_000_000_000 + (from + index) * 1_000).toISOString(),
      }));
      expect((await write({ messages })).status).toBe(200);
    }
    const [memory] = (await get(`/${id}`)).body.data.memories;
    expect(memory.recent_messages).toHaveLength(50);
    expect(memory.recent_messages.at(-1).content).toBe('119');
    const { rows } = await sql`select count(*)::int as count from contact_messages
      where memory_id = ${memory.id}`.execute(bench.database);
    expect(rows).toEqual([{ count: 100 }]);
    const facts = (many: number, size: number) =>
      Object.fromEntries(Array.from({ length: many }, (_, index) => [`f${index}`, 'x'.repeat(size)]));
    for (const [body, path] of [
      [{ facts: facts(101, 1) }, 'facts'],
      [{ facts: facts(20, 1_000) }, 'facts'],
      [{ summary: 'x'.repeat(8_001) }, 'summary'],
      [{ facts: { nested: { a: 1 } } }, 'facts.nested'],
      [{ messages: [{ role: 'system', content: 'x' }] }, 'messages.0.role'],
      [{ note: 'x' }, 'note'],
    ] as const) {
      const { status, body: answer } = await write(body);
      expect([status, answer.errors[0].path]).toEqual([400, path]);
    }
    for (let persona = 1; persona < 50; persona += 1) await write({ persona_id: `p${persona}` });
    expect((await write({ persona_id: 'one-more' })).body.errors[0].path).toBe('persona_id');
  });

  it('is written with the token of a call, before the call has a record, and by no other token', async () => {
    const [number, callId, personaId] = [freshNumber(), randomUUID(), randomUUID()];
    const id = contactId(bench.organization, number);
    const redis = bench.redis.client();
    const call: LiveCall = {
      call_id: callId,
      organization: bench.organization,
      number: '12025550100',
      direction: 'inbound',
      from: `<sip:${number}@pbx.example>`,
      to: '<sip:+12025550100@demarc.test>',
      state: 'answered',
      started_at: new Date().toISOString(),
      ringing_at: null,
      answered_at: null,
      trunk: { address: '', protocol: 'tls', sip_call_id: 'x' },
      media: null,
    };
    await redis.sadd(openCallOwnersKey, 'edge 1');
    await redis.hset(openCallsKey('edge 1'), callId, JSON.stringify(call));
    const token = tokenOf({ callId, contactId: id, persona: { id: personaId, version: 1 } });
    const messages = [{ role: 'user', content: 'Hello' }];
    const written = await asAgent('PATCH', `/${id}/memory`, token, { summary: 'Said hello.', messages });
    expect([written.status, written.body.errors]).toEqual([200, null]);
    expect(written.body.data).toMatchObject({ persona_id: personaId, agent_number: null });
    const read = await asAgent('GET', `/${id}`, token);
    expect(read.body.data.identifiers[0].identifier_value).toBe(number);
    expect(read.body.data.memories[0].summary).toBe('Said hello.');

    const strange = await resolve({ phone_number: freshNumber() });
    const refused = [
      await asAgent('GET', `/${strange}`, token),
      await asAgent('PATCH', `/${strange}/memory`, token, { summary: 'x' }),
      await asAgent('GET', `/${id}`, tokenOf({ contactId: strange })),
      await asAgent('PATCH', `/${id}/memory`, tokenOf({}), { summary: 'x' }),
      // A contact that no call of the token's has.
      await asAgent(
        'GET',
        `/${contactId(bench.organization, freshNumber())}`,
        tokenOf({ contactId: randomUUID() }),
      ),
      await asAgent('GET', `/${id}`, tokenOf({ contactId: id, organization: 'org_other' })),
      await asAgent('GET', `/${id}`, `${token.slice(0, -3)}abc`),
      await asAgent('PATCH', `/${id}`, token, { name: 'x' }),
      await asAgent('GET', '', token),
      await asAgent('GET', `/${id}/export`, token),
      await asAgent('DELETE', `/${id}`, token),
    ];
    expect(refused.map(({ status }) => status)).toEqual([
      404, 404, 404, 404, 404, 401, 401, 403, 403, 403, 403,
    ]);
    const foreign = await asAgent('PATCH', `/${id}/memory`, token, { persona_id: 'another' });
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([400, 'persona_id']);
    const plain = tokenOf({ callId, contactId: id });
    const number2 = await asAgent('PATCH', `/${id}/memory`, plain, { agent_number: '+12025550111' });
    expect([number2.status, number2.body.errors[0].path]).toEqual([400, 'agent_number']);
    await bench.configure('12025550111');
    const own = await asAgent('PATCH', `/${id}/memory`, plain, {
      agent_number: '+12025550111',
      facts: { a: 1 },
    });
    expect(own.body.data).toMatchObject({ persona_id: '', agent_number: '+12025550111', facts: { a: 1 } });
    redis.disconnect();
  });
});

describe('a merge', () => {
  const memoryOf = (summary: string, fact: string) => ({
    persona_id: 'per_1',
    summary,
    facts: { shared: fact, [fact]: true },
    messages: [{ role: 'user', content: summary, timestamp: '2026-11-20T15:00:00Z' }],
    open_items: [{ type: 'follow_up', description: summary }],
  });

  it('joins identifiers, memories and calls, keeps history, and both ids lead to it', async () => {
    const [first, second] = [freshNumber(), freshNumber()];
    await storeCall({ from: `<sip:${first}@pbx.example>` });
    await storeCall({ from: `<sip:${second}@pbx.example>` });
    const primary = await resolve({ phone_number: first, name: 'Jane', metadata: { a: 1 } });
    const duplicate = await resolve({ phone_number: second, name: 'J.', metadata: { a: 2, b: 2 } });
    await api.patch(`/v1/contacts/${primary}/memory`, key, memoryOf('First', 'one'));
    await api.patch(`/v1/contacts/${duplicate}/memory`, key, memoryOf('Second', 'two'));
    await api.patch(`/v1/contacts/${duplicate}/memory`, key, { persona_id: 'per_2', summary: 'Third' });
    const body = { primary_contact_id: primary, duplicate_contact_id: duplicate };
    const merged = (await post('/merge', body)).body.data;
    expect(merged).toMatchObject({ id: primary, name: 'Jane', metadata: { a: 1, b: 2 } });
    expect(merged.identifiers).toMatchObject([
      { identifier_value: first, is_primary: true },
      { identifier_value: second, is_primary: false },
    ]);
    expect(merged.memories).toMatchObject([
      {
        persona_id: 'per_1',
        summary: 'First\n\nSecond',
        facts: { shared: 'one', one: true, two: true },
        recent_messages: [{ content: 'First' }, { content: 'Second' }],
        open_items: [{ description: 'Second' }, { description: 'First' }],
      },
      { persona_id: 'per_2', summary: 'Third' },
    ]);
    expect((await get(`/${duplicate}`)).body.data.id).toBe(primary);
    expect((await post('/find', { phone_number: second })).body.data.id).toBe(primary);
    // A further call of the number makes no contact.
    await storeCall({ from: `<sip:${second}@pbx.example>` });
    expect((await get(`/${duplicate}/calls`)).body.data.calls).toHaveLength(3);
    const { merges } = (await get(`/${primary}/merges`)).body.data;
    expect(merges).toMatchObject([
      {
        merged_contact_id: duplicate,
        merged_by: keyId,
        merged: { name: 'J.', metadata: { a: 2, b: 2 }, memories: [{ facts: { shared: 'two' } }, {}] },
      },
    ]);
    // Again, and the other way around: they are one already.
    expect((await post('/merge', body)).body.data.id).toBe(primary);
    const back = { primary_contact_id: duplicate, duplicate_contact_id: primary };
    expect((await post('/merge', back)).body.data.id).toBe(primary);
    const same = await post('/merge', { primary_contact_id: primary, duplicate_contact_id: primary });
    expect([same.status, same.body.errors[0].error]).toEqual([400, 'BAD_REQUEST']);
  });

  it('of two contacts both ways at once, and in a ring, loses nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await Promise.all([1, 2, 3].map(() => resolve({ phone_number: freshNumber() })));
      await Promise.all(
        ids.map((id, index) =>
          api.patch(`/v1/contacts/${id}/memory`, key, memoryOf(`M${index}`, `f${index}`)),
        ),
      );
      const pairs = [
        [0, 1],
        [1, 0],
        [1, 2],
        [2, 0],
      ] as const;
      const answers = await Promise.all([
        ...pairs.map(([first, second]) =>
          post('/merge', { primary_contact_id: ids[first], duplicate_contact_id: ids[second] }),
        ),
        ...ids.map((id, index) =>
          api.patch(`/v1/contacts/${id}/memory`, key, {
            persona_id: 'per_1',
            facts: { [`late${index}`]: true },
          }),
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
      const found = await Promise.all(ids.map(async (id) => (await get(`/${id}`)).body.data));
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
      expect(found[0].identifiers).toHaveLength(3);
      expect(found[0].memories[0].recent_messages).toHaveLength(3);
      expect(Object.keys(found[0].memories[0].facts).sort()).toEqual([
        'f0',
        'f1',
        'f2',
        'late0',
        'late1',
        'late2',
        'shared',
      ]);
      expect((await get(`/${ids[0]}/merges`)).body.data.merges).toHaveLength(2);
    }
  });
});

describe('docs/contacts.md', () => {
  it('has commands that work as they stand', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../../../docs/contacts.md'), 'utf8');
    const commands = text.match(/^ {4}curl .*\n(?: {4}.*\n)*/gm) ?? [];
    expect(commands.length).toBeGreaterThan(8);
    const callId = await storeCall({
      from: '<sip:+14155550142@pbx.example>',
      ended_at: new Date().toISOString(),
    });
    const id = contactId(bench.organization, '+14155550142');
    const environment = {
      ...process.env,
      URL: api.url,
      KEY: key,
      CONTACT: id,
      OTHER: await resolve({ phone_number: freshNumber() }),
      TOKEN: tokenOf({ callId, contactId: id }),
    };
    const folder = mkdtempSync(join(tmpdir(), 'demarc-contacts-'));
    try {
      for (const command of commands) {
        const { stdout } = await run('bash', ['-c', command], { env: environment, cwd: folder });
        const answer = stdout === '' ? readFileSync(join(folder, 'contact.json'), 'utf8') : stdout;
        expect(JSON.parse(answer), command).toMatchObject({ errors: null });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect((await get(`/${id}`)).status).toBe(404);
  });
});
