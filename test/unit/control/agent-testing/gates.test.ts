import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { problemOf } from '../../../../src/control/agent-testing/budget/test-budget.js';
import {
  type GateRun,
  hasEnded,
  settledRefusals,
  verdictOn,
} from '../../../../src/control/agent-testing/gates/refusals.js';
import {
  evaluate,
  outcomesOfScenarios,
  type ScenarioOutcome,
} from '../../../../src/control/agent-testing/tornado/outcome.js';

const run = (fields: Partial<GateRun> = {}): GateRun => ({
  id: 'r1',
  scenarioId: 's1',
  name: 'Greeting',
  status: 'PASSED',
  error: null,
  isStandIn: false,
  isCurrent: true,
  requiredPassRate: 0.65,
  promotionRuns: 5,
  failures: [],
  ...fields,
});
const times = (count: number, fields: Partial<GateRun> = {}): GateRun[] =>
  Array.from({ length: count }, () => run(fields));

describe('the gate of a promotion', () => {
  it('opens when the runs of every required scenario show the rate, and asks for more until then', () => {
    expect(verdictOn(times(8))).toEqual({ reasons: [], missing: [] });
    expect(verdictOn(times(5))).toEqual({ reasons: [], missing: ['s1', 's1', 's1'] });
    expect(verdictOn([...times(8), ...times(5, { scenarioId: 's2' })]).missing).toEqual(Array(3).fill('s2'));
    expect(verdictOn([...times(4, { isCurrent: false }), ...times(4)])).toEqual({ reasons: [], missing: [] });
  });

  it('wastes no runs of other scenarios once one has failed', () => {
    const verdict = verdictOn([
      ...times(5),
      ...times(5, { scenarioId: 's2', name: 'Price', status: 'FAILED' }),
    ]);
    expect(verdict).toEqual({
      reasons: ['Scenario “Price” failed: 0 of 5 runs passed (0–43 %, 65 % required).'],
      missing: [],
    });
  });

  it('stays closed when nothing was run', () => {
    expect(verdictOn([]).reasons).toEqual(['None of the required scenarios was run.']);
    expect(verdictOn(times(8, { isCurrent: false })).reasons).toHaveLength(1);
  });

  it.each<[Partial<GateRun>, string]>([
    [
      { status: 'FAILED', failures: ['Polite', 'Brief'] },
      'Scenario “Greeting” failed: 0 of 5 runs passed (0–43 %, 65 % required): Polite, Brief.',
    ],
    [{ status: 'ERROR', error: 'No model.' }, 'Scenario “Greeting” could not be run: No model.'],
    [{ status: 'CANCELLED' }, 'Scenario “Greeting” was cancelled.'],
    [{ status: 'RUNNING' }, 'Scenario “Greeting” did not end within 60 minutes.'],
    [{ status: 'PENDING' }, 'Scenario “Greeting” did not end within 60 minutes.'],
    [
      { isStandIn: true },
      'Scenario “Greeting” used the stand-in that answers by rules, which shows nothing of your agent (DEMARC_LLM_URL).',
    ],
  ])('names the reason of runs with %j', (fields, reason) => {
    expect(verdictOn(times(5, fields)).reasons).toEqual([reason]);
  });

  it('does not test a version again that has failed, but one whose runs left it open', () => {
    const earlier = { isCurrent: false };
    expect(settledRefusals(times(5, { ...earlier, status: 'FAILED' }))).toEqual([
      'Scenario “Greeting” has failed with this version: 0 of 5 runs passed (0–43 %, 65 % required). Change the version.',
    ]);
    expect(settledRefusals([...times(16, earlier), ...times(4, { ...earlier, status: 'FAILED' })])).toEqual(
      [],
    );
    expect(settledRefusals([])).toEqual([]);
  });

  /** Repeats the promotion of a version whose runs pass with a probability. @returns how many of the versions became live */
  function promoted(passes: number, versions: number, repetitions: number): number {
    const random = seededRandom(20_261_124);
    let live = 0;
    for (let version = 0; version < versions; version++) {
      const runs: GateRun[] = [];
      for (let repetition = 0; repetition < repetitions; repetition++) {
        if (settledRefusals(runs).length > 0) break;
        for (const [index, earlier] of runs.entries()) runs[index] = { ...earlier, isCurrent: false };
        let missing = 5;
        while (missing > 0) {
          runs.push(
            ...Array.from({ length: missing }, () =>
              run({ status: random() < passes ? 'PASSED' : 'FAILED' }),
            ),
          );
          const verdict = verdictOn(runs);
          missing = verdict.missing.length;
          if (verdict.reasons.length === 0 && missing === 0) live++;
          if (verdict.reasons.length > 0 || missing === 0) break;
        }
        if (verdictOn(runs).reasons.length === 0) break;
      }
    }
    return live / versions;
  }

  it('promotes an agent that passes half of its runs at most once in 100 tries, however often it is repeated', () => {
    expect(promoted(0.5, 4_000, 1)).toBeLessThan(0.01);
    expect(promoted(0.5, 1_000, 20)).toBeLessThan(0.01);
  });

  it('promotes an agent that nearly always passes, and one that always does', () => {
    expect(promoted(0.97, 500, 1)).toBeGreaterThan(0.95);
    expect(promoted(1, 10, 1)).toBe(1);
  });

  it.each([
    ['PENDING', false],
    ['RUNNING', false],
    ['PASSED', true],
    ['FAILED', true],
    ['ERROR', true],
    ['CANCELLED', true],
  ])('takes a run that is %s for ended: %s', (status, expected) => expect(hasEnded(status)).toBe(expected));
});

