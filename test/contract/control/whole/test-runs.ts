import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AgentFailure,
  LimitFailure,
  RunFailure,
} from '../../../../src/control/agent-testing/conversation/channel.js';
import { eraseJudgedCalls } from '../../../../src/control/agent-testing/runs/run-storage.js';
import { TestBench } from './test-bench.js';
import { Twin } from './twin.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let bench: TestBench;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  user = await api.user();
  bench = new TestBench(api);
});

const says = (value: string, more: object = {}) => ({
  type: 'STRING_CHECK',
  config: { value, target: 'agent' },
  ...more,
});
const hook = 'https://hooks.example.com/tests';
const start = async (scenarioId: string, order: object = {}): Promise<string> =>
  (
    await bench.runs.start([{ organizationId: user.organizationId, scenarioId, origin: 'api', ...order }])
  )[0]!;
const show = async (id: string) => (await user.get(`/agent-testing/runs/${id}`)).data;
const stored = async (id: string) =>
  api.database
    .selectFrom('agent_test_runs')
    .selectAll()
    .where('organization_id', '=', user.organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const set = (id: string, values: object) =>
  api.database
    .updateTable('agent_test_runs')
    .set(values)
    .where('organization_id', '=', user.organizationId)
    .where('id', '=', id)
    .execute();
const queued = async (): Promise<(readonly [string, string])[]> => {
  const rows = await api.database
    .selectFrom('deliveries')
    .select(['event', 'subject'])
    .where('organization_id', '=', user.organizationId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ event, subject }) => [event, subject] as const);
};

