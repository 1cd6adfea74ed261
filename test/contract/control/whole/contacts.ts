import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Twin } from './twin.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let serial = 0;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  user = await api.user();
});

const number = (): string => `+1415559${7_000 + ++serial}`;
const resolve = async (body: object): Promise<string> => {
  const { data, body: whole } = await user.post('/contacts/resolve', body);
  expect(data, JSON.stringify(whole)).toBeTruthy();
  return data.contact.id;
};
const show = async (id: string) => (await user.get(`/contacts/${id}`)).data;
const primaries = async (id: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await show(id)).identifiers
      .filter(({ is_primary }: { is_primary: boolean }) => is_primary)
      .map(({ identifier_type, identifier_value }: Record<string, string>) => [
        identifier_type,
        identifier_value,
      ]),
  );
const memory = (id: string, body: object) => user.patch(`/contacts/${id}/memory`, body);

describe('the identifiers of a contact', () => {
  it('have one primary of each type, which a change replaces and the next one follows', async () => {
    const phone = number();
    const id = await resolve({ phone_number: phone, email: 'First@Example.com', external_id: 'crm-1' });
    expect(await resolve({ phone_number: phone, email: 'second@example.com' })).toBe(id);
    const neighbour = await resolve({ phone_number: number(), email: 'other@example.com' });
    const twin = await Twin.of(api, user.organizationId);
    const initial = { phone_number: phone, email: 'first@example.com', external_id: 'crm-1' };
    expect(await primaries(id)).toEqual(initial);
    expect((await user.patch(`/contacts/${id}`, { email: 'FIRST@example.com' })).status).toBe(200);
    expect(await primaries(id)).toEqual(initial);
    await user.patch(`/contacts/${id}`, { email: 'third@example.com' });
    expect(await primaries(id)).toEqual({ ...initial, email: 'third@example.com' });
    expect((await user.post('/contacts/find', { email: 'first@example.com' })).data).toBeNull();
    // The second one has it already.
    await user.patch(`/contacts/${id}`, { email: 'second@example.com' });
    expect(await primaries(id)).toEqual({ ...initial, email: 'second@example.com' });
    await resolve({ phone_number: phone, email: 'fourth@example.com' });
    await user.patch(`/contacts/${id}`, { email: null });
    expect(await primaries(id)).toEqual({ ...initial, email: 'fourth@example.com' });
    await user.patch(`/contacts/${id}`, { email: null, external_id: null });
    expect(await primaries(id)).toEqual({ phone_number: phone });
    const taken = await user.patch(`/contacts/${id}`, { email: 'other@example.com' });
    expect([taken.status, taken.error]).toEqual([409, 'CONTACT_IDENTIFIER_TAKEN']);
    expect(await primaries(neighbour)).toMatchObject({ email: 'other@example.com' });
    expect(await twin.changed()).toEqual([]);
  });

  it('find the contact of the first one that any contact has', async () => {
    const [first, second] = [number(), number()];
    const id = await resolve({ phone_number: first, name: 'Ann' });
    const later = await resolve({ phone_number: second, external_id: 'crm-9', name: 'Ben' });
    const twin = await Twin.of(api, user.organizationId);
    const found = async (body: object) => (await user.post('/contacts/find', body)).data?.id ?? null;
    expect(await found({ phone_number: first, external_id: 'crm-9' })).toBe(id);
    expect(await found({ phone_number: number(), external_id: 'crm-9' })).toBe(later);
    expect(await found({ email: 'crm-9@example.com' })).toBeNull();
    expect(await found({ external_id: first })).toBeNull();
    // A contact keeps its name, and gets one where it has none.
    await resolve({ phone_number: first, name: 'Other' });
    expect((await show(id)).name).toBe('Ann');
    expect((await user.get('/contacts?search=ann')).data.contacts).toMatchObject([{ id, name: 'Ann' }]);
    expect((await user.get('/contacts?search=ann%20ben')).data.contacts).toEqual([]);
    await user.patch(`/contacts/${id}`, { name: 'Cleo' });
    expect((await user.get('/contacts?search=ann')).data.contacts).toEqual([]);
    expect((await user.get('/contacts?search=cleo')).data.contacts).toMatchObject([{ id }]);
    expect(await twin.changed()).toEqual([]);
  });

  it('are at most a hundred, those that it has already not counted', async () => {
    const phone = number();
    const id = await resolve({ phone_number: phone });
    const fill = (from: number, to: number) =>
      sql`insert into contact_identifiers (organization_id, contact_id, identifier_type, identifier_value, is_primary)
        select ${user.organizationId}, ${id}, 'external_id', 'x-' || n, n = 1
        from generate_series(${sql.lit(from)}, ${sql.lit(to)}) n`.execute(api.database);
    await fill(1, 98);
    expect(await resolve({ phone_number: phone, external_id: 'x-99' })).toBe(id);
    const refused = await user.post('/contacts/resolve', { phone_number: phone, external_id: 'x-100' });
    expect([refused.status, refused.path]).toEqual([400, 'external_id']);
    expect(await resolve({ phone_number: phone, external_id: 'x-50' })).toBe(id);
    const neighbour = await resolve({ external_id: 'y-1' });
    const merge = { primary_contact_id: neighbour, duplicate_contact_id: id };
    expect((await user.post('/contacts/merge', merge)).status).toBe(400);
    expect((await show(id)).identifiers).toHaveLength(100);
    await user.patch(`/contacts/${neighbour}`, { external_id: null });
    expect((await user.post('/contacts/merge', merge)).status).toBe(200);
  });
});

