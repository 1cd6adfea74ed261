import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { until } from '../../../../src/testkit/waiting.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let otherKey: string;
let persona: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, {
    DEMARC_AGENT_TEST_STARTS_PER_MINUTE: '3',
    DEMARC_AGENT_TEST_QUEUE_LENGTH: '1',
  });
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: false });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  const created = await api.post('/v1/personas', key, { name: 'Front desk' });
  persona = created.body.data.id;
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const path = '/v1/agent-testing/scenarios';
const hours = { name: 'Asks for hours', tester_persona_prompt: 'You want to know the opening hours.' };
const create = (values: object, by = key): Promise<Answer> => api.post(path, by, { ...hours, ...values });
const refusal = ({ status, body }: Answer) => ({ status, ...body.errors[0] });

describe('a test scenario', () => {
  it('is stored with defaults, changed field by field, listed, and deleted', async () => {
    const judge = { type: 'LLM_JUDGE', config: { prompt: 'Was it polite?' } };
    const created = await create({ persona_id: persona, assertions: [judge] });
    expect(created.text).toContain('"errors":null');
    const { data } = created.body;
    expect(data).toMatchObject({
      persona_id: persona,
      pathway_id: null,
      agent: null,
      category: 'CUSTOM',
      scenario_type: 'AGENT',
      channel: 'text',
      max_turns: 20,
      enabled: true,
      is_required_for_promotion: false,
      assertions: [
        {
          ...judge,
          config: { prompt: 'Was it polite?', output_type: 'boolean', pass_on_true: true, threshold: 0.7 },
          is_required: true,
          weight: 1,
          order: 0,
        },
      ],
    });
    const changed = await api.put(`${path}/${data.id}`, key, { is_required_for_promotion: true });
    expect(changed.body.data).toMatchObject({ is_required_for_promotion: true, assertions: data.assertions });
    const returned = await api.put(`${path}/${data.id}`, key, { assertions: data.assertions });
    expect(returned.body.data.assertions).toEqual(data.assertions);
    const replaced = await api.put(`${path}/${data.id}`, key, {
      assertions: [{ type: 'NODE_REACHED', config: { node_id: 'end' } }],
    });
    expect(replaced.body.data.assertions).toHaveLength(1);
    const listed = await api.get(`${path}?persona_id=${persona}`, key);
    expect(listed.body.data.scenarios).toMatchObject([{ id: data.id, most_recent_run: null }]);
    expect((await api.get(`${path}?enabled=false`, key)).body.data.scenarios).toEqual([]);
    expect((await api.delete(`${path}/${data.id}`, key)).body.data).toEqual({ id: data.id, deleted: true });
    expect((await api.get(`${path}/${data.id}`, key)).status).toBe(404);
    // Its name is free again.
    expect((await create({ persona_id: persona })).status).toBe(200);
  });

  it('requires one target, a name that is free there, and the fields of its type', async () => {
    const taken = await create({ persona_id: persona });
    expect(refusal(taken)).toMatchObject({ status: 409, error: 'SCENARIO_NAME_TAKEN' });
    expect(refusal(await create({}))).toMatchObject({ status: 400, path: 'pathway_id' });
    const both = await create({ persona_id: persona, agent: { url: 'https://a.example.com/v1' } });
    expect(refusal(both)).toMatchObject({ status: 400, path: 'agent' });
    const unknown = await create({ name: 'x', persona_id: '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d' });
    expect(refusal(unknown)).toMatchObject({ status: 400, path: 'persona_id' });
    const silent = await create({ name: 'x', persona_id: persona, tester_persona_prompt: '' });
    expect(refusal(silent)).toMatchObject({ status: 400, path: 'tester_persona_prompt' });
    const replay = await create({ name: 'x', persona_id: persona, scenario_type: 'REPLAY' });
    expect(refusal(replay)).toMatchObject({ status: 400, path: 'input_messages' });
    const assertion = { type: 'LLM_JUDGE', config: { prompt: 'p', output_type: 'categorical' } };
    const judged = await create({ name: 'x', persona_id: persona, assertions: [assertion] });
    expect(refusal(judged)).toMatchObject({ status: 400, path: 'assertions.0.config.categories' });
    const unknownField = await create({ name: 'x', persona_id: persona, max_turn: 3 });
    expect(refusal(unknownField)).toMatchObject({ status: 400, path: 'max_turn' });
  });

  it('belongs to its organization alone, whose agent keys are sealed and never returned', async () => {
    const agent = { url: 'https://agent.example.com/v1/', api_key: 'sk-secret-of-the-agent' };
    const created = await create({ name: 'own', agent });
    expect(created.body.data.agent).toEqual({
      url: 'https://agent.example.com/v1',
      model: 'agent',
      has_api_key: true,
      sip_uri: null,
    });
    const { id } = created.body.data;
    for (const answer of [created, await api.get(`${path}/${id}`, key), await api.get(path, key)])
      expect(answer.text).not.toContain('sk-secret');
    const { rows } = await sql<{ agent_key: string }>`
      select agent_key from agent_test_scenarios where id = ${id}`.execute(bench.database);
    expect(rows[0]!.agent_key).toMatch(/^v2:/);
    // A new address must not get the key of the old one.
    const moved = await api.put(`${path}/${id}`, key, { agent: { url: 'https://other.example.com/v1' } });
    expect(moved.body.data.agent.has_api_key).toBe(false);
    for (const answer of [
      await api.get(`${path}/${id}`, otherKey),
      await api.put(`${path}/${id}`, otherKey, { name: 'mine' }),
      await api.delete(`${path}/${id}`, otherKey),
    ])
      expect(answer.status).toBe(404);
    expect((await api.get(path, otherKey)).body.data.scenarios).toEqual([]);
  });

  it('is refused with an agent at a private address', async () => {
    for (const url of ['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]/v1'])
      expect(refusal(await create({ name: url, agent: { url } }))).toMatchObject({ path: 'agent.url' });
  });
});

