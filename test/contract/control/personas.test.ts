import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signCallToken } from '../../../src/contract/call-token.js';
import { numberKey } from '../../../src/contract/keys.js';
import { numberDocumentSchema } from '../../../src/contract/number.js';
import { SecretBox } from '../../../src/contract/secret.js';
import { createAgent } from '../../../src/control/agents/agent-storage.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { createPersona } from '../../../src/control/personas/persona-storage.js';
import { promoteDraft } from '../../../src/control/personas/promotion.js';
import { until } from '../../../src/testkit/waiting.js';
import { type Answer, type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const secretKey = 'ab'.repeat(32);
let bench: ControlBench;
let api: ApiUnderTest;
let redis: ReturnType<ControlBench['connectRedis']>;
let key: string;
let otherKey: string;
let otherOrganization: string;
/** Knowledge bases of the organization, and one of another. */
let hours: string;
let prices: string;
let foreign: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  redis = bench.connectRedis();
  api = await startApi(bench, { DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true', DEMARC_SECRET_KEY: secretKey });
  await bench.pretendEdge();
  ({ id: otherOrganization } = await createOrganization(bench.database, { name: 'other', sipEnabled: true }));
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization, 'test'));
  [hours, prices, foreign] = await Promise.all([learn('hours'), learn('prices'), learn('theirs', otherKey)]);
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

async function learn(name: string, by = key): Promise<string> {
  const answer = await api.post('/v1/knowledge/learn', by, {
    type: 'text',
    name,
    text: `All about ${name}.`,
  });
  expect(answer.text).toContain('PROCESSING');
  return answer.body.data.id;
}
const create = async (values: object = {}): Promise<string> => {
  const answer = await api.post('/v1/personas', key, { name: 'Front desk', ...values });
  expect(answer.text).toContain('"errors":null');
  return answer.body.data.id;
};
const promote = (id: string, by = key): Promise<Answer> =>
  api.post(`/v1/personas/${id}/versions/promote`, by, {});
const change = (id: string, values: object, by = key): Promise<Answer> =>
  api.patch(`/v1/personas/${id}`, by, values);
const show = async (id: string) => (await api.get(`/v1/personas/${id}`, key)).body.data;
const refusal = ({ status, body }: Answer) => ({ status, ...body.errors[0] });

const attachSip = async (number: string, by = key, type = 'inbound'): Promise<void> => {
  const direction = type === 'inbound' ? { type } : { type, sip_endpoint: 'sip:pbx.example.com' };
  const answer = await api.post('/v1/sip/attach', by, {
    phone_numbers: [number],
    directions: [direction],
    service: 'sip',
  });
  expect(answer.body.data.configured).toEqual([number]);
};
const attach = (id: string, numbers: string[]): Promise<Answer> =>
  api.post(`/v1/personas/${id}/inbound/attach`, key, { inbound_numbers: numbers });
const personaOf = async (number: string) => {
  const json = await redis.get(numberKey(number.slice(1)));
  return json === null ? undefined : numberDocumentSchema.parse(JSON.parse(json)).persona;
};

describe('a persona', () => {
  it('takes changes on its draft, and shows them live after the promotion alone', async () => {
    const id = await create({ kb_ids: [hours], orchestration_prompt: 'Greet.', metadata: { team: 7 } });
    expect(await show(id)).toMatchObject({
      name: 'Front desk',
      metadata: { team: 7 },
      current_production_version: null,
      current_draft_version: { version_type: 'draft', version_number: 1, kb_ids: [hours] },
    });
    expect((await promote(id)).body.data).toMatchObject({
      current_production_version: { version_type: 'production', version_number: 1, kb_ids: [hours] },
      current_draft_version: null,
    });
    const changed = await change(id, { kb_ids: [hours, prices], role: 'Sales' });
    expect(changed.body.data).toMatchObject({
      role: 'Sales',
      current_production_version: { version_number: 1, kb_ids: [hours] },
      current_draft_version: { version_number: 2, kb_ids: [hours, prices], orchestration_prompt: 'Greet.' },
    });
    expect((await promote(id)).body.data.current_production_version.kb_ids).toEqual([hours, prices]);
    const versions = (await api.get(`/v1/personas/${id}/versions`, key)).body.data.versions;
    expect(versions.map((version: { version_type: string }) => version.version_type)).toEqual([
      'production',
      'archived',
    ]);
    const first = await api.get(`/v1/personas/${id}/versions/1`, key);
    expect(first.body.data).toMatchObject({ version_type: 'archived', kb_ids: [hours] });
  });

  it('is announced to webhook endpoints when it becomes live', async () => {
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['persona.*'] };
    expect((await api.post('/v1/webhooks', key, hook)).status).toBe(200);
    const id = await create({ kb_ids: [hours] });
    await promote(id);
    const found = await bench.database
      .selectFrom('deliveries')
      .select(['event', 'content'])
      .where('subject', '=', id)
      .execute();
    expect(found).toMatchObject([
      {
        event: 'persona.promoted',
        content: { body: { data: { persona_id: id, version_number: 1, version_type: 'production' } } },
      },
    ]);
  });

  it('has no draft without a change, and is not promoted without one', async () => {
    const id = await create({ kb_ids: [hours] });
    await promote(id);
    expect(
      (await change(id, { kb_ids: [hours], description: 'Same' })).body.data.current_draft_version,
    ).toBeNull();
    expect(refusal(await promote(id))).toMatchObject({ status: 409, error: 'NO_DRAFT_VERSION' });
  });

  it('is promoted once, however many ask at the same time', async () => {
    const id = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => promote(id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await show(id)).current_production_version.version_number).toBe(1);
  });

  it('is not promoted with a draft that changed while its gates were asked, nor against a gate', async () => {
    const id = await create({ orchestration_prompt: 'One.' });
    const deps = { database: bench.database };
    const by = { organizationId: bench.organization, keyId: 'key_test' };
    const changing = async () => {
      await change(id, { orchestration_prompt: 'Two.' });
      return [];
    };
    await expect(promoteDraft({ ...deps, gates: [changing] }, by, id)).rejects.toMatchObject({
      code: 'PERSONA_CHANGED',
    });
    const refusing = async () => ['scenario Refund did not pass'];
    await expect(promoteDraft({ ...deps, gates: [refusing] }, by, id)).rejects.toMatchObject({
      code: 'PROMOTION_REFUSED',
      message: expect.stringContaining('scenario Refund did not pass'),
    });
    expect((await show(id)).current_production_version).toBeNull();
  });

  it.each([
    ['pathway_id', { pathway_id: 'path_1' }],
    ['pathway_version', { pathway_version: 2 }],
    ['voice', { voice: 'a\nb' }],
    ['kb_ids.0', { kb_ids: ['TL-tool'] }],
    ['kb_ids', { kb_ids: Array.from({ length: 51 }, (_, index) => `KB-${index}`) }],
    ['name', { name: '' }],
  ])('is refused when its %s is wrong', async (path, values) => {
    const answer = await api.post('/v1/personas', key, { name: 'x', ...values });
    expect(refusal(answer)).toMatchObject({ status: 400, error: 'VALIDATION_ERROR', path });
  });

  it('is refused with knowledge that is unknown, deleted or another organization’s, which the answer names', async () => {
    const gone = await learn('gone');
    const isLearned = async () =>
      (await api.get(`/v1/knowledge/${gone}`, key)).body.data.status === 'COMPLETED';
    await until(isLearned, 10_000, 'the knowledge base is learned');
    expect((await api.delete(`/v1/knowledge/${gone}`, key)).text).toContain('"errors":null');
    const id = await create();
    for (const kb of [gone, foreign, randomUUID()]) {
      const answer = refusal(await change(id, { kb_ids: [hours, kb] }));
      expect(answer).toMatchObject({ status: 400, path: 'kb_ids.1', message: expect.stringContaining(kb) });
    }
    expect((await show(id)).current_draft_version.kb_ids).toEqual([]);
  });

  it('belongs to its organization alone', async () => {
    const id = await create();
    for (const answer of [
      await api.get(`/v1/personas/${id}`, otherKey),
      await change(id, { name: 'mine' }, otherKey),
      await promote(id, otherKey),
      await api.get(`/v1/personas/${id}/versions`, otherKey),
      await api.get(`/v1/personas/${id}/versions/1`, otherKey),
      await api.delete(`/v1/personas/${id}`, otherKey),
      await api.post(`/v1/personas/${id}/inbound/attach`, otherKey, { inbound_numbers: ['+14155550100'] }),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 404, error: 'NOT_FOUND' });
    }
    expect((await api.get('/v1/personas', otherKey)).body.data.personas).toEqual([]);
  });

  it('is made once by a repeated request, and listed in pages', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await api.post('/v1/personas', key, { name: 'Once' }, headers);
    const again = await api.post('/v1/personas', key, { name: 'Once' }, headers);
    expect(again.body).toEqual(first.body);
    const page = (await api.get('/v1/personas?limit=1', key)).body;
    expect(page).toMatchObject({ has_more: true, data: { personas: [{ name: 'Once' }] } });
    const second = (await api.get(`/v1/personas?limit=1&after=${page.next}`, key)).body;
    expect(second.data.personas[0].id).not.toBe(first.body.data.id);
  });
});