describe('a test run', () => {
  it('replays what a caller said, judges what the agent answered, and sends its webhook', async () => {
    const scenario = await bench.scenario(user, {
      assertions: [says('nine', { name: 'Hours', weight: 3 }), says('ten', { is_required: false })],
      request_data: { city: 'Graz', day: 'Monday' },
      metadata: { team: 'desk' },
    });
    bench.script = () => ({ text: 'At nine.', latencyMilliseconds: 12.4 });
    const [run, untouched] = [
      await start(scenario, { webhookUrl: hook, requestDataOverride: { day: 'Friday' } }),
      await start(scenario),
    ];
    const twin = await Twin.of(api, user.organizationId);
    expect(await show(run)).toMatchObject({
      status: 'PENDING',
      turn_count: 0,
      attempts: 0,
      started_at: null,
    });
    await bench.work(user, run);
    const ended = await show(run);
    expect(ended).toMatchObject({
      status: 'PASSED',
      overall_score: 0.75,
      turn_count: 1,
      attempts: 1,
      end_reason: 'replay_ended',
      error_message: null,
      chat_history: [
        { role: 'user', content: 'When are you open?' },
        { role: 'assistant', content: 'At nine.' },
      ],
      assertion_results: [
        { name: 'Hours', status: 'PASSED', score: 1 },
        { status: 'FAILED', score: 0, is_required: false },
      ],
      models: { agent: null, tester: null, judge: null, is_stand_in: false },
      recording: null,
    });
    expect(ended.metadata.turn_details).toMatchObject([{ latency_ms: null }, { latency_ms: 12 }]);
    expect(ended.started_at).not.toBeNull();
    expect(ended.completed_at).not.toBeNull();
    expect(ended.duration_ms).toBeGreaterThanOrEqual(0);
    expect(await stored(run)).toMatchObject({ due_at: null, lease_until: null });
    expect(await show(untouched)).toMatchObject({ status: 'PENDING', chat_history: [], attempts: 0 });
    expect(await queued()).toEqual([['agent_test.run_completed', run]]);
    expect(bench.ended).toMatchObject([
      { id: run, status: 'PASSED', overallScore: 0.75, scenarioId: scenario },
    ]);
    expect([bench.deliveries, bench.calls]).toEqual([1, [run, `end ${run}`]]);
    // It has ended: no worker takes it again.
    await bench.work(user, run);
    expect([bench.deliveries, bench.calls.length]).toEqual([1, 2]);
    expect(await twin.changed()).toEqual([]);
    const { request_data } = await api.database
      .selectFrom('agent_test_conversations')
      .select('request_data')
      .where('organization_id', '=', user.organizationId)
      .where('run_id', '=', run)
      .executeTakeFirstOrThrow();
    expect(request_data).toEqual({ city: 'Graz', day: 'Friday' });
  });

  it('fails by a required assertion, and ends at the last turn of a scenario', async () => {
    const lines = ['One', 'Two', 'Three'].map((content) => ({ role: 'user', content }));
    const scenario = await bench.scenario(user, {
      input_messages: lines,
      max_turns: 2,
      assertions: [says('never')],
    });
    const run = await start(scenario);
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({
      status: 'FAILED',
      overall_score: 0,
      turn_count: 2,
      end_reason: 'max_turns',
      ending: { ended_by: 'test', transfer: 'unknown', transferred_to: null },
    });
    bench.script = () => ({ text: 'Goodbye.', hasEnded: true });
    const next = await start(scenario);
    await bench.work(user, next);
    expect(await show(next)).toMatchObject({
      turn_count: 1,
      end_reason: 'agent_ended',
      ending: { ended_by: 'agent' },
    });
    expect(await queued()).toEqual([]);
  });

  it('judges a recorded conversation without a new one', async () => {
    const scenario = await bench.scenario(user, {
      scenario_type: 'HISTORICAL',
      input_messages: [
        { role: 'user', content: 'Open?' },
        { role: 'assistant', content: 'From nine.' },
      ],
      assertions: [says('nine')],
    });
    const run = await start(scenario);
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({
      status: 'PASSED',
      end_reason: 'recorded',
      ending: null,
      chat_history: [{ content: 'Open?' }, { content: 'From nine.' }],
    });
    expect(bench.calls).toEqual([]);
  });

  it.each<[string, () => Error, object, object]>([
    [
      'the agent',
      () => new AgentFailure('The agent is unreachable.', { sipStatus: 503 }),
      { error_message: 'The agent is unreachable.', sip_status: 503 },
      { failed_by: 'agent' },
    ],
    [
      'a limit',
      () => new LimitFailure('No slot.', 503),
      { error_message: 'No slot.', sip_status: 503 },
      { failed_by: 'limit' },
    ],
    [
      'the test itself',
      () => new RunFailure('No such number.'),
      { error_message: 'No such number.', sip_status: null },
      { failed_by: null },
    ],
  ])('ends in ERROR by %s, and hangs up', async (_whom, error, shown, columns) => {
    const run = await start(await bench.scenario(user));
    bench.script = () => {
      throw error();
    };
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({ status: 'ERROR', ...shown });
    expect(await stored(run)).toMatchObject(columns);
    expect(bench.calls).toEqual([run, `end ${run}`]);
    expect(bench.deliveries).toBe(1);
  });

  it('is repeated once after a failure of the service, and then ends in ERROR', async () => {
    const run = await start(await bench.scenario(user));
    bench.script = () => {
      throw new Error('secret detail');
    };
    await bench.work(user, run);
    expect(await stored(run)).toMatchObject({ status: 'RUNNING', lease_until: null, attempts: 1 });
    // Not due yet.
    await bench.work(user, run);
    expect((await stored(run)).attempts).toBe(1);
    await set(run, { due_at: new Date(0) });
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({
      status: 'ERROR',
      attempts: 2,
      error_message: 'Internal error of this service.',
    });
  });

  it('is not repeated a third time after two attempts whose process died', async () => {
    const scenario = await bench.scenario(user);
    const [run, second] = [await start(scenario), await start(scenario)];
    await set(run, { attempts: 2, status: 'RUNNING', lease_until: new Date(0) });
    await set(second, { attempts: 1, status: 'RUNNING', lease_until: new Date(0) });
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({
      status: 'ERROR',
      attempts: 3,
      error_message: 'The run was interrupted 2 times by a failure of this service.',
    });
    await bench.work(user, second);
    expect(await show(second)).toMatchObject({ status: 'PASSED', attempts: 2 });
    expect(bench.calls).toEqual([second, `end ${second}`]);
  });

  it('is left to the process that has its lease', async () => {
    const run = await start(await bench.scenario(user));
    await set(run, { lease_until: new Date(Date.now() + 600_000) });
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({ status: 'PENDING', attempts: 0 });
    await set(run, { lease_until: new Date(0) });
    const worker = bench.worker();
    let isWaiting = false;
    bench.script = async () => {
      // The same process does not begin it a second time, however long it takes.
      await set(run, { lease_until: new Date(0) });
      await worker.run(user.organizationId, run, AbortSignal.timeout(600_000));
      isWaiting = true;
      return { text: 'Nine.' };
    };
    await worker.run(user.organizationId, run, AbortSignal.timeout(600_000));
    expect(isWaiting).toBe(true);
    expect(await show(run)).toMatchObject({ status: 'PASSED', attempts: 1 });
  });

  it('is given back when its process stops, and lost when it is cancelled', async () => {
    const scenario = await bench.scenario(user);
    const [released, cancelled, twice] = [
      await start(scenario),
      await start(scenario),
      await start(scenario),
    ];
    const stopping = new AbortController();
    bench.script = () => {
      stopping.abort(new Error('stopping'));
      throw new Error('stopping');
    };
    await bench.work(user, released, stopping.signal);
    expect(await stored(released)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      lease_until: null,
      started_at: null,
    });
    expect((await stored(released)).due_at).not.toBeNull();
    bench.script = async () => {
      expect(await bench.runs.cancel(user.organizationId, [cancelled, released, randomUUID()])).toBe(2);
      return { text: 'Nine.' };
    };
    await bench.work(user, cancelled);
    expect(await show(cancelled)).toMatchObject({
      status: 'CANCELLED',
      turn_count: 0,
      error_message: null,
      reasoning: 'The run was cancelled.',
    });
    expect((await show(released)).status).toBe('CANCELLED');
    expect((await show(twice)).status).toBe('PENDING');
    const again = await user.post(`/agent-testing/runs/${cancelled}/cancel`);
    expect([again.status, again.error]).toEqual([409, 'RUN_ENDED']);
    expect((await user.post(`/agent-testing/runs/${twice}/cancel`)).data.status).toBe('CANCELLED');
    expect(await bench.runs.cancel(user.organizationId, [twice])).toBe(0);
  });

  it('ends in ERROR when it takes too long', async () => {
    const run = await start(await bench.scenario(user));
    bench.script = () =>
      new Promise((_resolve, reject) => {
        setTimeout(() => reject(new Error('late')), 60).unref();
      });
    const worker = bench.worker({ runMilliseconds: 20 });
    await worker.run(user.organizationId, run, new AbortController().signal);
    expect(await show(run)).toMatchObject({
      status: 'ERROR',
      error_message: 'The run took longer than 0.02 seconds.',
    });
  });

  it('keeps its recording in place of an earlier one, which only its organization gets', async () => {
    const scenario = await bench.scenario(user, { channel: 'voice' });
    const [run, silent] = [await start(scenario), await start(scenario)];
    bench.conversation = { recording: () => Buffer.alloc(300_000, 7), answerMilliseconds: 12.6 };
    await bench.work(user, run);
    expect(await show(run)).toMatchObject({
      channel: 'voice',
      answer_ms: 13,
      recording: { octets: 300_058, duration_ms: 18_750 },
    });
    bench.conversation = { recording: () => Buffer.alloc(0), hungUpBy: () => 'agent' };
    await bench.work(user, silent);
    expect(await show(silent)).toMatchObject({
      recording: null,
      answer_ms: null,
      ending: { ended_by: 'agent' },
    });
    const twin = await Twin.of(api, user.organizationId);
    await set(run, { due_at: new Date(0), completed_at: null, status: 'PENDING', attempts: 0 });
    await api.database
      .deleteFrom('agent_test_results')
      .where('organization_id', '=', user.organizationId)
      .execute();
    bench.conversation = { recording: () => Buffer.alloc(8_000, 9) };
    await bench.work(user, run);
    expect((await show(run)).recording).toEqual({ octets: 8_058, duration_ms: 500 });
    expect(await twin.changed()).toEqual([]);
    const stranger = await api.user();
    expect((await stranger.get(`/agent-testing/runs/${run}/recording`)).status).toBe(404);
    expect((await stranger.get(`/agent-testing/runs/${run}`)).status).toBe(404);
  });

  it('is deleted with the call that it judges', async () => {
    const scenario = await bench.scenario(user);
    const [judged, kept] = [await start(scenario), await start(scenario)];
    await set(judged, { call_id: 'call-1' });
    await set(kept, { call_id: 'call-2' });
    const twin = await Twin.of(api, user.organizationId);
    await eraseJudgedCalls(api.database)(user.organizationId, ['call-1', 'call-3']);
    expect((await user.get(`/agent-testing/runs/${judged}`)).status).toBe(404);
    expect((await show(kept)).call_id).toBe('call-2');
    expect(await twin.changed()).toEqual([]);
  });
});

