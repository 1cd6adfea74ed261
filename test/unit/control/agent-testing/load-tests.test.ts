import { describe, expect, it } from 'vitest';
import {
  AgentFailure,
  LimitFailure,
  RunFailure,
} from '../../../../src/control/agent-testing/conversation/channel.js';
import {
  breakingPointOf,
  breakOf,
  fewestCallersFor,
  isStop,
} from '../../../../src/control/agent-testing/load/breaking-point.js';
import { requireWithin, shareOf } from '../../../../src/control/agent-testing/load/caller-limits.js';
import { planOf } from '../../../../src/control/agent-testing/load/plan.js';
import {
  type CallerRun,
  figuresOf,
  percentilesOf,
} from '../../../../src/control/agent-testing/load/step-figures.js';
import { loadTestStart } from '../../../../src/control/agent-testing/schemas/load-test.js';
import { wilsonInterval } from '../../../../src/control/agent-testing/statistics/wilson-interval.js';
import { failureOf } from '../../../../src/control/agent-testing/voice/unanswered-call.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';

const scenarioIds = ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'];
const order = (values: object) => loadTestStart.parse({ scenario_ids: scenarioIds, ...values });
const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidRequest)
      return error.faults.map(({ path, message }) => `${path}: ${message}`).join(' ');
    throw error;
  }
  return 'none';
};

describe('the plan of a load test', () => {
  it('has the steps that were named, each with twice its callers, at least 20', () => {
    expect(planOf(order({ concurrency: [1, 5, 20] }))).toEqual([
      { concurrency: 1, callers: 20 },
      { concurrency: 5, callers: 20 },
      { concurrency: 20, callers: 40 },
    ]);
  });

  it.each([
    [{ maximum_concurrency: 10 }, [2, 4, 6, 8, 10]],
    [{ maximum_concurrency: 3 }, [1, 2, 3]],
    [{ maximum_concurrency: 1 }, [1]],
    [{ maximum_concurrency: 10, concurrency_step: 4 }, [4, 8, 10]],
    [{ maximum_concurrency: 10, concurrency_step: 5 }, [5, 10]],
    [{ maximum_concurrency: 2, concurrency_step: 9 }, [2]],
  ])('climbs to the maximum of %j', (values, expected) => {
    expect(planOf(order(values)).map(({ concurrency }) => concurrency)).toEqual(expected);
  });

  it('has so many callers in each step as ordered, or as many as begin in its seconds', () => {
    expect(planOf(order({ concurrency: [2, 8], callers_per_step: 8 })).map(({ callers }) => callers)).toEqual(
      [8, 8],
    );
    const timed = planOf(order({ concurrency: [2, 8], seconds_per_step: 30 }));
    expect(timed.map(({ callers }) => callers)).toEqual([500, 500]);
  });

  it('has as many callers as it takes to show a low rate', () => {
    expect(planOf(order({ concurrency: [1], required_success_rate: 0.1 }))).toEqual([
      { concurrency: 1, callers: fewestCallersFor(0.1) },
    ]);
  });

  it.each([
    [{ concurrency: [4, 8], callers_per_step: 6 }, /callers_per_step: A step of 8 callers at once/],
    [
      { concurrency: [1], callers_per_step: 5, required_success_rate: 0.1 },
      /callers_per_step: Fewer than 35 callers cannot show a success rate below 0\.1/,
    ],
    [{ concurrency: [300, 400, 499], callers_per_step: 500 }, /none/],
    [
      { concurrency: [100, 200, 300, 400, 500] },
      /concurrency: The steps have 2100 callers together; at most 2000/,
    ],
    [{ maximum_concurrency: 100, concurrency_step: 1 }, /concurrency_step: .* are 100 steps; at most 20/],
  ])('refuses %j where it could not be run or show anything', (values, expected) => {
    expect(refusalOf(() => planOf(order(values)))).toMatch(expected);
  });

  it.each([
    [{}, 'Name either concurrency or maximum_concurrency'],
    [{ concurrency: [1], maximum_concurrency: 2 }, 'Name either concurrency or maximum_concurrency'],
    [{ concurrency: [1], concurrency_step: 2 }, 'concurrency_step needs maximum_concurrency'],
    [{ concurrency: [2, 2] }, 'Each step has more callers than the one before'],
    [
      { concurrency: [1], callers_per_step: 20, seconds_per_step: 30 },
      'callers_per_step or seconds_per_step',
    ],
  ])('is not read from %j', (values, message) => {
    const read = loadTestStart.safeParse({ scenario_ids: scenarioIds, ...values });
    expect(JSON.stringify(read.error?.issues)).toContain(message);
  });
});

const second = (count: number): Date => new Date(1_000 * count);
const caller = (values: Partial<CallerRun> = {}): CallerRun => ({
  status: 'PASSED',
  error_message: null,
  failed_by: null,
  sip_status: null,
  failures: [],
  answer_ms: null,
  latencies: [],
  is_stand_in: false,
  started_at: second(0),
  completed_at: second(1),
  ...values,
});
const times = (count: number, values: Partial<CallerRun> = {}): CallerRun[] =>
  Array.from({ length: count }, () => caller(values));
