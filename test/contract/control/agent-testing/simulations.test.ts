import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standInRules } from '../../../../src/rule-model/stand-in-rules.js';
import { runTestCommand } from '../../../../src/test-command/main.js';
import { until } from '../../../../src/testkit/waiting.js';
import { documentedExamples, runCommands } from '../../../support/documented-examples.js';
import { demarcProgram } from '../../../support/engine-under-test.js';
import {
  agentSays,
  asked,
  briefCaller,
  pricePathway,
  RuleModelBench,
  type Rules,
  staying,
} from './rule-model-bench.js';

let stack: RuleModelBench;
let pathway: string;
let count = 0;

beforeAll(async () => {
  stack = await RuleModelBench.start({ DEMARC_AGENT_TEST_TOKENS_PER_MONTH: '1000000000' });
  ({ id: pathway } = await stack.post('/pathways', pricePathway()));
});
afterAll(() => stack?.stop());

const scenario = async (values: object = {}): Promise<string> => {
  const body = {
    name: `Price ${++count}`,
    pathway_id: pathway,
    tester_persona_prompt: 'You want to know the price.',
  };
  return (await stack.post('/agent-testing/scenarios', { ...body, ...values })).id;
};
const agent = (...rules: Rules): void => {
  stack.model.setRules({ rules: [...briefCaller, staying, ...rules] });
};
const ended = (id: string) =>
  stack.eventually(
    `/agent-testing/simulation-sets/${id}`,
    (set: { completed_at: unknown }) => set.completed_at !== null,
  );

describe('a simulation set', () => {
  it('runs each scenario many times, and shows which one is flaky, how sure that is, and why runs failed', async () => {
    const reliable = await scenario({ assertions: [agentSays('cost')] });
    const flaky = await scenario({ assertions: [agentSays('Five')] });
    // One answer of the flaky scenario's runs at least names the price; all of them do in one set of 1,400, since both take turns.
    agent(
      { when: { system: 'Greet', turn: 1 }, times: 9, answer: 'What does it cost? Five euro.' },
      { answer: 'It costs.' },
    );
    const set = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [reliable, flaky],
      simulations_per_scenario: 8,
      pathway_id: pathway,
    });
    expect(set).toMatchObject({ status: 'PENDING', total_scenarios: 2, simulations_per_scenario: 8 });
    const found = await ended(set.simulation_set_id);
    expect(found).toMatchObject({ status: 'FAILED', total_runs: 16, completed_runs: 16 });
    expect(found.statistics.overall).toMatchObject({ flaky_count: 1, reliable_count: 1, total_runs: 16 });
    expect(found.statistics.per_scenario[reliable]).toMatchObject({
      passed: 8,
      pass_rate: 1,
      is_flaky: false,
      confidence: 'medium',
      scores: { mean: 1, stddev: 0 },
    });
    const flakyOne = found.statistics.per_scenario[flaky];
    expect(flakyOne).toMatchObject({ is_flaky: true, total_runs: 8, confidence: 'low' });
    expect(flakyOne.common_failure_modes).toEqual([`Says Five (${flakyOne.failed} of 8 runs)`]);
    const worst = await stack.get(`/agent-testing/runs/${flakyOne.worst_run_id}`);
    expect(worst).toMatchObject({
      status: 'FAILED',
      origin: 'simulation',
      simulation_set_id: set.simulation_set_id,
    });
  });

  it('varies fields of the scenario, and shows which value fails', async () => {
    const asksPrice = { ...agentSays('cost'), config: { value: 'cost', target: 'caller' } };
    const id = await scenario({ request_data: { city: 'Graz' }, assertions: [asksPrice] });
    const fromLinz = { system: `${asked.tester}[^]*Linz` };
    stack.model.setRules({
      rules: [
        { when: fromLinz, answer: { say: 'Hello.', hang_up: false } },
        ...briefCaller,
        staying,
        { answer: 'Five euro.' },
      ],
    });
    const body = { scenario_ids: [id], simulations_per_scenario: 2 };
    const fields = { max_turns: [1, 2], 'request_data.city': ['Wien', 'Linz'] };
    const set = await stack.post('/agent-testing/simulation-sets', { ...body, matrix: { fields } });
    const found = await ended(set.simulation_set_id);
    expect(found).toMatchObject({ total_runs: 8, matrix: { fields, sample: null, seed: 1 } });
    expect(found.matrix.variations).toHaveLength(4);
    expect(found.matrix.by_value[0]).toMatchObject({
      values: { 'request_data.city': 'Linz' },
      failed: 4,
      pass_rate: 0,
    });
    expect(found.matrix.by_value.at(-1)).toMatchObject({
      values: { 'request_data.city': 'Wien' },
      passed: 4,
    });
    const { runs } = await stack.get(`/agent-testing/runs?simulation_set_id=${set.simulation_set_id}`);
    expect(runs.map(({ variation }: { variation: object }) => JSON.stringify(variation)).toSorted()[0]).toBe(
      '{"max_turns":1,"request_data.city":"Linz"}',
    );
    expect(
      await stack.refused('/agent-testing/simulation-sets', {
        ...body,
        matrix: { fields: { 'voice.speed': [1, 9] } },
      }),
    ).toMatchObject({ status: 400, path: 'matrix.fields.voice.speed' });
  });

  it('covers nodes of its pathway, and the rest is suggested as scenarios', async () => {
    const { id: covered } = await stack.post('/pathways', pricePathway());
    const coverage = () => stack.get(`/agent-testing/coverage/${covered}`);
    expect(await coverage()).toMatchObject({ runs: 0, version_number: 1, nodes: { covered: 0, percent: 0 } });
    const id = await scenario({ pathway_id: covered, assertions: [agentSays('cost')] });
    agent({ answer: 'It costs.' });
    const set = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [id],
      simulations_per_scenario: 2,
    });
    await ended(set.simulation_set_id);
    const found = await coverage();
    expect(found).toMatchObject({
      runs: 2,
      nodes: { total: 2, covered: 1, percent: 50 },
      edges: { total: 1, covered: 0 },
      missing_nodes: [{ id: 'goodbye' }],
    });
    expect(await stack.post('/agent-testing/scenarios', found.suggested_scenarios[0])).toMatchObject({
      pathway_id: covered,
    });
    const unknown = await stack.api.get(`/v1/agent-testing/coverage/${randomUUID()}`, stack.key);
    expect(unknown.status).toBe(404);
  });

  it('counts runs that could not be judged apart, and ends in ERROR', async () => {
    const id = await scenario({ assertions: [agentSays('cost')] });
    agent({ when: { system: 'Greet' }, status: 500, times: 1 }, { answer: 'It costs.' });
    const set = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [id],
      simulations_per_scenario: 3,
    });
    const found = await ended(set.simulation_set_id);
    const comparison = `/agent-testing/simulation-sets/${found.id}/comparison?other=`;
    expect(await stack.get(`${comparison}${found.id}`)).toMatchObject({
      scenarios: [{ scenario_id: id, p_value: 1, verdict: 'not_shown', set: { passed: 2, errors: 1 } }],
      set: { versions: [1], agent_models: ['rules'] },
    });
    expect((await stack.api.get(`/v1${comparison}${randomUUID()}`, stack.key)).status).toBe(404);
    expect(found).toMatchObject({ status: 'ERROR' });
    expect(found.statistics.per_scenario[id]).toMatchObject({
      passed: 2,
      errors: 1,
      pass_rate: 1,
      is_flaky: false,
    });
  });

  it('is refused for scenarios of something else, and for too many runs; none of them starts', async () => {
    const id = await scenario();
    const start = (body: object) =>
      stack.refused('/agent-testing/simulation-sets', { simulations_per_scenario: 2, ...body });
    expect(await start({ scenario_ids: [id], pathway_id: randomUUID() })).toMatchObject({
      status: 400,
      path: 'scenario_ids.0',
      message: expect.stringContaining('does not test the pathway'),
    });
    expect(await start({ scenario_ids: [id, randomUUID()] })).toMatchObject({ status: 404 });
    expect(await start({ scenario_ids: [id], simulations_per_scenario: 101 })).toMatchObject({ status: 400 });
    expect((await stack.get(`/agent-testing/runs?scenario_id=${id}`)).total_count).toBe(0);
    expect((await stack.api.get(`/v1/agent-testing/simulation-sets/${randomUUID()}`, stack.key)).status).toBe(
      404,
    );
  });
});