describe('orders of test runs', () => {
  it('are stored all or none, once for an id, and bounded for each organization', async () => {
    const scenario = await bench.scenario(user);
    const { organizationId } = user;
    const order = { organizationId, scenarioId: scenario, origin: 'api' as const };
    const stranger = await api.user();
    const foreign = await bench.scenario(stranger);
    await bench.runs.start([{ organizationId: stranger.organizationId, scenarioId: foreign, origin: 'api' }]);
    const id = randomUUID();
    expect(await bench.runs.start([{ ...order, id }])).toEqual([id]);
    expect(await bench.runs.start([{ ...order, id }])).toEqual([id]);
    const count = async () => (await user.get('/agent-testing/runs')).data.total_count;
    expect(await count()).toBe(1);
    await expect(bench.runs.start([order, { ...order, scenarioId: foreign }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await count()).toBe(1);
    await expect(bench.runs.start(Array(20).fill(order))).rejects.toMatchObject({ code: 'RUN_QUEUE_FULL' });
    expect(await bench.runs.start(Array(19).fill(order))).toHaveLength(19);
    await bench.work(user, id);
    expect(await bench.runs.start([order])).toHaveLength(1);
    expect(await bench.runs.start([])).toEqual([]);
    await expect(bench.runs.check([{ ...order, scenarioId: foreign }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await bench.runs.check(Array(30).fill(order));
    await bench.runs.check([]);
    expect(await count()).toBe(21);
    expect(await bench.runs.hasBegun(organizationId, id)).toBe(true);
    const ended = await bench.runs.ended(organizationId, [id], AbortSignal.timeout(600_000));
    expect(ended).toMatchObject([{ id, status: 'PASSED', scenarioId: scenario }]);
  });

  it('are refused where a limit in tokens is below what the scenario took before', async () => {
    const scenario = await bench.scenario(user);
    const { organizationId } = user;
    const order = { organizationId, scenarioId: scenario, origin: 'api' as const };
    for (let index = 0; index < 3; index += 1) {
      const run = await start(scenario);
      await bench.work(user, run);
      await set(run, { prompt_tokens: 900, completion_tokens: 100, model_requests: 1 });
    }
    await expect(bench.runs.start([{ ...order, budget: { tokens: 500 } }])).rejects.toMatchObject({
      code: 'TOKEN_BUDGET_TOO_LOW',
    });
    const [allowed] = await bench.runs.start([{ ...order, budget: { tokens: 2_000 } }]);
    expect((await show(allowed!)).token_budget).toBe(2_000);
    const none = { token_budget: null, cost_budget: null, cost_currency: 'USD' };
    await bench.runs.check([order, order], none);
    await bench.runs.check([order, order]);
    await bench.runs.check([order], { ...none, token_budget: 1_500 });
    await expect(bench.runs.check([order, order], { ...none, token_budget: 1_500 })).rejects.toMatchObject({
      code: 'TOKEN_BUDGET_TOO_LOW',
    });
    const batch = { organizationId, scenarioIds: [scenario, scenario], origin: 'ci' as const };
    await expect(
      bench.runs.startBatch({ ...batch, id: randomUUID(), budget: { tokens: 1_500 } }),
    ).rejects.toMatchObject({ code: 'TOKEN_BUDGET_TOO_LOW' });
    const started = await bench.runs.startBatch({ ...batch, id: randomUUID(), budget: { tokens: 5_000 } });
    expect(started.runs).toHaveLength(2);
  });
});

describe('a batch of test runs', () => {
  it('ends with its last run, sends one webhook, and reopens when runs are added', async () => {
    const [first, second] = [
      await bench.scenario(user, { name: 'A', assertions: [says('said')] }),
      await bench.scenario(user, { name: 'B', assertions: [says('never')] }),
    ];
    const { organizationId } = user;
    const id = randomUUID();
    const order = {
      id,
      organizationId,
      scenarioIds: [first, second],
      origin: 'ci' as const,
      webhookUrl: hook,
    };
    const { runs } = await bench.runs.startBatch(order);
    expect((await bench.runs.startBatch(order)).runs.map(({ runId }) => runId).toSorted()).toEqual(
      runs.map(({ runId }) => runId).toSorted(),
    );
    const neighbour = await bench.runs.startBatch({ ...order, id: randomUUID(), origin: 'api' });
    const twin = await Twin.of(api, organizationId);
    const batch = async () => (await user.get(`/agent-testing/batches/${id}`)).data;
    const listed = async (query = '') =>
      (await user.get(`/agent-testing/batches${query}`)).data.batches.map(
        ({ id: batchId, status }: Record<string, unknown>) => [batchId, status],
      );
    expect(await batch()).toMatchObject({ status: 'PENDING', total_scenarios: 2, passed_scenarios: 0 });
    await bench.work(user, runs[0]!.runId);
    expect(await batch()).toMatchObject({ status: 'RUNNING', passed_scenarios: 1, failed_scenarios: 0 });
    await bench.work(user, runs[1]!.runId);
    expect(await batch()).toMatchObject({ status: 'FAILED', passed_scenarios: 1, failed_scenarios: 1 });
    expect(await queued()).toEqual([['agent_test.batch_completed', id]]);
    expect(await listed()).toEqual([
      [neighbour.batchId, 'PENDING'],
      [id, 'FAILED'],
    ]);
    expect(await listed('?status=FAILED')).toEqual([[id, 'FAILED']]);
    expect(await listed('?trigger_source=api')).toEqual([[neighbour.batchId, 'PENDING']]);
    await api.database
      .transaction()
      .execute((transaction) => bench.runs.extendBatch({ ...order, scenarioIds: [first] }, transaction));
    expect(await batch()).toMatchObject({ status: 'RUNNING', total_scenarios: 3 });
    expect((await user.get(`/agent-testing/runs?batch_id=${id}`)).data.total_count).toBe(3);
    await bench.workAll(user);
    expect(await batch()).toMatchObject({ status: 'FAILED', passed_scenarios: 2, failed_scenarios: 1 });
    expect(await listed()).toEqual([
      [neighbour.batchId, 'FAILED'],
      [id, 'FAILED'],
    ]);
    expect(await twin.changed()).toEqual([]);
  });
});

describe('a simulation set', () => {
  it('ends with its last run and is listed, compared and cancelled by its organization alone', async () => {
    const scenario = await bench.scenario(user, { name: 'A', assertions: [says('said')] });
    const body = { scenario_ids: [scenario], simulations_per_scenario: 2 };
    const { data: first } = await user.post('/agent-testing/simulation-sets', { ...body, webhook_url: hook });
    const { data: second } = await user.post('/agent-testing/simulation-sets', body);
    const [id, idle] = [first.simulation_set_id, second.simulation_set_id];
    const twin = await Twin.of(api, user.organizationId);
    const shown = async (set: string) => (await user.get(`/agent-testing/simulation-sets/${set}`)).data;
    expect((await shown(id)).status).toBe('PENDING');
    const ids = async (set: string) =>
      (await user.get(`/agent-testing/runs?simulation_set_id=${set}`)).data.runs.map(
        (run: { id: string }) => run.id,
      );
    const [former, latter] = await ids(id);
    await bench.work(user, former);
    expect((await shown(id)).status).toBe('RUNNING');
    expect(await queued()).toEqual([]);
    bench.script = () => ({ text: 'nothing' });
    await bench.work(user, latter);
    expect((await shown(id)).status).toBe('FAILED');
    expect(await queued()).toEqual([['agent_test.simulation_set_completed', id]]);
    const { data } = await user.get('/agent-testing/simulation-sets');
    const rows = data.simulation_sets ?? data.sets;
    expect(rows).toMatchObject([
      { id: idle, status: 'PENDING', total_runs: 2, completed_runs: 0 },
      { id, status: 'FAILED', total_runs: 2, completed_runs: 2 },
    ]);
    const cancelled = await user.post(`/agent-testing/simulation-sets/${idle}/cancel`);
    expect([cancelled.status, (await shown(idle)).status]).toEqual([200, 'CANCELLED']);
    expect((await shown(id)).status).toBe('FAILED');
    expect(await queued()).toHaveLength(1);
    expect(await twin.changed()).toEqual([]);
  });
});

describe('old test runs', () => {
  const age = (table: string, id: string, days: number) =>
    sql`update ${sql.table(table)} set completed_at = now() - make_interval(days => ${sql.lit(days)})
      where organization_id = ${user.organizationId} and id = ${id}`.execute(api.database);

  it('are deleted with their batches, sets and definitions after the retention', async () => {
    const scenario = await bench.scenario(user);
    const { organizationId } = user;
    const batches: { batchId: string; run: string }[] = [];
    for (const channel of ['text', 'voice', 'text'] as const) {
      const { batchId, runs } = await bench.runs.startBatch({
        id: randomUUID(),
        organizationId,
        scenarioIds: [scenario],
        origin: 'ci',
        channel,
      });
      batches.push({ batchId, run: runs[0]!.runId });
    }
    await bench.workAll(user);
    const [old, half, fresh] = batches as [(typeof batches)[0], (typeof batches)[0], (typeof batches)[0]];
    await age('agent_test_runs', old.run, 366);
    for (const { batchId } of [old, half]) await age('agent_test_batches', batchId, 366);
    await age('agent_test_batches', fresh.batchId, 364);
    const body = { scenario_ids: [scenario], simulations_per_scenario: 1 };
    const { data: kept } = await user.post('/agent-testing/simulation-sets', body);
    const { data: gone } = await user.post('/agent-testing/simulation-sets', body);
    const runsOf = async (set: string) =>
      (await user.get(`/agent-testing/runs?simulation_set_id=${set}`)).data.runs[0].id;
    const [keptRun, goneRun] = [await runsOf(kept.simulation_set_id), await runsOf(gone.simulation_set_id)];
    await bench.workAll(user);
    for (const set of [kept, gone]) await age('agent_test_simulation_sets', set.simulation_set_id, 366);
    await age('agent_test_runs', goneRun, 366);
    await age('agent_test_runs', keptRun, 364);
    await api.sweep('agent-test-retention');
    const status = async (path: string) => (await user.get(`/agent-testing/${path}`)).status;
    expect(await status(`runs/${old.run}`)).toBe(404);
    expect(await status(`batches/${old.batchId}`)).toBe(404);
    for (const { run, batchId } of [half, fresh])
      expect([await status(`runs/${run}`), await status(`batches/${batchId}`)]).toEqual([200, 200]);
    expect(await status(`simulation-sets/${gone.simulation_set_id}`)).toBe(404);
    expect(await status(`simulation-sets/${kept.simulation_set_id}`)).toBe(200);
    const definitions = await api.database
      .selectFrom('agent_test_definitions')
      .select('digest')
      .where('organization_id', '=', organizationId)
      .execute();
    expect(definitions).toHaveLength(1);
  });
});