describe('the numbers of a persona', () => {
  it('get its live version, and a new one with the promotion alone', async () => {
    const number = '+14155550110';
    await attachSip(number);
    const id = await create({ kb_ids: [hours] });
    expect((await attach(id, [number])).body.data.inbound_numbers).toEqual([number]);
    await until(async () => (await bench.waiting()) === 0, 5_000, 'the projection');
    expect(await personaOf(number)).toBeUndefined();
    await promote(id);
    await until(async () => (await personaOf(number)) !== undefined, 5_000, 'the live version');
    expect(await personaOf(number)).toEqual({ id, version: 1, knowledge_ids: [hours] });
    await change(id, { kb_ids: [prices] });
    await until(async () => (await bench.waiting()) === 0, 5_000, 'the projection');
    expect(await personaOf(number)).toMatchObject({ version: 1, knowledge_ids: [hours] });
    await promote(id);
    await until(async () => (await personaOf(number))?.version === 2, 5_000, 'the next version');
    expect(await personaOf(number)).toEqual({ id, version: 2, knowledge_ids: [prices] });
    // An unchanged projection: a rebuild writes the same document.
    const refused = refusal(await api.delete(`/v1/personas/${id}`, key));
    expect(refused).toMatchObject({
      status: 409,
      error: 'PERSONA_IN_USE',
      message: expect.stringContaining(number),
    });
    await api.post(`/v1/personas/${id}/inbound/detach`, key, { inbound_numbers: [number] });
    await until(async () => (await personaOf(number)) === undefined, 5_000, 'the detachment');
    expect((await api.delete(`/v1/personas/${id}`, key)).status).toBe(200);
    expect((await api.get(`/v1/personas/${id}`, key)).status).toBe(404);
  });

  it('are attached all or none, and only those with an inbound direction', async () => {
    await attachSip('+14155550120');
    await attachSip('+14155550121', key, 'outbound');
    await attachSip('+14155550122', otherKey);
    const id = await create();
    for (const [number, reason] of [
      ['+14155550121', 'no inbound direction'],
      ['+14155550122', 'not one of your numbers'],
      ['+14155550129', 'not one of your numbers'],
      ['12', '12'],
    ] as const) {
      const answer = refusal(await attach(id, ['+14155550120', number]));
      expect(answer).toMatchObject({
        status: 400,
        path: 'inbound_numbers.1',
        message: expect.stringContaining(reason),
      });
    }
    expect((await show(id)).inbound_numbers).toEqual([]);
  });

  it('move from one persona to another', async () => {
    await attachSip('+14155550130');
    const [first, second] = [await create(), await create()];
    await attach(first, ['+14155550130']);
    expect((await attach(second, ['+14155550130'])).body.data.inbound_numbers).toEqual(['+14155550130']);
    expect((await show(first)).inbound_numbers).toEqual([]);
  });

  it('lose the persona with their configuration', async () => {
    await attachSip('+14155550131');
    const id = await create();
    await attach(id, ['+14155550131']);
    await api.post('/v1/sip/detach', key, {
      phone_number: '+14155550131',
      directions: [{ type: 'inbound' }],
    });
    expect((await show(id)).inbound_numbers).toEqual([]);
    expect((await api.delete(`/v1/personas/${id}`, key)).status).toBe(200);
  });
});