describe('the destination of runs by voice', () => {
  it('is a SIP URI, or a number of the organization that takes calls', async () => {
    const attach = (number: string, direction: object) =>
      api.post('/v1/sip/attach', key, { phone_numbers: [number], directions: [direction], service: 'sip' });
    await attach('+14155550130', { type: 'inbound', allowed_ips: ['192.0.2.1'] });
    await attach('+14155550131', { type: 'outbound', sip_endpoint: 'sip:pbx.example.com' });
    const called = async (destination: string) =>
      create({ name: destination, persona_id: persona, voice: { destination } });
    for (const good of ['+14155550130', '14155550130', 'sip:agent@agents.example.com'])
      expect((await called(good)).status, good).toBe(200);
    for (const [bad, message] of [
      ['+14155550131', 'inbound direction'],
      ['+14155550199', 'attach it first'],
      ['reception', 'neither an E.164 number'],
      ['sip:@', 'not a SIP URI'],
    ] as const)
      expect(refusal(await called(bad)), bad).toMatchObject({
        status: 400,
        path: 'voice.destination',
        message: expect.stringContaining(message),
      });
    const { id } = (await create({ name: 'to be changed', persona_id: persona })).body.data;
    const changed = await api.put(`${path}/${id}`, key, { voice: { destination: '+14155550199' } });
    expect(refusal(changed)).toMatchObject({ status: 400, path: 'voice.destination' });
    const foreign = await create({ name: 'foreign', agent: { sip_uri: 'sip:a@b.example' } }, otherKey);
    const stolen = await api.put(`${path}/${foreign.body.data.id}`, otherKey, {
      voice: { destination: '+14155550130' },
    });
    expect(refusal(stolen)).toMatchObject({ status: 400, path: 'voice.destination' });
  });
});

describe('the templates', () => {
  it('can each be cloned to a target, and those that attack say what a pass proves', async () => {
    const listed = await api.get('/v1/agent-testing/templates', key);
    expect(listed.body.data.templates).toHaveLength(15);
    const attacks = await api.get('/v1/agent-testing/templates?category=RED_TEAM', key);
    expect(attacks.body.data.templates).toHaveLength(6);
    for (const { description } of attacks.body.data.templates) expect(description).toMatch(/^Proves that /);
    for (const { id, name, assertions } of listed.body.data.templates) {
      const cloned = await api.post(`/v1/agent-testing/templates/${id}/clone`, key, { persona_id: persona });
      expect(cloned.body.data.scenario).toMatchObject({ name, persona_id: persona });
      expect(cloned.body.data.scenario.assertions).toHaveLength(assertions.length);
    }
    const unknown = await api.post('/v1/agent-testing/templates/x/clone', key, { persona_id: persona });
    expect(unknown.status).toBe(404);
  });
});

describe('starting runs', () => {
  it('says that no model is configured, and is limited in number and by the minute', async () => {
    const { id } = (await create({ name: 'limits', persona_id: persona })).body.data;
    const secondScenario = (await create({ name: 'limits 2', persona_id: persona })).body.data.id;
    const started = await api.post(`${path}/${id}/run`, key, {});
    const show = async () =>
      (await api.get(`/v1/agent-testing/runs/${started.body.data.run_id}`, key)).body.data;
    await until(async () => (await show()).completed_at !== null, 10_000, 'the run');
    expect(await show()).toMatchObject({
      status: 'ERROR',
      error_message: 'No language model is configured to speak for the caller (DEMARC_LLM_URL).',
      models: { is_stand_in: false },
    });
    const full = await api.post('/v1/agent-testing/batch-run', key, { scenario_ids: [id, secondScenario] });
    expect(refusal(full)).toMatchObject({
      status: 429,
      error: 'RUN_QUEUE_FULL',
      message: expect.stringMatching(/ 2 more were ordered, 1 are allowed$/),
    });
    const missing = await api.post(`${path}/${id}/run`, key, { version_number: 7 });
    expect(refusal(missing)).toMatchObject({ status: 400, path: 'version_number' });
    const limited = await api.post(`${path}/${id}/run`, key, {});
    expect(refusal(limited)).toMatchObject({ status: 429, error: 'TOO_MANY_REQUESTS' });
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