describe('the token budget', () => {
  type State = Parameters<typeof problemOf>[0];
  const nothing = { tokens: 0, cost: 0 };
  const tokens = (limit: number | null) => ({ tokens: limit, cost: null });
  const euros = (amount: number) => ({ tokens: null, cost: { amount, currency: 'EUR' } });
  const took = (used: number, cost = 0) => ({ tokens: used, cost });
  const state = (fields: Partial<State>): State => ({
    today: nothing,
    thisMonth: nothing,
    limits: { day: tokens(1_000), month: tokens(20_000) },
    dayEnds: new Date('2026-11-23T00:00:00Z'),
    monthEnds: new Date('2026-12-01T00:00:00Z'),
    ...fields,
  });

  it.each<[Partial<State>, RegExp | null]>([
    [{}, null],
    [{ today: took(999), thisMonth: took(19_999, 5) }, null],
    [{ today: took(1_000) }, /: 1,000 of 1,000 tokens of this day .*2026-11-23T00:00:00.000Z/],
    [{ thisMonth: took(20_000) }, /: 20,000 of 20,000 tokens of this month .*2026-12-01T00:00:00.000Z/],
    // Waiting for tomorrow would not help.
    [{ today: took(1_000), thisMonth: took(20_000) }, /this month/],
    [{ today: took(5_000), limits: { day: tokens(null), month: tokens(null) } }, null],
    [{ limits: { day: tokens(0), month: tokens(null) } }, /: 0 of 0 tokens of this day/],
    [{ today: took(0, 0.99), limits: { day: euros(1), month: euros(30) } }, null],
    [
      { today: took(0, 1.02), limits: { day: euros(1), month: euros(30) } },
      /^Budget in money used up: EUR 1\.02 of EUR 1\.00 of this day \(UTC\) are used\. Wait until 2026-11-23/,
    ],
    [
      { today: took(0, 1.02), thisMonth: took(0, 30), limits: { day: euros(1), month: euros(30) } },
      /EUR 30\.00 of this month .*2026-12-01/,
    ],
  ])('with %j refuses with %s', (fields, problem) => {
    if (problem === null) expect(problemOf(state(fields))).toBeNull();
    else expect(problemOf(state(fields))?.message).toMatch(problem);
  });
});

it('a session of fixes ends with the error of the run that had one', () => {
  const outcome = (fields: Partial<ScenarioOutcome>): ScenarioOutcome =>
    ({
      scenario_id: 's',
      run_id: 'r',
      status: 'CANCELLED',
      signature: '',
      error: null,
      ...fields,
    }) as ScenarioOutcome;
  const decide = (...outcomes: ScenarioOutcome[]) =>
    evaluate([outcomes], { unfixableIds: [], maximum: 5 }).decision;
  expect(decide(outcome({}), outcome({ status: 'ERROR', error: 'No model.' }))).toEqual({
    kind: 'ERROR',
    message: 'No model.',
  });
  expect(decide(outcome({}))).toEqual({ kind: 'ERROR', message: 'The runs were cancelled.' });
});

describe('the runs of a scenario in one iteration', () => {
  const runOf = (status: ScenarioOutcome['status'], signature = ''): ScenarioOutcome => ({
    scenario_id: 's',
    run_id: `${status} ${signature}`,
    status,
    signature,
    error: status === 'ERROR' ? 'No model.' : null,
  });
  const five = (...outcomes: ScenarioOutcome[]) => [
    ...Array(5 - outcomes.length).fill(runOf('PASSED')),
    ...outcomes,
  ];

  it('pass together when the lower end of their interval reaches the rate', () => {
    expect(outcomesOfScenarios(five(), 0.5)).toMatchObject([{ status: 'PASSED' }]);
    expect(outcomesOfScenarios(five(runOf('FAILED', 'a')), 0.5)).toMatchObject([{ status: 'FAILED' }]);
    expect(outcomesOfScenarios(five(runOf('FAILED', 'a')), 0.3)).toMatchObject([{ status: 'PASSED' }]);
    expect(outcomesOfScenarios([runOf('PASSED')], 0.5)).toMatchObject([{ status: 'FAILED' }]);
  });

  it('name every assertion that failed, and an error where none failed', () => {
    const failed = outcomesOfScenarios(five(runOf('FAILED', 'b'), runOf('FAILED', 'a')), 0.5);
    expect(failed).toEqual([{ ...runOf('FAILED', 'b'), signature: 'a; b' }]);
    expect(outcomesOfScenarios(five(runOf('ERROR')), 0.3)).toMatchObject([
      { status: 'ERROR', error: 'No model.' },
    ]);
  });
});