describe('a merge of contacts', () => {
  it('moves identifiers, memories and messages to the primary contact alone', async () => {
    const [first, second] = [number(), number()];
    const primary = await resolve({ phone_number: first, email: 'a@example.com', metadata: { a: 1 } });
    const duplicate = await resolve({
      phone_number: second,
      email: 'b@example.com',
      external_id: 'crm-7',
      name: 'Jane',
      metadata: { a: 2, b: 2 },
    });
    const bystander = await resolve({ phone_number: number(), name: 'Bystander' });
    const said = (content: string) => [{ role: 'user', content, timestamp: '2026-11-20T15:00:00Z' }];
    await memory(primary, { persona_id: 'p1', summary: 'One', messages: said('Same') });
    await memory(duplicate, {
      persona_id: 'p1',
      summary: 'Two',
      messages: [...said('Same'), ...said('New')],
    });
    await memory(duplicate, { persona_id: 'p1', agent_number: '+14155550100', summary: 'Three' });
    await memory(duplicate, { persona_id: 'p2', summary: 'Four', messages: said('Far') });
    await memory(bystander, { persona_id: 'p1', summary: 'Five', messages: said('Near') });
    const before = await show(bystander);
    const twin = await Twin.of(api, user.organizationId);
    const body = { primary_contact_id: primary, duplicate_contact_id: duplicate };
    const { data } = await user.post('/contacts/merge', body);
    expect(data).toMatchObject({ id: primary, name: 'Jane', metadata: { a: 1, b: 2 } });
    expect(await primaries(primary)).toEqual({
      phone_number: first,
      email: 'a@example.com',
      external_id: 'crm-7',
    });
    expect(data.identifiers).toHaveLength(5);
    const memories = data.memories.map(
      ({ persona_id, agent_number, summary, recent_messages }: Record<string, unknown>) => [
        persona_id,
        agent_number,
        summary,
        (recent_messages as { content: string }[]).map(({ content }) => content).toSorted(),
      ],
    );
    expect(memories.toSorted()).toEqual(
      [
        ['p1', null, 'One\n\nTwo', ['New', 'Same']],
        ['p1', '+14155550100', 'Three', []],
        ['p2', null, 'Four', ['Far']],
      ].toSorted(),
    );
    // The other id leads to it, as do those that were merged into the other contact before.
    expect((await show(duplicate)).id).toBe(primary);
    expect(await show(bystander)).toEqual(before);
    const last = await user.post('/contacts/merge', {
      primary_contact_id: bystander,
      duplicate_contact_id: primary,
    });
    expect(last.data).toMatchObject({ id: bystander, name: 'Bystander' });
    for (const id of [primary, duplicate]) expect((await show(id)).id).toBe(bystander);
    const { merges } = (await user.get(`/contacts/${bystander}/merges`)).data;
    expect(merges.map(({ merged_contact_id }: Record<string, unknown>) => merged_contact_id)).toEqual([
      primary,
      duplicate,
    ]);
    expect(merges[1].merged).toMatchObject({ name: 'Jane', metadata: { a: 2, b: 2 } });
    expect(merges[1].merged.memories).toHaveLength(3);
    expect(merges[1].merged.identifiers).toHaveLength(3);
    expect((await user.post('/contacts/merge', body)).data.id).toBe(bystander);
    const { contacts } = (await user.get('/contacts')).data;
    expect(contacts.map(({ id }: { id: string }) => id)).toEqual([bystander]);
    expect(await twin.changed()).toEqual([]);
  });
});

