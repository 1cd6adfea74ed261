import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import {
  agentSays,
  briefCaller,
  modelEnvironment,
  pricePathway,
  RuleModelBench,
  staying,
} from './rule-model-bench.js';

let stack: RuleModelBench;
let secondApi: ApiUnderTest;
let pathway: string;
let scenario: string;

beforeAll(async () => {
  stack = await RuleModelBench.start();
  // Two processes: each due time must still be started once.
  secondApi = await startApi(stack.bench, modelEnvironment(stack.model));
  ({ id: pathway } = await stack.post('/pathways', pricePathway()));
  await stack.post(`/pathways/${pathway}/versions/promote`);
  scenario = (
    await stack.post('/agent-testing/scenarios', {
      name: 'Asks for the price',
      pathway_id: pathway,
      tester_persona_prompt: 'You want to know the price.',
      assertions: [agentSays('Five')],
    })
  ).id;
});
afterAll(async () => {
  await secondApi?.stop();
  await stack?.stop();
});

const path = '/agent-testing/schedules';
/** A sweep, then runs of conversations: seconds, but more on a busy machine. */
const patience = 60_000;
const hourly = { type: 'interval', minutes: 60 };
const create = (values: object = {}) =>
  stack.post(path, {
    name: 'Hourly',
    scenario_ids: [scenario],
    simulations_per_scenario: 2,
    recurrence: hourly,
    ...values,
  });
const change = async (id: string, values: object) =>
  (await stack.api.patch(`/v1${path}/${id}`, stack.key, values)).body;
const agent = (answer: string): void =>
  stack.model.setRules({ rules: [...briefCaller, staying, { answer }] });

/** Makes it due now, as an hour later. */
const makeDue = async (id: string): Promise<void> => {
  await stack.bench.database
    .updateTable('agent_test_schedules')
    .set({ next_run_at: new Date(Date.now() - 1) })
    .where('id', '=', id)
    .execute();
};
const setsOf = async (id: string) =>
  (await stack.get(`/agent-testing/simulation-sets?schedule_id=${id}`)).simulation_sets;
/** Polls slowly: the processes under test share this one's processor. */
const eventually = (found: () => Promise<boolean>, what: string) =>
  expect.poll(found, { interval: 250, timeout: patience, message: what }).toBe(true);
/** The schedule once it has started so many sets and the last has ended. */
const afterSets = async (id: string, count: number) => {
  await eventually(async () => {
    const { ended } = await stack.bench.database
      .selectFrom('agent_test_simulation_sets')
      .select(sql<number>`count(completed_at)::int`.as('ended'))
      .where('schedule_id', '=', id)
      .executeTakeFirstOrThrow();
    return ended === count;
  }, `${count} sets have ended`);
  return stack.get(`${path}/${id}`);
};
const deliveriesOf = async (
  event: 'agent_test.schedule_failed' | 'agent_test.schedule_recovered',
  id: string,
) =>
  stack.bench.database
    .selectFrom('deliveries')
    .select(['channel', 'target', 'content', 'endpoint_id'])
    .where('event', '=', event)
    .where('subject', 'like', `${id}%`)
    .orderBy('channel')
    .execute();

