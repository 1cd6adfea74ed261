import { describe, expect, it } from 'vitest';
import {
  type BlamedNode,
  heatmapOf,
  summaryOf,
  windowStart,
} from '../../../../src/control/agent-testing/analytics/analytics.js';
import type { LatestRun } from '../../../../src/control/agent-testing/analytics/queries.js';
import type { LoadTestRow } from '../../../../src/control/agent-testing/load/load-test-storage.js';
import {
  listedLoadTestView,
  loadTestView,
} from '../../../../src/control/agent-testing/load/load-test-view.js';
import { figuresOf } from '../../../../src/control/agent-testing/load/step-figures.js';
import type { StepResult } from '../../../../src/control/agent-testing/load/tables.js';
import type { RunRow, WholeBatch, WholeRun } from '../../../../src/control/agent-testing/runs/run-storage.js';
import {
  batchStatus,
  batchView,
  isEnded,
  listedBatchView,
  runSummaryView,
  runView,
  usageView,
} from '../../../../src/control/agent-testing/runs/run-view.js';
import { storedEvidence } from '../../../../src/control/agent-testing/runs/stored-evidence.js';
import type { Scenario } from '../../../../src/control/agent-testing/scenarios/scenario-storage.js';
import {
  assertionView,
  scenarioView,
} from '../../../../src/control/agent-testing/scenarios/scenario-view.js';
import type { RunStatus } from '../../../../src/control/agent-testing/schemas/run.js';
import type { WholeSimulationSet } from '../../../../src/control/agent-testing/simulation/simulation-storage.js';
import {
  simulatedRun,
  simulationSetView,
} from '../../../../src/control/agent-testing/simulation/simulation-view.js';
import type { WholeSession } from '../../../../src/control/agent-testing/tornado/session-storage.js';
import {
  listedTornadoView,
  tornadoProgressView,
  tornadoSessionView,
} from '../../../../src/control/agent-testing/tornado/tornado-view.js';
import { stereoHeaderLength, stereoOctetsPerSecond } from '../../../../src/rtp/stereo-wave.js';