describe('the end of a simulation set', () => {
  it('is sent signed, once, with its statistics', async () => {
    const { secret } = await stack.post('/webhooks/secret');
    const got: { readonly signature: unknown; readonly text: string }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        got.push({
          signature: request.headers['x-webhook-signature'],
          text: Buffer.concat(chunks).toString(),
        });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const id = await scenario({ assertions: [agentSays('Five')] });
      agent({ answer: 'Five euro.' });
      const set = await stack.post('/agent-testing/simulation-sets', {
        scenario_ids: [id],
        simulations_per_scenario: 3,
        webhook_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sets`,
      });
      await ended(set.simulation_set_id);
      await until(() => got.length > 0, 5_000, 'the webhook');
      const [{ signature, text }] = got as [(typeof got)[number]];
      expect(signature).toBe(createHmac('sha256', secret).update(text).digest('hex'));
      expect(JSON.parse(text)).toMatchObject({
        event: 'agent_test.simulation_set_completed',
        data: {
          id: set.simulation_set_id,
          status: 'PASSED',
          completed_runs: 3,
          statistics: { overall: { reliable_count: 1 }, per_scenario: { [id]: { passed: 3, pass_rate: 1 } } },
        },
      });
      const sent = await stack.bench.database
        .selectFrom('deliveries')
        .select('id')
        .where('subject', '=', set.simulation_set_id)
        .execute();
      expect(sent).toHaveLength(1);
    } finally {
      server.close();
    }
  });
});

describe('the lists of batches and simulation sets', () => {
  it('show their results newest first, a page at a time, and by their state', async () => {
    const good = await scenario({ assertions: [agentSays('Five')] });
    const bad = await scenario({ assertions: [agentSays('moon')] });
    agent({ answer: 'Five euro.' });
    const batches: string[] = [];
    for (const scenario_ids of [[good], [good, bad], [bad]])
      batches.push((await stack.post('/agent-testing/batch-run', { scenario_ids })).batch_id);
    const { simulation_set_id: set } = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [good, bad],
      simulations_per_scenario: 2,
    });
    for (const id of batches)
      await stack.eventually(
        `/agent-testing/batches/${id}`,
        (simulation: { completed_at: unknown }) => simulation.completed_at !== null,
      );
    await ended(set);
    const page = async (query: string) => (await stack.api.get(`/v1/agent-testing/${query}`, stack.key)).body;
    const first = await page('batches?limit=2');
    expect(first).toMatchObject({ has_more: true, next: batches[1] });
    expect(first.data.batches).toMatchObject([
      { id: batches[2], status: 'FAILED', passed_scenarios: 0, failed_scenarios: 1 },
      {
        id: batches[1],
        status: 'FAILED',
        total_scenarios: 2,
        passed_scenarios: 1,
        failed_scenarios: 1,
        trigger_source: 'api',
        scenarios: [{ id: good }, { id: bad }],
      },
    ]);
    const second = await page(`batches?limit=1&after=${first.next}`);
    expect(second.data.batches).toMatchObject([{ id: batches[0], status: 'PASSED' }]);
    const passed = (await page('batches?status=PASSED&trigger_source=api&limit=100')).data.batches;
    expect(passed.map(({ id }: { id: string }) => id)).toContain(batches[0]);
    expect(passed.map(({ id }: { id: string }) => id)).not.toContain(batches[1]);
    const { simulation_sets: sets } = (await page('simulation-sets?limit=1')).data;
    expect(sets).toMatchObject([
      {
        id: set,
        status: 'FAILED',
        total_runs: 4,
        completed_runs: 4,
        passed_runs: 2,
        simulations_per_scenario: 2,
        scenarios: [{ id: good }, { id: bad }],
      },
    ]);
    for (const list of ['batches', 'simulation-sets', 'tornado'])
      expect(await page(`${list}?after=${good}`)).toMatchObject({ errors: [{ path: 'after' }] });
  });

  it('are shown once their runs are cancelled, which happens once', async () => {
    const id = await scenario({ assertions: [agentSays('Five')] });
    agent({ when: { system: 'Greet' }, hang: true });
    const { simulation_set_id: set } = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [id],
      simulations_per_scenario: 3,
    });
    const { batch_id: batch } = await stack.post('/agent-testing/batch-run', { scenario_ids: [id] });
    const [setPath, batchPath] = [`simulation-sets/${set}`, `batches/${batch}`].map(
      (path) => `/agent-testing/${path}`,
    );
    expect(await stack.post(`${setPath}/cancel`)).toMatchObject({ status: 'CANCELLED', completed_runs: 3 });
    expect(await stack.post(`${batchPath}/cancel`)).toMatchObject({
      status: 'CANCELLED',
      failed_scenarios: 1,
    });
    for (const path of [setPath, batchPath])
      expect(await stack.refused(`${path}/cancel`)).toMatchObject({ status: 409, error: 'RUN_ENDED' });
  });
});

describe('the token budget', () => {
  const path = '/agent-testing/budget';
  const set = async (tokens_per_day: number | null, tokens_per_month: number | null = null) =>
    (await stack.api.put(`/v1${path}`, stack.key, { tokens_per_day, tokens_per_month })).body;

  it('counts what models take, stops runs in progress at its limit, and starts none after it', async () => {
    const id = await scenario({ assertions: [agentSays('Five')] });
    const { id: gated } = await stack.post('/pathways', pricePathway());
    await scenario({ pathway_id: gated, is_required_for_promotion: true, assertions: [agentSays('Five')] });
    agent({ answer: 'Five euro.' });
    const before = await stack.get(path);
    expect(before).toMatchObject({ tokens_per_day: null, limit_per_month: 1_000_000_000, is_used_up: false });
    const run = async () => {
      const { run_id } = await stack.post(`/agent-testing/scenarios/${id}/run`);
      return stack.eventually(
        `/agent-testing/runs/${run_id}`,
        (simulation: { completed_at: unknown }) => simulation.completed_at !== null,
      );
    };
    const { usage } = await run();
    const used = usage.prompt_tokens + usage.completion_tokens;
    expect(used).toBeGreaterThan(10);
    const after = await stack.get(path);
    expect(after.used_today - before.used_today).toBe(used);
    expect(after.used_this_month - before.used_this_month).toBe(used);

    // Enough for the first request of a run alone.
    expect((await set(after.used_today + 1)).data).toMatchObject({ is_used_up: false });
    expect(await run()).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringMatching(/^Token budget used up: [\d,]+ of [\d,]+ tokens of this day/),
    });
    expect(await stack.get(path)).toMatchObject({ is_used_up: true });
    for (const [start, body] of [
      [`scenarios/${id}/run`, {}],
      ['batch-run', { scenario_ids: [id] }],
      ['simulation-sets', { scenario_ids: [id], simulations_per_scenario: 1 }],
      ['tornado/start', { pathway_id: pathway }],
      ['scenarios/generate-from-call', { call_id: 'none' }],
    ] as const)
      expect(await stack.refused(`/agent-testing/${start}`, body), start).toMatchObject({
        status: 409,
        error: 'TOKEN_BUDGET_USED',
        message: expect.stringMatching(/ of [\d,]+ tokens of this day \(UTC\) are used\. Wait until /),
      });
    expect(await stack.refused(`/pathways/${gated}/versions/promote`)).toMatchObject({
      error: 'PROMOTION_REFUSED',
      message: expect.stringContaining('Token budget used up'),
    });
    expect((await set(null)).data).toMatchObject({ is_used_up: false, limit_per_day: null });
    expect(await run()).toMatchObject({ status: 'PASSED' });
    expect(await set(null, 2_000_000_000)).toMatchObject({
      errors: [{ path: 'tokens_per_month', message: 'At most 1,000,000,000 in this service.' }],
    });
  });
});

describe('the token budget of what is started', () => {
  const path = '/agent-testing/budget';
  const set = (limits: object) =>
    stack.api.put(`/v1${path}`, stack.key, { tokens_per_day: null, tokens_per_month: null, ...limits });
  const isEnded = ({ completed_at }: { completed_at: unknown }): boolean => completed_at !== null;

  it('is compared with what earlier runs took, and stops the runs of a set and of a promotion together', async () => {
    const { id: gated } = await stack.post('/pathways', pricePathway());
    const asked = { pathway_id: gated, is_required_for_promotion: true, assertions: [agentSays('Five')] };
    const id = await scenario(asked);
    agent({ answer: 'Five euro.' });
    const estimate = (runs: number) =>
      stack.post(`${path}/estimate`, { scenario_ids: [id], runs_per_scenario: runs });
    expect(await estimate(4)).toMatchObject({ total_runs: 4, tokens: null });

    // None was measured, so that only what they take stops them: after their first requests.
    const started = await stack.post('/agent-testing/simulation-sets', {
      scenario_ids: [id],
      simulations_per_scenario: 3,
      token_budget: 1,
    });
    const stopped = await ended(started.simulation_set_id);
    expect(stopped).toMatchObject({ status: 'ERROR', completed_runs: 3, token_budget: { limit: 1 } });
    expect(stopped.token_budget.used).toBeGreaterThan(1);
    expect(stopped.statistics.per_scenario[id].common_failure_modes.join()).toMatch(
      /Token budget used up: \d+ of 1 tokens of this simulation set are used/,
    );
    expect(await set({ tokens_per_gate: 1 })).toMatchObject({ body: { data: { tokens_per_gate: 1 } } });
    await stack.api.post(`/v1/pathways/${gated}/versions/promote`, stack.key, {});
    const { promotion } = await stack.eventually(
      `/pathways/${gated}`,
      (pathway: { promotion: { status: string } }) => pathway.promotion.status !== 'RUNNING',
    );
    expect(promotion.reasons).toEqual([
      expect.stringMatching(
        /could not be run: Token budget used up: \d+ of 1 tokens of this promotion are used/,
      ),
    ]);

    expect((await set({})).body.data).toMatchObject({ tokens_per_gate: null });
    const { run_id } = await stack.post(`/agent-testing/scenarios/${id}/run`, { token_budget: 1_000_000 });
    const { status, token_budget, usage } = await stack.eventually(`/agent-testing/runs/${run_id}`, isEnded);
    expect([status, token_budget]).toEqual(['PASSED', 1_000_000]);
    const took = usage.prompt_tokens + usage.completion_tokens;
    expect(await estimate(4)).toMatchObject({ total_runs: 4, tokens: 4 * took });
    for (const [start, body] of [
      [`scenarios/${id}/run`, { token_budget: took - 1 }],
      ['batch-run', { scenario_ids: [id], token_budget: took - 1 }],
      ['simulation-sets', { scenario_ids: [id], simulations_per_scenario: 4, token_budget: 4 * took - 1 }],
    ] as const)
      expect(await stack.refused(`/agent-testing/${start}`, body), start).toMatchObject({
        status: 409,
        error: 'TOKEN_BUDGET_TOO_LOW',
      });
  });
});

describe('prices of models', () => {
  const put = async (path: string, body: object) =>
    (await stack.api.put(`/v1/agent-testing/${path}`, stack.key, body)).body;
  const budget = (limits: object) =>
    put('budget', { tokens_per_day: null, tokens_per_month: null, ...limits });
  const prices = { prompt_price: 1_000, completion_price: 2_000 };
  const isEnded = ({ completed_at }: { completed_at: unknown }): boolean => completed_at !== null;
  const run = async (id: string) => {
    const { run_id } = await stack.post(`/agent-testing/scenarios/${id}/run`);
    return stack.eventually(`/agent-testing/runs/${run_id}`, isEnded);
  };

  it('give runs, sets and estimates a cost or none, and budgets in money refuse and stop what exceeds them', async () => {
    const [unpriced, id, unmeasured] = [
      await scenario({ assertions: [agentSays('Five')] }),
      await scenario({ assertions: [agentSays('Five')] }),
      await scenario({ assertions: [agentSays('Five')] }),
    ];
    agent({ answer: 'Five euro.' });
    expect((await run(unpriced)).usage).toMatchObject({ cost: null, cost_usd: null });
    expect(await stack.get('/agent-testing/prices')).toMatchObject({
      currency: 'USD',
      models: [],
      service_models: [
        { model: 'rules', use: 'conversation', prompt_price: null },
        { model: 'rules', use: 'judge', prompt_price: null },
      ],
    });
    const noPrice = {
      error: 'MODEL_PRICE_UNKNOWN',
      message: expect.stringContaining('model rules has no price in USD'),
    };
    expect(await budget({ cost_per_day: 1 })).toMatchObject({ errors: [noPrice] });
    expect(await stack.refused(`/agent-testing/scenarios/${unpriced}/run`, { cost_budget: 1 })).toMatchObject(
      noPrice,
    );

    const { data } = await put('prices', { currency: 'EUR', models: [{ model: 'rules', ...prices }] });
    expect(data.service_models[0]).toEqual({ model: 'rules', use: 'conversation', ...prices });
    const { usage } = await run(id);
    const cost = (usage.prompt_tokens * 1_000 + usage.completion_tokens * 2_000) / 1_000_000;
    expect(usage).toMatchObject({
      cost: { currency: 'EUR', amount: expect.closeTo(cost, 9) },
      cost_usd: null,
    });
    const estimate = (scenarioId: string) =>
      stack.post('/agent-testing/budget/estimate', { scenario_ids: [scenarioId], runs_per_scenario: 4 });
    expect(await estimate(id)).toMatchObject({
      cost: { currency: 'EUR', amount: expect.closeTo(4 * cost, 9) },
    });
    expect(await estimate(unpriced)).toMatchObject({ tokens: expect.any(Number), cost: null });

    const simulate = async (scenarioId: string, most: object = {}) =>
      ended(
        (
          await stack.post('/agent-testing/simulation-sets', {
            scenario_ids: [scenarioId],
            simulations_per_scenario: 2,
            ...most,
          })
        ).simulation_set_id,
      );
    const took = usage.prompt_tokens + usage.completion_tokens;
    expect(await simulate(id, { cost_budget: 1_000 })).toMatchObject({
      status: 'PASSED',
      usage: { tokens: 2 * took, cost: { currency: 'EUR', amount: expect.closeTo(2 * cost, 9) } },
      cost_budget: { limit: 1_000, used: expect.closeTo(2 * cost, 9), currency: 'EUR' },
    });
    expect(
      await stack.refused('/agent-testing/simulation-sets', {
        scenario_ids: [id],
        simulations_per_scenario: 4,
        cost_budget: 3 * cost,
      }),
    ).toMatchObject({ status: 409, error: 'COST_BUDGET_TOO_LOW' });
    // None was measured, so that only what they cost stops them: after their first requests.
    const stopped = await simulate(unmeasured, { cost_budget: 0.000001 });
    expect(stopped).toMatchObject({ status: 'ERROR', completed_runs: 2 });
    expect(stopped.statistics.per_scenario[unmeasured].common_failure_modes.join()).toMatch(
      /Budget in money used up: EUR [\d.]+ of EUR 0\.000001 of this simulation set are used/,
    );

    const { cost_today: today, currency } = await stack.get('/agent-testing/budget');
    expect(currency).toBe('EUR');
    expect(today).toBeGreaterThanOrEqual(3 * cost);
    expect((await budget({ cost_per_day: today + cost / 1_000 })).data).toMatchObject({ is_used_up: false });
    // Enough for the first request of a run alone.
    expect(await run(unmeasured)).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringMatching(/^Budget in money used up: EUR [\d.]+ of EUR [\d.]+ of this day/),
    });
    expect(await stack.refused(`/agent-testing/scenarios/${id}/run`)).toMatchObject({
      status: 409,
      error: 'COST_BUDGET_USED',
    });
    expect(await put('prices', { currency: 'USD', models: [] })).toMatchObject({
      errors: [{ path: 'currency', message: expect.stringContaining('Budgets of tests are set in EUR') }],
    });
    // Without its price, a model is not asked while a budget in money applies.
    await budget({ cost_per_day: 1_000_000 });
    await put('prices', { currency: 'EUR', models: [] });
    expect(await run(unmeasured)).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringMatching(/^Price of a model unknown: model rules has no price in EUR/),
      usage: { requests: 0, cost: { amount: 0 } },
    });
    expect((await budget({})).data).toMatchObject({ cost_per_day: null });
    expect(await put('prices', { currency: 'USD', models: [] })).toMatchObject({ data: { currency: 'USD' } });
  });
});

describe('the promotion of a pathway over the API', () => {
  it('waits for its required scenarios, run with the version that is promoted, and then makes it live', async () => {
    const { id } = await stack.post('/pathways', pricePathway('Name the price.'));
    await scenario({ pathway_id: id, is_required_for_promotion: true, assertions: [agentSays('Five')] });
    const path = `/pathways/${id}/versions/promote`;
    agent({ when: { system: 'Name the price' }, answer: 'Five euro.' }, { answer: 'Hello.' });
    const answer = await stack.api.post(`/v1${path}`, stack.key, {});
    expect(answer.status).toBe(202);
    expect(answer.body.data).toMatchObject({
      current_production_version: null,
      promotion: { status: 'RUNNING' },
    });
    expect(await stack.refused(path)).toMatchObject({ status: 409, error: 'PROMOTION_RUNNING' });
    const batch = await stack.get(`/agent-testing/batches/${answer.body.data.promotion.batch_id}`);
    expect(batch).toMatchObject({ trigger_source: 'gate', publish_on_pass: true });
    const decided = await stack.eventually(
      `/pathways/${id}`,
      (pathway: { promotion: { status: string } }) => pathway.promotion.status !== 'RUNNING',
    );
    expect(decided).toMatchObject({
      current_production_version: null,
      promotion: {
        status: 'REFUSED',
        is_stand_in: true,
        reasons: [expect.stringMatching(/^Scenario “Price \d+” used the stand-in/)],
      },
    });
  });

  it('makes the version live after as many runs as show the rate, when a real model took part', async () => {
    const own = await RuleModelBench.start({ DEMARC_LLM_STAND_IN: 'false' });
    try {
      const { id } = await own.post('/pathways', pricePathway('Name the price.'));
      const { id: scenarioId } = await own.post('/agent-testing/scenarios', {
        name: 'Price',
        pathway_id: id,
        tester_persona_prompt: 'You want the price.',
        is_required_for_promotion: true,
        assertions: [agentSays('Five')],
      });
      own.model.setRules({ rules: [...briefCaller, staying, { answer: 'Five euro.' }] });
      await own.post(`/pathways/${id}/versions/promote`);
      const decided = await own.eventually(
        `/pathways/${id}`,
        (pathway: { promotion: { status: string } }) => pathway.promotion.status !== 'RUNNING',
      );
      expect(decided).toMatchObject({
        current_production_version: { version_number: 1 },
        promotion: { status: 'PROMOTED', reasons: [], is_stand_in: false },
      });
      const batch = await own.get(`/agent-testing/batches/${decided.promotion.batch_id}`);
      expect(batch).toMatchObject({ status: 'PASSED', total_scenarios: 8 });
      const { runs } = await own.get(`/agent-testing/runs?scenario_id=${scenarioId}`);
      expect(runs).toHaveLength(8);
    } finally {
      await own.stop();
    }
  }, 60_000);
});

describe('demarc test run', () => {
  const command = async (argv: readonly string[], environment: Record<string, string> = {}) => {
    const texts = { out: '', error: '' };
    const status = await runTestCommand(['run', '--url', stack.api.url, ...argv], {
      environment: { DEMARC_API_KEY: stack.key, ...environment },
      out: (text) => {
        texts.out += text;
      },
      error: (text) => {
        texts.error += text;
      },
    });
    return { status, ...texts };
  };

  it('exits by the result, prints why, and writes the report', async () => {
    const good = await scenario({ assertions: [agentSays('Five')] });
    const bad = await scenario({ assertions: [agentSays('moon')] });
    const badName = `Price ${count}`;
    agent({ answer: 'Five euro.' });
    const junit = join(await mkdtemp(join(tmpdir(), 'demarc-test-')), 'report.xml');
    expect(await command(['--scenario', good, '--gate'])).toMatchObject({ status: 0, error: '' });
    const markdown = join(dirname(junit), 'summary.md');
    const both = await command([
      ...['--scenario', good, '--scenario', badName, '--gate'],
      ...['--junit', junit, '--markdown', markdown],
    ]);
    expect(both.status).toBe(1);
    expect(both.out).toContain(`FAILED     ${badName}  score 0.00\n           Says moon: `);
    expect(both.out).toContain('The stand-in that answers by rules took part');
    expect(both.out).toContain('1 of 2 passed');
    const share = '1 of 2 nodes (50 %), 0 of 1 edges (0 %)';
    expect(both.out).toContain(`Coverage of pathway ${pathway}, version 1: ${share}\n`);
    expect(both.out).toContain('missing node  Goodbye (goodbye)\n');
    expect(both.out).toContain('missing edge  greeting → goodbye: The caller says goodbye\n');
    const [xml, comment] = await Promise.all([readFile(junit, 'utf8'), readFile(markdown, 'utf8')]);
    expect(xml).toContain('tests="2" failures="1" errors="0"');
    expect(xml).toContain(`name="coverage.pathway.${pathway}.version-1.nodes.percent" value="50"/>`);
    expect(comment).toContain(`| ❌ | ${badName} | 0.00 | **Says moon**: `);
    expect(comment).toContain(share);
    await rm(dirname(junit), { recursive: true });
    const json = await command(['--scenario', bad, '--json']);
    expect(json.status).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({
      passed: false,
      runs: [{ status: 'FAILED' }],
      coverage: [{ runs: 1 }],
    });
    const batch = await stack.get(`/agent-testing/batches/${JSON.parse(json.out).batch_id}`);
    expect(batch.trigger_source).toBe('ci');
  });

  it('runs all enabled scenarios of a pathway, with its version and request data', async () => {
    const { name, document } = pricePathway('For {{brand}}: name the price.');
    const settings = { variables: [{ name: 'brand' }] };
    const { id } = await stack.post('/pathways', { name, document: { ...document, settings } });
    await scenario({ pathway_id: id, assertions: [agentSays('Five')] });
    await scenario({ pathway_id: id, enabled: false, assertions: [agentSays('moon')] });
    agent({ when: { system: 'For Acme: name' }, answer: 'Five euro.' }, { answer: 'Hello.' });
    const found = await command(['--pathway', id, '--version', '1', '--data', 'brand=Acme', '--gate']);
    expect(found).toMatchObject({ status: 0, out: expect.stringContaining('1 of 1 passed') });
  });

  it('exits with 2 when tests cannot be run or judged, never as if they had passed', async () => {
    const id = await scenario();
    agent({ status: 500 });
    expect(await command(['--scenario', id])).toMatchObject({
      status: 2,
      out: expect.stringContaining('ERROR'),
    });
    expect(await command(['--scenario', id], { DEMARC_API_KEY: 'sk-wrong' })).toMatchObject({
      status: 2,
      error: expect.stringContaining('(UNAUTHORIZED)'),
    });
    expect(await command(['--scenario', 'No such'])).toMatchObject({
      status: 2,
      error: 'demarc test: There is no scenario “No such”.\n',
    });
    expect(await command([])).toMatchObject({ status: 2, error: expect.stringContaining('Name scenarios') });
    expect(await command(['--scenario', id], { DEMARC_API_KEY: '' })).toMatchObject({
      status: 2,
      error: expect.stringContaining('DEMARC_API_KEY is required'),
    });
  });

  it('cancels what it started when it takes too long', async () => {
    const id = await scenario();
    agent({ when: { system: 'Greet' }, hang: true });
    const found = await command(['--scenario', id, '--timeout', '1', '--gate']);
    expect(found).toMatchObject({ status: 2, error: expect.stringContaining('did not end within 1 s') });
    const { runs } = await stack.get(`/agent-testing/runs?scenario_id=${id}`);
    expect(runs).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

/** An agent at its own address that answers the n-th request so many at once as the test lets it. */
async function crowdedAgent(answer: (index: number, present: () => number) => Promise<number>) {
  let requests = 0;
  let present = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      present++;
      const status = await answer(requests++, () => present);
      present--;
      const message = { role: 'assistant', content: 'Five euro.' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(status === 200 ? { choices } : { error: { message: 'Too many calls' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests, server };
}

describe('a load test', () => {
  const path = '/agent-testing/load-tests';
  const patience = 60_000;
  type LoadTest = { status: string; steps: { status: string; attempts: number }[] };
  const endedTest = (id: string) =>
    stack.eventually(`${path}/${id}`, ({ status }: LoadTest) => status !== 'RUNNING', patience);
  const asks = (url: string) =>
    scenario({
      pathway_id: undefined,
      agent: { url },
      scenario_type: 'REPLAY',
      input_messages: [{ role: 'user', content: 'What does it cost?' }],
      assertions: [agentSays('Five')],
    });

  it('has more and more callers at once, judges each, and finds where the agent breaks', async () => {
    // Two at once are well. Of the seven callers of the next step, six come at once, and it refuses them all.
    const agentAtOnce = await crowdedAgent(async (index, present) => {
      if (index < 2)
        await until(() => present() === 2 || agentAtOnce.requests() > 2, patience, 'two at once');
      if (index < 7 || index > 12) return 200;
      await until(() => agentAtOnce.requests() >= 13, patience, 'six at once');
      return 503;
    });
    const id = await asks(agentAtOnce.url);
    const started = await stack.post(path, {
      scenario_ids: [id],
      concurrency: [2, 6, 7],
      callers_per_step: 7,
      webhook_url: `${stack.model.url}/hook`,
    });
    expect(started).toMatchObject({ status: 'RUNNING', concurrency: [2, 6, 7] });
    const found = await endedTest(started.load_test_id);
    expect(found).toMatchObject({
      status: 'COMPLETED',
      breaks_at: 6,
      break_reason: 'success_rate',
      holds_at: 2,
    });
    const [held, broken, skipped] = found.steps;
    expect(held).toMatchObject({
      status: 'COMPLETED',
      callers: 7,
      peak_callers: 2,
      passed: 7,
      success_rate: 1,
      latency_ms: { count: 7 },
      answer_ms: { count: 0, p95: null },
      reasons: [],
      breaks: null,
      attempts: 1,
    });
    expect(held.success_rate_interval.lower).toBeCloseTo(0.646, 3);
    expect(broken).toMatchObject({
      status: 'COMPLETED',
      callers: 7,
      peak_callers: 6,
      passed: 1,
      agent_errors: 6,
      test_errors: 0,
      breaks: 'success_rate',
      reasons: [{ kind: 'agent', callers: 6, sip_status: null, reason: expect.stringContaining('503') }],
    });
    expect(skipped).toMatchObject({ status: 'SKIPPED', callers: 0, success_rate: null });
    const { total_count: callers, runs } = await stack.get(
      `/agent-testing/runs?load_test_id=${started.load_test_id}&limit=1`,
    );
    expect(callers).toBe(14);
    expect(runs[0]).toMatchObject({ load_test_id: started.load_test_id, scenario_id: id });
    const hooks = () => stack.model.requests.filter(({ path: asked }) => asked.endsWith('/hook'));
    await until(
      () => hooks().some(({ body }) => body.event === 'agent_test.load_test_completed'),
      patience,
      'the webhook',
    );
    const { load_tests: listed } = await stack.get(`${path}?status=COMPLETED`);
    expect(listed).toMatchObject([{ id: started.load_test_id, breaks_at: 6, completed_steps: 2 }]);
    agentAtOnce.server.close();
  }, 120_000);

  it('runs alone, begins a step again whose process ended, and stops when it is cancelled', async () => {
    let isOpen = false;
    const silent = await crowdedAgent(async () => {
      await until(() => isOpen, patience, 'the agent answers');
      return 200;
    });
    const id = await asks(silent.url);
    const order = { scenario_ids: [id], concurrency: [3], callers_per_step: 4 };
    const { load_test_id: test } = await stack.post(path, order);
    expect(await stack.refused(path, order)).toMatchObject({ status: 409, error: 'LOAD_TEST_RUNNING' });
    await until(() => silent.requests() === 3, patience, 'three callers');
    // As if another process had taken it over and died.
    await stack.bench.database
      .updateTable('agent_test_load_tests')
      .set({ lease_owner: randomUUID(), lease_until: new Date(Date.now() + 1_500) } as never)
      .where('id', '=', test)
      .execute();
    await until(() => silent.requests() === 6, patience, 'three callers again');
    isOpen = true;
    expect(await endedTest(test)).toMatchObject({
      status: 'COMPLETED',
      breaks_at: null,
      holds_at: 3,
      steps: [{ attempts: 2, callers: 4, passed: 4 }],
    });

    isOpen = false;
    const before = silent.requests();
    const next = await stack.post(path, order);
    await until(() => silent.requests() === before + 3, patience, 'three callers');
    const cancelled = await stack.post(`${path}/${next.load_test_id}/cancel`);
    expect(cancelled).toMatchObject({ status: 'CANCELLED', steps: [{ status: 'STOPPED', callers: 0 }] });
    expect(await stack.refused(`${path}/${next.load_test_id}/cancel`)).toMatchObject({ error: 'RUN_ENDED' });
    const { runs } = await stack.get(`/agent-testing/runs?load_test_id=${next.load_test_id}`);
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('CANCELLED'));
    isOpen = true;
    silent.server.close();
  }, 120_000);

  it('is refused where a limit allows fewer callers, which it names', async () => {
    const id = await asks('http://127.0.0.1:9/v1');
    expect(await stack.refused(path, { scenario_ids: [id], concurrency: [51] })).toMatchObject({
      status: 400,
      path: 'concurrency',
      message: expect.stringMatching(/51 callers at once exceed 50: .*DEMARC_AGENT_TEST_LOAD_CALLERS/),
    });
    const byVoice = { scenario_ids: [id], maximum_concurrency: 10, channel: 'voice' };
    expect(await stack.refused(path, byVoice)).toMatchObject({
      path: 'maximum_concurrency',
      message: expect.stringMatching(/exceed 3: .*DEMARC_TEST_CALLS_PER_ORGANIZATION/),
    });
    const number = '14155550177';
    await stack.bench.configure(number);
    await stack.bench.database
      .insertInto('direction_settings')
      .values({ number, direction: 'inbound', limits: JSON.stringify({ concurrent_calls: 4 }) } as never)
      .execute();
    const called = await scenario({ voice: { destination: `+${number}` } });
    expect(await stack.refused(path, { ...byVoice, scenario_ids: [called] })).toMatchObject({
      message: expect.stringMatching(/exceed 2: half of the 4 concurrent calls of \+14155550177/),
    });
    expect(await stack.refused(path, { scenario_ids: [randomUUID()], concurrency: [1] })).toMatchObject({
      status: 404,
    });
  });
});

describe('the examples of docs/agent-testing.md', () => {
  it('work as a reader copies them, one after the other', async () => {
    const examples = await documentedExamples('docs/agent-testing.md');
    // A reader who has just run `npm start` has no model but the stand-in.
    stack.model.setRules(standInRules);
    const folder = await mkdtemp(join(tmpdir(), 'demarc-test-'));
    const demarc = `demarc() { node ${demarcProgram().join(' ')} "$@"; }`;
    const shell = runCommands([demarc, ...examples], { url: stack.api.url, key: stack.key, folder });
    expect(await shell.exit(45_000), shell.output).toBe(0);
    for (const shown of [
      '"status":"PASSED"',
      // The stand-in opens no gate.
      '"status":"REFUSED"',
      '"pass_rate":1',
      '"status":"COMPLETED_ALL_PASSED"',
      '"reliability_score":1',
      'PASSED     Asks for the price  score 1.00',
      '"passed": true',
    ])
      expect(shell.output).toContain(shown);
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toContain('name="Asks for the price"');
    await rm(folder, { recursive: true });
  }, 60_000);
});