describe('a recurring test', () => {
  it('runs when it is due, alerts once while it fails and once when it passes again, whichever processes sweep', async () => {
    await stack.api.patch('/v1/sip/alerts/contacts', stack.key, { emails: ['noc@example.com'] });
    await stack.post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['agent_test.*'] });
    const { id, ...created } = await create();
    expect(created).toMatchObject({ state: null, version: 'live', last_run_at: null, enabled: true });
    expect(Date.parse(created.next_run_at)).toBeGreaterThan(Date.now() + 50 * 60_000);

    agent('Five euro.');
    await makeDue(id);
    const passing = await afterSets(id, 1);
    expect(passing).toMatchObject({ state: 'passing', problem: null, lowest_pass_rate: 1 });
    expect(Date.parse(passing.next_run_at)).toBeGreaterThan(Date.now() + 50 * 60_000);
    expect(await setsOf(id)).toMatchObject([
      { id: passing.last_simulation_set_id, trigger_source: 'schedule', schedule_id: id, passed_runs: 2 },
    ]);

    agent('Six euro.');
    for (const sets of [2, 3]) {
      await makeDue(id);
      expect(await afterSets(id, sets)).toMatchObject({
        state: 'failing',
        lowest_pass_rate: 0,
        problem: 'Asks for the price: 0 of 2 runs passed (0 %), 80 % required: Says Five (2 of 2 runs).',
      });
    }
    const alerts = await deliveriesOf('agent_test.schedule_failed', id);
    expect(alerts).toMatchObject([
      { channel: 'email', target: 'noc@example.com', content: { title: '[Demarc] TESTS: Hourly fails' } },
      { channel: 'webhook', content: { body: { data: { id, state: 'failing', lowest_pass_rate: 0 } } } },
    ]);

    agent('Five euro.');
    await makeDue(id);
    expect(await afterSets(id, 4)).toMatchObject({ state: 'passing', problem: null });
    expect(await setsOf(id)).toHaveLength(4);
    expect(await deliveriesOf('agent_test.schedule_recovered', id)).toHaveLength(2);
    expect(await deliveriesOf('agent_test.schedule_failed', id)).toHaveLength(2);
  }, 240_000);

  it('skips a time while its runs have not ended, and is paused, resumed and deleted', async () => {
    const { id } = await create({ notify_contacts: false });
    stack.model.setRules({ rules: [...briefCaller, staying, { hang: true }] });
    await makeDue(id);
    await eventually(async () => (await setsOf(id)).length === 1, 'the first set is started');
    await makeDue(id);
    await eventually(
      async () => Date.parse((await stack.get(`${path}/${id}`)).next_run_at) > Date.now(),
      'the next time is set',
    );
    const [set, ...more] = await setsOf(id);
    expect(more).toEqual([]);
    await stack.post(`/agent-testing/simulation-sets/${set.id}/cancel`);
    expect(await stack.get(`${path}/${id}`)).toMatchObject({ state: null, last_simulation_set_id: set.id });

    expect((await change(id, { enabled: false })).data).toMatchObject({ enabled: false, next_run_at: null });
    expect((await change(id, { name: 'Nightly' })).data).toMatchObject({ enabled: false, next_run_at: null });
    const resumed = (await change(id, { enabled: true })).data;
    expect(Date.parse(resumed.next_run_at)).toBeGreaterThan(Date.now());
    expect((await stack.get(path)).schedules.map((schedule: { id: string }) => schedule.id)).toContain(id);
    expect((await stack.api.delete(`/v1${path}/${id}`, stack.key)).status).toBe(200);
    expect((await stack.api.get(`/v1${path}/${id}`, stack.key)).status).toBe(404);
    expect((await setsOf(id))[0]).toMatchObject({ id: set.id, schedule_id: id });
  });

  it('fails with the reason when its tests cannot be started', async () => {
    const { id: deleted } = await stack.post('/agent-testing/scenarios', {
      name: 'Deleted',
      pathway_id: pathway,
      tester_persona_prompt: 'You want to know the price.',
    });
    const { id } = await create({ scenario_ids: [deleted], notify_contacts: false });
    await stack.api.delete(`/v1/agent-testing/scenarios/${deleted}`, stack.key);
    await makeDue(id);
    const found = await stack.eventually(
      `${path}/${id}`,
      ({ state }: { state: unknown }) => state !== null,
      patience,
    );
    expect(found).toMatchObject({
      state: 'failing',
      problem: `The tests could not be started: Scenario ${deleted} not found.`,
      last_simulation_set_id: null,
    });
    expect(Date.parse(found.next_run_at)).toBeGreaterThan(Date.now());
    // It can be paused all the same.
    expect((await change(id, { enabled: false })).data).toMatchObject({ enabled: false });
  });

  it('starts nothing once the budget of its period is used up, alerts once, and continues without it', async () => {
    agent('Five euro.');
    const { id, ...created } = await create({ budget: { tokens: 1_000_000, period: 'month' } });
    expect(created).toMatchObject({
      budget: { period: 'month', tokens: 1_000_000, cost: null },
      usage: { period: 'month', tokens: 0, cost: null },
    });
    await makeDue(id);
    const { usage, last_simulation_set_id: set } = await afterSets(id, 1);
    expect(usage.tokens).toBeGreaterThan(10);
    expect(await stack.get(`/agent-testing/simulation-sets/${set}`)).toMatchObject({
      token_budget: { limit: 1_000_000, used: usage.tokens },
      usage: { tokens: usage.tokens },
    });
    expect(
      await stack.refused(path, {
        name: 'Costly',
        scenario_ids: [scenario],
        recurrence: hourly,
        budget: { tokens: 1 },
      }),
    ).toMatchObject({ status: 409, error: 'TOKEN_BUDGET_TOO_LOW' });
    expect(
      await stack.refused(path, {
        name: 'Paid',
        scenario_ids: [scenario],
        recurrence: hourly,
        budget: { cost: 1 },
      }),
    ).toMatchObject({ status: 409, error: 'MODEL_PRICE_UNKNOWN' });

    await stack.bench.database
      .updateTable('agent_test_schedules')
      .set({ budget_tokens: usage.tokens })
      .where('id', '=', id)
      .execute();
    for (let attempt = 1; attempt <= 2; attempt++) {
      await makeDue(id);
      await eventually(
        async () => Date.parse((await stack.get(`${path}/${id}`)).next_run_at) > Date.now(),
        'the next time is set',
      );
    }
    const used = usage.tokens.toLocaleString('en-US');
    expect(await stack.get(`${path}/${id}`)).toMatchObject({
      state: 'failing',
      problem: expect.stringMatching(
        `^The tests could not be started: Token budget used up: ${used} of ${used} tokens of this month \\(UTC\\) are used\\. Wait until .*, or raise the budget of the recurring test\\.$`,
      ),
      last_simulation_set_id: set,
    });
    expect(await deliveriesOf('agent_test.schedule_failed', id)).toHaveLength(2);

    expect((await change(id, { budget: null })).data).toMatchObject({ budget: null });
    await makeDue(id);
    expect(await afterSets(id, 2)).toMatchObject({ state: 'passing', usage: { tokens: 2 * usage.tokens } });
  }, 240_000);

  it('is refused for what could not run, and above the bound of the organization', async () => {
    const refused = (values: object) =>
      stack.refused(path, { name: 'Hourly', scenario_ids: [scenario], recurrence: hourly, ...values });
    expect(await refused({ scenario_ids: [randomUUID()] })).toMatchObject({ status: 404 });
    expect(await refused({ recurrence: { type: 'interval', minutes: 1 } })).toMatchObject({
      status: 400,
      path: 'recurrence.minutes',
    });
    expect(await refused({ matrix: { fields: { 'voice.speed': [9] } } })).toMatchObject({
      status: 400,
      path: 'matrix.fields.voice.speed',
    });
    const { id: unreleased } = await stack.post('/pathways', pricePathway());
    const { id: draftOnly } = await stack.post('/agent-testing/scenarios', {
      name: 'Of a draft',
      pathway_id: unreleased,
      tester_persona_prompt: 'You want to know the price.',
    });
    expect(await refused({ scenario_ids: [draftOnly] })).toMatchObject({
      path: 'version',
      message: expect.stringContaining('has no live version'),
    });
    const { id } = await create({ scenario_ids: [draftOnly], version: 'draft', enabled: false });
    expect(await change(id, { simulations_per_scenario: 0 })).toMatchObject({
      errors: [{ path: 'simulations_per_scenario' }],
    });
    expect(await change(randomUUID(), { enabled: true })).toMatchObject({ errors: [{ error: 'NOT_FOUND' }] });
    await sql`insert into agent_test_schedules (organization_id, id, name, scenario_ids, simulations_per_scenario,
        version, recurrence, required_pass_rate, notify_contacts, enabled)
      select organization_id, gen_random_uuid(), name, scenario_ids, simulations_per_scenario,
        version, recurrence, required_pass_rate, notify_contacts, enabled
      from agent_test_schedules, generate_series(1, 49) where id = ${id}`.execute(stack.bench.database);
    expect(await refused({})).toMatchObject({ status: 409, error: 'TOO_MANY_TEST_SCHEDULES' });
  });
});