const refused = { status: 'ERROR', failed_by: 'agent', sip_status: 486, error_message: 'Busy Here' } as const;

describe('the figures of a step', () => {
  it('count errors of the agent as not passed, and refusals by limits and errors of the test not at all', () => {
    const figures = figuresOf([
      ...times(6),
      ...times(2, { status: 'FAILED', failures: ['Names the price'] }),
      ...times(2, refused),
      ...times(3, { status: 'ERROR', error_message: 'The judge is overloaded.' }),
      ...times(5, { status: 'ERROR', failed_by: 'limit', sip_status: 503, error_message: 'Full' }),
      ...times(4, { status: 'CANCELLED' }),
      ...times(1, { status: 'RUNNING', completed_at: null }),
    ]);
    expect(figures).toMatchObject({
      callers: 18,
      passed: 6,
      failed: 2,
      agent_errors: 2,
      limit_refusals: 5,
      test_errors: 3,
      success_rate: 0.6,
      success_rate_interval: wilsonInterval(6, 10),
    });
    expect(figures.reasons).toEqual([
      { reason: 'Full', kind: 'limit', sip_status: 503, callers: 5 },
      { reason: 'The judge is overloaded.', kind: 'test', sip_status: null, callers: 3 },
      { reason: 'Busy Here', kind: 'agent', sip_status: 486, callers: 2 },
      { reason: 'Names the price', kind: 'assertion', sip_status: null, callers: 2 },
    ]);
  });

  it('keep refusals with different SIP statuses apart, and ten reasons at most', () => {
    const { reasons } = figuresOf([
      ...times(2, refused),
      ...times(3, { ...refused, sip_status: 503 }),
      ...Array.from({ length: 20 }, (_, index) =>
        caller({ status: 'FAILED', failures: [`Assertion ${index}`] }),
      ),
    ]);
    expect(reasons).toHaveLength(10);
    expect(reasons.slice(0, 2).map(({ sip_status: status, callers }) => [status, callers])).toEqual([
      [503, 3],
      [486, 2],
    ]);
  });

  it('count a reason once for a caller, who may have failed in two', () => {
    const { reasons } = figuresOf([caller({ status: 'FAILED', failures: ['A', 'B', 'A'] })]);
    expect(reasons.map(({ reason, callers }) => [reason, callers])).toEqual([
      ['A', 1],
      ['B', 1],
    ]);
  });

  it('have percentiles by nearest rank over all turns, and of the answers', () => {
    const figures = figuresOf([
      caller({ latencies: [100, 200], answer_ms: 50 }),
      caller({ latencies: [300, 400] }),
    ]);
    expect(figures.latency_ms).toEqual({ count: 4, p50: 200, p95: 400, p99: 400 });
    expect(figures.answer_ms).toEqual({ count: 1, p50: 50, p95: 50, p99: 50 });
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentilesOf(hundred)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99 });
    expect(percentilesOf([])).toEqual({ count: 0, p50: null, p95: null, p99: null });
  });

  it('know how many conversations overlapped', () => {
    const between = (from: number, to: number | null) =>
      caller({ started_at: second(from), completed_at: to === null ? null : second(to) });
    const peak = (...runs: CallerRun[]): number => figuresOf(runs).peak_callers;
    expect(peak()).toBe(0);
    expect(peak(between(0, 2), between(1, 3), between(2, 4))).toBe(2);
    expect(peak(between(0, 9), between(1, 9), between(2, 3), between(5, null))).toBe(3);
    expect(peak(caller({ started_at: null, completed_at: null }))).toBe(0);
  });

  it('say nothing without callers', () => {
    expect(figuresOf([])).toMatchObject({ callers: 0, success_rate: null, success_rate_interval: null });
    expect(figuresOf(times(3, { status: 'ERROR' }))).toMatchObject({ test_errors: 3, success_rate: null });
  });
});