describe('a web agent', () => {
  it('takes knowledge and tools in one list', async () => {
    const made = await api.post('/v1/agents', key, { tools: ['TL-1', hours], metadata: { site: 'shop' } });
    const { agent } = made.body;
    expect(agent).toMatchObject({ tools: ['TL-1', hours], kb_ids: [hours], metadata: { site: 'shop' } });
    expect(made.body.data).toEqual(agent);
    const changed = await api.post(`/v1/agents/${agent.agent_id}`, key, { tools: [prices.toUpperCase()] });
    expect(changed.body.agent).toMatchObject({ kb_ids: [prices], metadata: { site: 'shop' } });
    expect((await api.get('/v1/agents', key)).body.data.agents).toHaveLength(1);
    for (const tools of [[foreign], [randomUUID()], ['KB-none']]) {
      const answer = refusal(await api.post(`/v1/agents/${agent.agent_id}`, key, { tools }));
      expect(answer).toMatchObject({
        status: 400,
        path: 'tools.0',
        message: expect.stringContaining(tools[0]!),
      });
    }
    expect(refusal(await api.post('/v1/agents', key, { prompt: 'x' }))).toMatchObject({
      status: 400,
      path: 'prompt',
    });
    const metadata = { note: 'x'.repeat(20_000) };
    for (const path of ['agents', `agents/${agent.agent_id}`]) {
      const large = refusal(await api.post(`/v1/${path}`, key, { metadata }));
      expect(large).toMatchObject({ status: 400, path: 'metadata' });
    }
    expect(refusal(await api.post('/v1/personas', key, { name: 'Large', metadata }))).toMatchObject({
      status: 400,
      path: 'metadata',
    });
    expect((await api.get(`/v1/agents/${agent.agent_id}`, otherKey)).status).toBe(404);
    expect((await api.delete(`/v1/agents/${agent.agent_id}`, key)).status).toBe(200);
    expect((await api.get(`/v1/agents/${agent.agent_id}`, key)).status).toBe(404);
  });
});