const now = new Date('2026-11-27T09:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const iso = (seconds: number) => later(seconds).toISOString();

const run = (fields: Partial<RunRow> = {}): RunRow =>
  ({
    id: 'r1',
    scenario_id: 's1',
    scenario_name: 'Booking',
    pathway_id: 'w1',
    persona_id: null,
    version_number: 3,
    status: 'PASSED',
    channel: 'text',
    origin: 'api',
    model_requests: 4,
    prompt_tokens: 100,
    completion_tokens: 20,
    cost: '0.25',
    cost_currency: 'USD',
    token_budget: null,
    cost_budget: null,
    nodes_visited: ['a', 'b'],
    current_node_id: 'b',
    agent_model: 'm1',
    tester_model: 'm2',
    judge_model: null,
    is_stand_in: false,
    attempts: 1,
    created_at: now,
    started_at: later(1),
    completed_at: later(9),
    ...fields,
  }) as unknown as RunRow;

describe('what a run took of models', () => {
  it.each([
    ['0.25', 'USD', { amount: 0.25, currency: 'USD' }, 0.25],
    ['0.25', null, { amount: 0.25, currency: 'USD' }, 0.25],
    ['0.25', 'EUR', { amount: 0.25, currency: 'EUR' }, null],
    [null, 'USD', null, null],
  ])('for %s %s is %j, in dollars %s', (cost, cost_currency, money, dollars) => {
    expect(usageView(run({ cost, cost_currency } as Partial<RunRow>))).toEqual({
      requests: 4,
      prompt_tokens: 100,
      completion_tokens: 20,
      cost: money,
      cost_usd: dollars,
    });
  });
});

describe('a run in the API', () => {
  it('has its scenario, models and times', () => {
    expect(runSummaryView(run())).toMatchObject({
      id: 'r1',
      scenario: { id: 's1', name: 'Booking' },
      version_number: 3,
      models: { agent: 'm1', tester: 'm2', judge: null, is_stand_in: false },
      created_at: iso(0),
      started_at: iso(1),
      completed_at: iso(9),
    });
    expect(runSummaryView(run({ started_at: null, completed_at: null }))).toMatchObject({
      started_at: null,
      completed_at: null,
    });
  });

  const whole = (fields: object = {}, runFields: Partial<RunRow> = {}): WholeRun =>
    ({
      run: run(runFields),
      conversation: {
        chat_history: [{ role: 'user', content: 'Hello' }],
        variables: { day: 'Monday' },
        webhooks: [{ node_id: 'lookup' }, { node_id: 'book', arguments: { slot: 1 } }],
        service_tone: null,
        reasoning: 'Every required assertion passed.',
        end_reason: 'agent_ended',
        ending: { ended_by: 'agent', transfer: 'none', transferred_to: null },
        voice: null,
        node_names: { a: 'Greeting' },
        turn_details: [],
      },
      results: [{ result: { type: 'PHRASES', turns: [1] } }, { result: { type: 'LATENCY' } }],
      recordedOctets: null,
      ...fields,
    }) as unknown as WholeRun;

  it('has what earlier releases did not keep as null', () => {
    const view = runView(whole());
    expect(view.webhooks).toMatchObject([{ arguments: null }, { arguments: { slot: 1 } }]);
    expect(view.assertion_results).toMatchObject([{ turns: [1] }, { turns: null }]);
    const voice = { call_id: 'c1', agent_talk_share: 0.5 };
    expect(runView(whole({ conversation: { ...whole().conversation, voice } })).voice).toEqual({
      agent_talk_share: 0.5,
      agent_words_per_minute: null,
      agent_loudness_dbov: null,
      caller_loudness_dbov: null,
      call_id: 'c1',
    });
    expect(view.voice).toBeNull();
  });

  it('has budgets that it was given', () => {
    expect(runView(whole())).toMatchObject({ token_budget: null, cost_budget: null });
    const limited = whole({}, {
      token_budget: '5000',
      cost_budget: 1.5,
      cost_currency: 'EUR',
    } as Partial<RunRow>);
    expect(runView(limited)).toMatchObject({
      token_budget: 5_000,
      cost_budget: { amount: 1.5, currency: 'EUR' },
    });
  });

  it('has the length of its recording with the header', () => {
    expect(runView(whole()).recording).toBeNull();
    const octets = 2.5 * stereoOctetsPerSecond;
    expect(runView(whole({ recordedOctets: octets })).recording).toEqual({
      duration_ms: 2_500,
      octets: stereoHeaderLength + octets,
    });
    expect(runView(whole({ recordedOctets: 0 })).recording).toEqual({
      duration_ms: 0,
      octets: stereoHeaderLength,
    });
  });

  it('leaves evidence that tells calls from conversations by text', () => {
    const scenario = { agent: null, webhook_mocks: [] };
    expect(storedEvidence(whole(), scenario)).toMatchObject({
      nodesVisited: ['a', 'b'],
      nodeNames: { a: 'Greeting' },
      variables: { day: 'Monday' },
      isCalled: false,
      hidesTools: false,
    });
    expect(storedEvidence(whole({}, { channel: 'voice' }), scenario)).toMatchObject({
      isCalled: true,
      hidesTools: true,
    });
    expect(storedEvidence(whole(), { agent: {}, webhook_mocks: [] }).hidesTools).toBe(true);
    expect(storedEvidence(whole(), { agent: {}, webhook_mocks: [{}] }).hidesTools).toBe(false);
  });
});

describe('a batch in the API', () => {
  const batch = (statuses: RunStatus[], status: RunStatus | null = null): WholeBatch =>
    ({
      batch: {
        id: 'b1',
        status,
        total_runs: statuses.length,
        origin: 'api',
        publish_on_pass: false,
        created_at: now,
        completed_at: status === null ? null : later(30),
        token_budget: null,
        budget_tokens_used: 0,
        cost_budget: null,
        cost_currency: null,
        budget_cost_used: 0,
      },
      runs: statuses.map((each) => run({ status: each })),
      usage: { tokens: 0, cost: null },
    }) as unknown as WholeBatch;

  it.each<[RunStatus[], string, number, number]>([
    [['PENDING', 'PENDING'], 'PENDING', 0, 0],
    [['PENDING', 'RUNNING'], 'RUNNING', 0, 0],
    [['PASSED', 'PENDING'], 'RUNNING', 1, 0],
    [['PASSED', 'FAILED', 'ERROR', 'CANCELLED', 'RUNNING'], 'RUNNING', 1, 3],
  ])('with %j is %s: %d passed, %d failed', (statuses, status, passed, failed) => {
    expect(batchView(batch(statuses))).toMatchObject({
      status,
      total_scenarios: statuses.length,
      passed_scenarios: passed,
      failed_scenarios: failed,
      completed_at: null,
    });
  });

  it('has its own status once it has ended', () => {
    expect(batchView(batch(['PASSED'], 'PASSED'))).toMatchObject({ status: 'PASSED', completed_at: iso(30) });
  });

  it.each<[RunStatus[], RunStatus]>([
    [['PASSED', 'PASSED'], 'PASSED'],
    [[], 'PASSED'],
    [['PASSED', 'CANCELLED'], 'CANCELLED'],
    [['CANCELLED', 'FAILED'], 'FAILED'],
    [['CANCELLED', 'FAILED', 'ERROR', 'PASSED'], 'ERROR'],
  ])('is, when its runs are %j, %s', (statuses, status) => {
    expect(batchStatus(statuses)).toBe(status);
  });

  it.each<[RunStatus, boolean]>([
    ['PENDING', false],
    ['RUNNING', false],
    ['PASSED', true],
    ['FAILED', true],
    ['ERROR', true],
    ['CANCELLED', true],
  ])('a run that is %s has ended: %s', (status, ended) => {
    expect(isEnded(status)).toBe(ended);
  });

  it('of a list names its scenarios', () => {
    const listed = {
      id: 'b1',
      status: 'RUNNING',
      origin: 'gate',
      total_runs: 8,
      passed: 3,
      failed: 1,
      publish_on_pass: true,
      scenarios: [{ id: 's1', name: 'Booking' }],
      created_at: now,
      completed_at: null,
    } as const;
    expect(listedBatchView(listed)).toEqual({
      id: 'b1',
      status: 'RUNNING',
      total_scenarios: 8,
      passed_scenarios: 3,
      failed_scenarios: 1,
      trigger_source: 'gate',
      publish_on_pass: true,
      scenarios: [{ id: 's1', name: 'Booking' }],
      created_at: iso(0),
      completed_at: null,
    });
    expect(listedBatchView({ ...listed, completed_at: later(5) }).completed_at).toBe(iso(5));
  });
});

describe('a simulation set in the API', () => {
  const simulated = (id: string, scenario: string, status: RunStatus, failures: string[] = []) =>
    ({
      id,
      scenario_id: scenario,
      scenario_name: `Name of ${scenario}`,
      status,
      score: status === 'PASSED' ? 1 : 0,
      failures,
      variation: null,
    }) as unknown as WholeSimulationSet['runs'][number];
  const set = (runs: WholeSimulationSet['runs'], fields: object = {}): WholeSimulationSet =>
    ({
      set: {
        id: 'set-1',
        status: null,
        scenario_ids: ['s1', 's2'],
        simulations_per_scenario: 2,
        schedule_id: null,
        matrix: null,
        token_budget: null,
        budget_tokens_used: 0,
        cost_budget: null,
        cost_currency: null,
        budget_cost_used: 0,
        created_at: now,
        completed_at: null,
        ...fields,
      },
      runs,
      usage: { tokens: 7, cost: null },
    }) as unknown as WholeSimulationSet;

  it('keeps the runs of each scenario apart', () => {
    const view = simulationSetView(
      set([
        simulated('r1', 's1', 'PASSED'),
        simulated('r2', 's1', 'FAILED', ['Said the price']),
        simulated('r3', 's2', 'RUNNING'),
        simulated('r4', 's2', 'CANCELLED'),
      ]),
    );
    expect(view).toMatchObject({
      status: 'RUNNING',
      total_scenarios: 2,
      total_runs: 4,
      completed_runs: 3,
      matrix: null,
    });
    const { s1, s2 } = view.statistics.per_scenario;
    expect(s1).toMatchObject({ scenario_name: 'Name of s1', passed: 1, failed: 1, pass_rate: 0.5 });
    expect(s1!.common_failure_modes).toEqual([expect.stringContaining('Said the price')]);
    expect(s2).toMatchObject({ passed: 0, failed: 0, pass_rate: null });
  });

  it.each<[RunStatus[], RunStatus | null, string]>([
    [['PENDING', 'PENDING'], null, 'PENDING'],
    [[], null, 'PENDING'],
    [['PENDING', 'PASSED'], null, 'RUNNING'],
    [['PASSED'], 'PASSED', 'PASSED'],
  ])('with %j and its own status %s is %s', (statuses, own, status) => {
    const runs = statuses.map((each, at) => simulated(`r${at}`, 's1', each));
    expect(simulationSetView(set(runs, { status: own })).status).toBe(status);
  });

  it('names a scenario without runs by its id', () => {
    expect(simulationSetView(set([])).statistics.per_scenario.s2).toMatchObject({ scenario_name: 's2' });
  });

  it.each<[RunStatus, number]>([
    ['PENDING', 0],
    ['RUNNING', 0],
    ['CANCELLED', 0],
    ['PASSED', 1],
    ['FAILED', 1],
    ['ERROR', 1],
  ])('counts a run that is %s %d times', (status, times) => {
    expect(simulatedRun(simulated('r1', 's1', status))).toHaveLength(times);
  });
});

describe('a tornado session in the API', () => {
  const iteration = (fields: object = {}) => ({
    iteration: 1,
    batch_id: 'b1',
    version_number: 4,
    started_at: now,
    completed_at: null,
    evaluated_at: null,
    passed_ids: [],
    failed_ids: [],
    newly_unfixable_ids: [],
    fixes: null,
    prompt_excerpt: null,
    ...fields,
  });
  const session = (iterations: object[], fields: object = {}): WholeSession =>
    ({
      session: {
        id: 't1',
        status: 'RUNNING',
        pathway_id: 'w1',
        scenario_ids: ['s1', 's2', 's3'],
        max_iterations: 5,
        runs_per_scenario: 5,
        required_pass_rate: 0.65,
        timeout_ms: 60_000,
        unfixable_ids: [],
        forked_version: null,
        error_message: null,
        created_at: now,
        completed_at: null,
        ...fields,
      },
      iterations,
    }) as unknown as WholeSession;

  it('shows the outcomes of the last iteration that was evaluated', () => {
    const first = iteration({ evaluated_at: later(5), passed_ids: ['s1', 's2'], failed_ids: ['s3'] });
    const second = iteration({ iteration: 2, passed_ids: ['s3'] });
    expect(tornadoSessionView(session([first, second]))).toMatchObject({
      current_iteration: 2,
      total_scenarios: 3,
      passed_scenarios: 2,
      failed_scenarios: 1,
    });
    expect(tornadoSessionView(session([]))).toMatchObject({
      current_iteration: 1,
      passed_scenarios: 0,
      failed_scenarios: 0,
    });
  });

  it('has run until now, or until its end', () => {
    expect(tornadoProgressView(session([]), later(7)).elapsed_ms).toBe(7_000);
    const ended = session([], { completed_at: later(3), error_message: 'Stopped', forked_version: 9 });
    expect(tornadoProgressView(ended, later(7))).toMatchObject({ elapsed_ms: 3_000, completed_at: iso(3) });
    expect(listedTornadoView(ended)).toMatchObject({
      forked_version: 9,
      error_message: 'Stopped',
      completed_at: iso(3),
    });
    expect(listedTornadoView(session([])).completed_at).toBeNull();
  });

  it('has the fixes of an iteration in their order', () => {
    const fixes = [{ id: '1-1' }, { id: '1-2' }];
    const progress = tornadoProgressView(
      session([iteration({ fixes, completed_at: later(9) }), iteration({ iteration: 2 })], {
        unfixable_ids: ['s3'],
      }),
      now,
    );
    expect(progress).toMatchObject({ unfixable_count: 1, unfixable_ids: ['s3'] });
    expect(progress.iterations[0]).toMatchObject({
      completed_at: iso(9),
      fix_plan: { fixes, priority_order: ['1-1', '1-2'] },
    });
    expect(progress.iterations[1]).toMatchObject({ completed_at: null, fix_plan: null });
  });
});

describe('a load test in the API', () => {
  const result = (fields: Partial<StepResult> = {}): StepResult => ({
    ...figuresOf([]),
    breaks: null,
    attempts: 1,
    started_at: iso(0),
    completed_at: iso(10),
    ...fields,
  });
  const test = (fields: Partial<LoadTestRow> = {}): LoadTestRow =>
    ({
      id: 'l1',
      status: 'RUNNING',
      scenario_ids: ['s1'],
      channel: 'voice',
      steps: [
        { concurrency: 1, callers: 2 },
        { concurrency: 5, callers: 10 },
        { concurrency: 10, callers: 20 },
      ],
      results: [],
      step_attempts: 0,
      step_started_at: null,
      version_number: null,
      seconds_per_step: null,
      required_success_rate: 0.9,
      maximum_latency_ms: null,
      stop_below: null,
      token_budget: null,
      budget_tokens_used: 0,
      cost_budget: null,
      cost_currency: null,
      budget_cost_used: 0,
      error_message: null,
      created_at: now,
      completed_at: null,
      ...fields,
    }) as unknown as LoadTestRow;
  const usage = { tokens: 0, cost: null };
  const statuses = (fields: Partial<LoadTestRow>) =>
    loadTestView(test(fields), [], usage).steps.map(({ status }) => status);

  it.each<[string, Partial<LoadTestRow>, string[]]>([
    ['has not begun', {}, ['PENDING', 'PENDING', 'PENDING']],
    ['is in its first step', { step_attempts: 1 }, ['RUNNING', 'PENDING', 'PENDING']],
    ['is between two steps', { results: [result()] }, ['COMPLETED', 'PENDING', 'PENDING']],
    ['is in its second step', { results: [result()], step_attempts: 2 }, ['COMPLETED', 'RUNNING', 'PENDING']],
    [
      'was cancelled in its second step',
      { status: 'CANCELLED', results: [result()], step_attempts: 1 },
      ['COMPLETED', 'STOPPED', 'SKIPPED'],
    ],
    [
      'stopped after a step',
      { status: 'COMPLETED', results: [result()] },
      ['COMPLETED', 'SKIPPED', 'SKIPPED'],
    ],
  ])('shows the status of each step when it %s', (_, fields, expected) => {
    expect(statuses(fields)).toEqual(expected);
  });

  it('has the figures of the step that has begun, and of no other', () => {
    const caller = {
      status: 'PASSED',
      error_message: null,
      failed_by: null,
      sip_status: 200,
      failures: [],
      answer_ms: 100,
      latencies: [500],
      is_stand_in: false,
      started_at: now,
      completed_at: later(1),
    } as const;
    const { steps } = loadTestView(
      test({ results: [result({ passed: 2 })], step_attempts: 2, step_started_at: later(20) }),
      [caller],
      usage,
    );
    expect(steps).toMatchObject([
      { concurrency: 1, planned_callers: 2, passed: 2, attempts: 1, completed_at: iso(10) },
      {
        concurrency: 5,
        planned_callers: 10,
        passed: 1,
        attempts: 2,
        started_at: iso(20),
        completed_at: null,
      },
      { concurrency: 10, planned_callers: 20, passed: 0, attempts: 0, started_at: null, completed_at: null },
    ]);
  });

  it('of a list says how many steps are completed', () => {
    expect(listedLoadTestView(test({ results: [result()], completed_at: later(30) }))).toMatchObject({
      concurrency: [1, 5, 10],
      completed_steps: 1,
      completed_at: iso(30),
    });
    expect(listedLoadTestView(test())).toMatchObject({
      completed_steps: 0,
      breaks_at: null,
      completed_at: null,
    });
  });
});

describe('a scenario in the API', () => {
  const row = {
    organization_id: 'acme',
    id: 's1',
    name: 'Booking',
    agent: { url: 'https://agent.example' },
    agent_key: 'sealed',
    deleted_at: null,
    created_at: now,
    updated_at: later(1),
  };
  const assertion = {
    id: 'a1',
    scenario_id: 's1',
    type: 'PHRASES',
    name: null,
    config: { required: ['x'] },
    is_required: true,
    weight: 2,
    position: 3,
  };
  const scenario = (fields: object = {}) =>
    ({ row: { ...row, ...fields }, assertions: [assertion] }) as unknown as Scenario;

  it('says whether its agent has a key, and never which', () => {
    const view = scenarioView(scenario());
    expect(view).toMatchObject({
      id: 's1',
      org_id: 'acme',
      agent: { url: 'https://agent.example', has_api_key: true },
      created_at: iso(0),
      updated_at: iso(1),
    });
    expect(JSON.stringify(view)).not.toContain('sealed');
    expect(view).not.toHaveProperty('deleted_at');
    expect(scenarioView(scenario({ agent_key: null })).agent).toMatchObject({ has_api_key: false });
    expect(scenarioView(scenario({ agent: null })).agent).toBeNull();
  });

  it('has its assertions in their order', () => {
    expect(assertionView(assertion as never)).toEqual({
      id: 'a1',
      type: 'PHRASES',
      name: null,
      config: { required: ['x'] },
      is_required: true,
      weight: 2,
      order: 3,
    });
  });
});

describe('the analytics of a pathway', () => {
  const day = (date: string, runs: number, passed: number, scoreSum: number, scores: number) => ({
    date,
    runs,
    passed,
    scoreSum,
    scores,
  });

  it('are the sums of its days', () => {
    const latest = [{ id: 'r1', created_at: now } as LatestRun];
    expect(summaryOf([day('2026-11-26', 4, 3, 3.5, 4), day('2026-11-27', 6, 3, 1.5, 1)], latest)).toEqual({
      total_runs: 10,
      passed: 6,
      failed: 4,
      pass_rate: 0.6,
      failure_rate: 0.4,
      avg_score: 1,
      runs: [{ id: 'r1', created_at: iso(0) }],
    });
  });

  it('have no rates without runs, and no score without scores', () => {
    expect(summaryOf([], [])).toMatchObject({
      total_runs: 0,
      pass_rate: null,
      failure_rate: null,
      avg_score: null,
    });
    expect(summaryOf([day('2026-11-27', 2, 0, 0, 0)], [])).toMatchObject({ pass_rate: 0, avg_score: null });
  });

  it.each([
    [1, '2026-11-27'],
    [7, '2026-11-21'],
    [30, '2026-10-29'],
  ])('of %d days begin on %s', (days, date) => {
    expect(windowStart(now, days)).toBe(date);
  });

  const node = (id: string, blame: number | null, failedHere: number, failureRate: number): BlamedNode =>
    ({
      node: { node_id: id, runs: 10, failed: 2, failedHere },
      failureRate,
      interval: { lower: 0, upper: 1 },
      rateElsewhere: 0.1,
      blame,
    }) as unknown as BlamedNode;
  const order = (...nodes: BlamedNode[]) =>
    heatmapOf(nodes, (id) => `Name of ${id}`).map(({ node_id }) => node_id);

  it('show first what is to blame, then where runs stopped, then what fails most, then by id', () => {
    expect(order(node('a', 0.1, 9, 1), node('b', 0.2, 0, 0))).toEqual(['b', 'a']);
    expect(order(node('a', null, 1, 1), node('b', 0, 2, 0))).toEqual(['b', 'a']);
    expect(order(node('a', 0.1, 1, 0.2), node('b', 0.1, 1, 0.3))).toEqual(['b', 'a']);
    expect(order(node('b', 0.1, 1, 0.2), node('a', 0.1, 1, 0.2))).toEqual(['a', 'b']);
  });

  it('name each node with its figures', () => {
    expect(heatmapOf([node('a', 0.1, 3, 0.2)], (id) => `Name of ${id}`)).toMatchObject([
      {
        node_id: 'a',
        node_name: 'Name of a',
        failure_count: 2,
        total_traversals: 10,
        failure_rate: 0.2,
        stopped_count: 3,
        failure_rate_elsewhere: 0.1,
        blame: 0.1,
      },
    ]);
  });
});