describe('the breaking point', () => {
  const terms = { required_success_rate: 0.9, maximum_latency_ms: null, stop_below: null };
  const step = (passed: number, failed: number, latency = 100) =>
    figuresOf([
      ...times(passed, { latencies: [latency] }),
      ...times(failed, { status: 'FAILED', latencies: [latency] }),
    ]);

  it.each([
    [20, 0, null],
    // Luck: 17 of 20 is what an agent of 90 % does now and then.
    [17, 3, null],
    [13, 7, 'success_rate'],
    [0, 1, 'success_rate'],
  ])('is shown by %i of callers who pass and %i who do not: %s', (passed, failed, expected) => {
    expect(breakOf(step(passed, failed), terms)).toBe(expected);
  });

  it('is reached with the 95th percentile of the latencies, where a bound is given', () => {
    const bounded = { ...terms, maximum_latency_ms: 2_000 };
    expect(breakOf(step(20, 0, 2_000), bounded)).toBeNull();
    expect(breakOf(step(20, 0, 2_001), bounded)).toBe('latency');
    expect(breakOf(step(20, 0, 2_001), terms)).toBeNull();
    expect(breakOf(step(5, 15, 2_001), bounded)).toBe('success_rate');
    expect(breakOf(figuresOf([]), bounded)).toBeNull();
  });

  it('ends the load test, unless another rule was ordered', () => {
    expect(isStop(step(13, 7), terms)).toBe(true);
    expect(isStop(step(17, 3), terms)).toBe(false);
    expect(isStop(step(13, 7), { ...terms, stop_below: 0.5 })).toBe(false);
    expect(isStop(step(9, 11), { ...terms, stop_below: 0.5 })).toBe(true);
    expect(isStop(step(0, 20), { ...terms, stop_below: 0 })).toBe(false);
    expect(isStop(step(20, 0, 9_000), { ...terms, maximum_latency_ms: 100 })).toBe(true);
  });

  it('is that of the first step that breaks, and the step before it holds', () => {
    const steps = [
      { concurrency: 1, breaks: null, limited: 0 },
      { concurrency: 5, breaks: null, limited: 0 },
      { concurrency: 10, breaks: 'latency' as const, limited: 0 },
      { concurrency: 20, breaks: 'success_rate' as const, limited: 0 },
    ];
    expect(breakingPointOf(steps)).toEqual({ breaksAt: 10, reason: 'latency', holdsAt: 5 });
    expect(breakingPointOf(steps.slice(0, 2))).toEqual({ breaksAt: null, reason: null, holdsAt: 5 });
    expect(breakingPointOf(steps.slice(2))).toEqual({ breaksAt: 10, reason: 'latency', holdsAt: null });
    expect(breakingPointOf([])).toEqual({ breaksAt: null, reason: null, holdsAt: null });
  });

  it('holds no step of which limits of Demarc refused callers', () => {
    const steps = [
      { concurrency: 5, breaks: null, limited: 0 },
      { concurrency: 10, breaks: null, limited: 2 },
    ];
    expect(breakingPointOf(steps)).toEqual({ breaksAt: null, reason: null, holdsAt: 5 });
  });

  it('takes as many callers as the interval needs', () => {
    for (const rate of [0.05, 0.1, 0.5, 0.9, 1]) {
      const fewest = fewestCallersFor(rate);
      expect(wilsonInterval(0, fewest)!.upper).toBeLessThan(rate);
      if (fewest > 1) expect(wilsonInterval(0, fewest - 1)!.upper).toBeGreaterThanOrEqual(rate);
    }
  });
});

describe('a call that was not answered', () => {
  it.each([
    [{ ended_by: 'refused', sip_status: 503, edge_refusal: 'refused_limit' }, LimitFailure],
    [{ ended_by: 'refused', sip_status: 503, edge_refusal: 'refused_draining' }, RunFailure],
    [{ ended_by: 'refused', sip_status: 403, edge_refusal: null }, RunFailure],
    [{ ended_by: 'refused', sip_status: 503, edge_refusal: null }, AgentFailure],
    [{ ended_by: 'no_answer', sip_status: null, edge_refusal: null }, AgentFailure],
    [{ ended_by: 'failed', sip_status: null, edge_refusal: null }, RunFailure],
  ] as const)('%j is the failure of what caused it', (report, failure) => {
    const found = failureOf({ ...report, detail: 'Why' });
    expect(found.constructor).toBe(failure);
    expect(found.message).toContain('Why');
  });
});

describe('the limit of callers at once', () => {
  const limits = [
    { callers: 50, what: 'the limit of this service for load tests (DEMARC_AGENT_TEST_LOAD_CALLERS)' },
    shareOf(21, 'of +14155550100 (limits.concurrent_calls)'),
    shareOf(100, 'of the organization (concurrent_calls)'),
  ];

  it('is the lowest one, half of the calls of a number, and is named with its value', () => {
    expect(refusalOf(() => requireWithin(10, limits, 'concurrency'))).toBe('none');
    expect(refusalOf(() => requireWithin(11, limits, 'concurrency'))).toBe(
      'concurrency: 11 callers at once exceed 10: half of the 21 concurrent calls of +14155550100 (limits.concurrent_calls); the other half stays free for real calls.',
    );
    expect(refusalOf(() => requireWithin(51, limits.slice(0, 1), 'maximum_concurrency'))).toMatch(
      /^maximum_concurrency: 51 callers at once exceed 50: .*DEMARC_AGENT_TEST_LOAD_CALLERS/,
    );
  });

  it('leaves a number with one concurrent call to real calls', () => {
    expect(refusalOf(() => requireWithin(1, [shareOf(1, 'of +1')], 'concurrency'))).toMatch(/exceed 0/);
  });
});