describe('the last persona and agent of an organization', () => {
  it('are stored once when their requests are repeated', async () => {
    const { id: full } = await createOrganization(bench.database, { name: 'full', sipEnabled: true });
    await sql`insert into personas (organization_id, id, name)
      select ${full}, gen_random_uuid(), 'x' from generate_series(1, 999)`.execute(bench.database);
    await sql`insert into web_agents (organization_id, id)
      select ${full}, gen_random_uuid() from generate_series(1, 999)`.execute(bench.database);
    const id = randomUUID();
    for (const _attempt of [1, 2]) {
      await createPersona(bench.database, full, id, { name: 'Last' });
      await createAgent(bench.database, full, id, {});
    }
    const more = createPersona(bench.database, full, randomUUID(), { name: 'More' });
    await expect(more).rejects.toMatchObject({ code: 'TOO_MANY_PERSONAS' });
    const agent = createAgent(bench.database, full, randomUUID(), {});
    await expect(agent).rejects.toMatchObject({ code: 'TOO_MANY_AGENTS' });
  });
});

describe('the agent of an ordered call', () => {
  beforeAll(() => attachSip('+14155550150', key, 'outbound'));

  it('reads its order and its version of the persona with the token, and no other', async () => {
    const id = await create({ orchestration_prompt: 'First.' });
    await promote(id);
    await change(id, { orchestration_prompt: 'Second.' });
    await promote(id);
    const order = { phone_number: '+14155550199', from: '+14155550150', task: 'Call Ada.' };
    const [callId, secondCallId] = await Promise.all(
      [1, 2].map(async () => (await api.post('/v1/calls', key, order)).body.call_id),
    );
    const token = signCallToken(new SecretBox([secretKey]), {
      organization: bench.organization,
      callId,
      persona: { id, version: 1 },
      knowledgeIds: [],
      expiresAt: Math.floor(Date.now() / 1_000) + 60,
    });
    const read = async (path: string) => {
      const answer = await fetch(api.url + path, { headers: { 'x-demarc-token': token } });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await read(`/v1/calls/${callId}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('Call Ada.'),
    });
    expect(await read(`/v1/personas/${id}/versions/1`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('First.'),
    });
    const refused = { status: 403, text: expect.stringContaining('CALL_TOKEN_NOT_ACCEPTED') };
    for (const path of [`/v1/calls/${secondCallId}`, `/v1/personas/${id}/versions/2`, `/v1/personas/${id}`]) {
      expect(await read(path), path).toMatchObject(refused);
    }
  });
});

describe('an ordered call', () => {
  const mine = '+14155550140';
  const order = (values: object): Promise<Answer> =>
    api.post('/v1/calls', key, { phone_number: '+14155550199', from: mine, task: 'Call.', ...values });
  const commandOf = async (callId: string) => {
    const entries = await redis.xrange('demarc:commands', '-', '+');
    const commands = entries.map(([, fields]) => JSON.parse(fields[1]!));
    return commands.find(({ call_id }) => call_id === callId);
  };
  beforeAll(() => attachSip(mine, key, 'outbound'));

  it('gets the live version of its persona, and its knowledge with that of the tools', async () => {
    const persona = await create({ kb_ids: [hours] });
    await promote(persona);
    await change(persona, { kb_ids: [] });
    const tools = ['TL-1', prices, hours];
    const answer = await order({ persona_id: persona, tools });
    expect(answer.text).toContain('success');
    expect(await commandOf(answer.body.call_id)).toMatchObject({
      persona_id: persona,
      persona_version: 1,
      tools,
      knowledge_ids: [hours, prices],
    });
    const plain = await order({ tools: ['TL-1'] });
    const command = await commandOf(plain.body.call_id);
    expect(command).toMatchObject({ tools: ['TL-1'] });
    expect(command).not.toHaveProperty('knowledge_ids');
  });

  it('gets the version that is live when it is due, not when it was ordered', async () => {
    const persona = await create({ kb_ids: [hours] });
    await promote(persona);
    // Time for the changes, which must be before it.
    const at = new Date(Date.now() + 5_000).toISOString();
    const answer = await order({ persona_id: persona, scheduled_at: at });
    await change(persona, { kb_ids: [prices] });
    await promote(persona);
    await api.delete(`/v1/personas/${persona}`, key);
    const { call_id: callId } = answer.body;
    await until(async () => (await commandOf(callId)) !== undefined, 10_000, 'the call is due');
    expect(await commandOf(callId)).toMatchObject({ persona_version: 2, knowledge_ids: [prices] });
  });

  it('is refused with a persona that is unknown or has no live version, and with unknown knowledge', async () => {
    const draft = await create();
    expect(refusal(await order({ persona_id: draft }))).toMatchObject({
      status: 400,
      path: 'persona_id',
      message: expect.stringContaining('promote'),
    });
    for (const [values, path, named] of [
      [{ persona_id: 'per_1' }, 'persona_id', 'per_1'],
      [{ persona_id: foreign }, 'persona_id', foreign],
      [{ tools: ['TL-1', foreign] }, 'tools.1', foreign],
    ] as const) {
      const answer = refusal(await order(values));
      expect(answer).toMatchObject({ status: 400, path, message: expect.stringContaining(named) });
    }
    const batch = await api.post('/v1/calls/batch', key, {
      from: mine,
      task: 'Call.',
      tools: [hours],
      calls: [{ phone_number: '+14155550199' }, { phone_number: '+14155550198', tools: [foreign] }],
    });
    expect(refusal(batch)).toMatchObject({ status: 400, path: 'calls.1.tools.0' });
  });

  it('is refused with more knowledge than a call can have', async () => {
    const kbIds = await Promise.all(Array.from({ length: 30 }, (_, index) => learn(`part ${index}`)));
    const more = await Promise.all(Array.from({ length: 21 }, (_, index) => learn(`rest ${index}`)));
    const persona = await create({ kb_ids: kbIds });
    await promote(persona);
    expect(refusal(await order({ persona_id: persona, tools: more }))).toMatchObject({
      status: 400,
      path: 'tools',
      message: expect.stringContaining('51 knowledge bases'),
    });
    expect((await order({ persona_id: persona, tools: [...more.slice(1), kbIds[0]!] })).status).toBe(200);
  });
});