describe('the memory of a contact', () => {
  it('is that of one persona and one number, and keeps its last hundred messages', async () => {
    const id = await resolve({ phone_number: number(), persona_id: 'p1' });
    const at = (index: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, index)).toISOString();
    const messages = (from: number) =>
      Array.from({ length: 60 }, (_, index) => ({
        role: 'user',
        content: `${from + index}`,
        timestamp: at(from + index),
      }));
    await memory(id, { persona_id: 'p2', messages: messages(0), facts: { a: 1 } });
    const twin = await Twin.of(api, user.organizationId);
    const written = await memory(id, { persona_id: 'p1', messages: messages(0), summary: 'Mine' });
    expect(written.data).toMatchObject({ persona_id: 'p1', agent_number: null, summary: 'Mine', facts: {} });
    await memory(id, { persona_id: 'p1', messages: messages(60) });
    await memory(id, { persona_id: 'p1', messages: messages(60) });
    await memory(id, { persona_id: 'p1', agent_number: '+14155550100', summary: 'Other number' });
    const { rows } = await sql<{ persona_id: string; count: number; first: string }>`
      select persona_id, count(*)::int as count, min(sent_at) as first
      from contact_messages join contact_memories on contact_memories.id = memory_id
        and contact_memories.organization_id = contact_messages.organization_id
      where contact_messages.organization_id = ${user.organizationId}
      group by persona_id order by persona_id`.execute(api.database);
    expect(rows).toEqual([
      { persona_id: 'p1', count: 100, first: new Date(at(20)) },
      { persona_id: 'p2', count: 60, first: new Date(at(0)) },
    ]);
    const { memories } = await show(id);
    expect(memories).toHaveLength(3);
    const shown = memories.find(
      ({ persona_id, agent_number }: Record<string, unknown>) => persona_id === 'p1' && agent_number === null,
    );
    expect(shown.recent_messages.map(({ content }: { content: string }) => content)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${70 + index}`),
    );
    expect(await twin.changed()).toEqual([]);
  });

  it('is one of at most fifty', async () => {
    const id = await resolve({ phone_number: number() });
    await sql`insert into contact_memories (organization_id, contact_id, persona_id)
      select ${user.organizationId}, ${id}, 'p' || n from generate_series(1, 49) n`.execute(api.database);
    expect((await memory(id, { persona_id: 'p50', summary: 'x' })).status).toBe(200);
    const refused = await memory(id, { persona_id: 'p51', summary: 'x' });
    expect([refused.status, refused.path]).toEqual([400, 'persona_id']);
    expect((await memory(id, { persona_id: 'p1', summary: 'x' })).status).toBe(200);
  });
});

describe('the deletion of a contact', () => {
  it('is noted in the audit log of deletions, in pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push(await resolve({ phone_number: number() }));
    await memory(ids[0]!, { summary: 'x', messages: [{ role: 'user', content: 'Hello' }] });
    const twin = await Twin.of(api, user.organizationId);
    for (const id of ids) expect((await user.delete(`/contacts/${id}`)).status).toBe(200);
    for (const id of ids) expect((await user.get(`/contacts/${id}`)).status).toBe(404);
    const { data, body } = await user.get('/contacts/deletions?limit=2');
    expect(data.deletions).toHaveLength(2);
    const last = await user.get(`/contacts/deletions?limit=2&after=${body.next}`);
    expect(last.data.deletions).toMatchObject([{ removed: { identifiers: 1, memories: 1, calls: 0 } }]);
    expect(last.body).toMatchObject({ has_more: false, next: null });
    expect(data.deletions[0].removed).toMatchObject({ identifiers: 1, memories: 0 });
    expect((await user.get('/contacts/deletions?limit=3')).body.next).toBeNull();
    expect((await user.get('/contacts/deletions?after=none')).path).toBe('after');
    expect(await twin.changed()).toEqual([]);
  });
});
