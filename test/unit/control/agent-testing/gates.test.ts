import { describe, expect, it } from 'vitest';
import { type BudgetState, problemOf } from '../../../../src/control/agent-testing/budget/token-budget.js';
import { type GateRun, hasEnded, refusals } from '../../../../src/control/agent-testing/gates/refusals.js';
import { evaluate, type ScenarioOutcome } from '../../../../src/control/agent-testing/tornado/outcome.js';

const run = (fields: Partial<GateRun> = {}): GateRun => ({
  id: 'r1',
  name: 'Greeting',
  status: 'PASSED',
  error: null,
  isStandIn: false,
  failures: [],
  ...fields,
});

describe('the gate of a promotion', () => {
  it('opens when every required scenario has passed, and only then', () => {
    expect(refusals([run(), run({ id: 'r2' })])).toEqual([]);
    expect(refusals([run(), run({ id: 'r2', status: 'FAILED' })])).toHaveLength(1);
  });

  it('stays closed when nothing was run', () => {
    expect(refusals([])).toEqual(['None of the required scenarios was run.']);
  });

  it.each<[Partial<GateRun>, string]>([
    [{ status: 'FAILED' }, 'Scenario “Greeting” failed.'],
    [{ status: 'FAILED', failures: ['Polite', 'Brief'] }, 'Scenario “Greeting” failed: Polite, Brief.'],
    [{ status: 'ERROR', error: 'No model.' }, 'Scenario “Greeting” could not be run: No model.'],
    [{ status: 'CANCELLED' }, 'Scenario “Greeting” was cancelled.'],
    [{ status: 'RUNNING' }, 'Scenario “Greeting” did not end within 60 minutes.'],
    [{ status: 'PENDING' }, 'Scenario “Greeting” did not end within 60 minutes.'],
  ])('names the reason of a run with %j', (fields, reason) => {
    expect(refusals([run(fields)])).toEqual([reason]);
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
  const state = (fields: Partial<BudgetState>): BudgetState => ({
    usedToday: 0,
    usedThisMonth: 0,
    own: { perDay: null, perMonth: null },
    limits: { perDay: 1_000, perMonth: 20_000 },
    dayEnds: new Date('2026-11-23T00:00:00Z'),
    monthEnds: new Date('2026-12-01T00:00:00Z'),
    ...fields,
  });

  it.each<[Partial<BudgetState>, RegExp | null]>([
    [{}, null],
    [{ usedToday: 999, usedThisMonth: 19_999 }, null],
    [{ usedToday: 1_000 }, /^1,000 of 1,000 tokens of this day .*2026-11-23T00:00:00.000Z/],
    [{ usedThisMonth: 20_000 }, /^20,000 of 20,000 tokens of this month .*2026-12-01T00:00:00.000Z/],
    // Waiting for tomorrow would not help.
    [{ usedToday: 1_000, usedThisMonth: 20_000 }, /this month/],
    [{ usedToday: 5_000, limits: { perDay: null, perMonth: null } }, null],
    [{ limits: { perDay: 0, perMonth: null } }, /^0 of 0 tokens of this day/],
  ])('with %j refuses with %s', (fields, problem) => {
    if (problem === null) expect(problemOf(state(fields))).toBeNull();
    else expect(problemOf(state(fields))).toMatch(problem);
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
