import { describe, expect, it } from 'vitest';
import { noticeOf } from '../../../../src/control/agent-testing/alerting/notice.js';
import { periodOf } from '../../../../src/control/agent-testing/budget/period.js';
import { nextRunAt } from '../../../../src/control/agent-testing/schedules/recurrence.js';
import {
  remainingOf,
  type ScheduleUse,
} from '../../../../src/control/agent-testing/schedules/schedule-use.js';
import { verdictOn } from '../../../../src/control/agent-testing/schedules/verdict.js';
import {
  recurrenceSchema,
  scheduleCreation,
} from '../../../../src/control/agent-testing/schemas/schedule.js';
import type {
  SimulationRunRow,
  SimulationSetRow,
} from '../../../../src/control/agent-testing/simulation/simulation-storage.js';

describe('the budget of a recurring test', () => {
  const at = (text: string) => new Date(text);

  it.each([
    ['day', '2026-11-27T23:59:59Z', '2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z'],
    ['week', '2026-11-29T23:59:59Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['week', '2026-11-30T00:00:00Z', '2026-11-30T00:00:00Z', '2026-12-07T00:00:00Z'],
    ['month', '2026-12-31T12:00:00Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ] as const)('counts by the %s of %s', (period, now, begins, ends) => {
    expect(periodOf(period, at(now))).toEqual({ begins: at(begins), ends: at(ends) });
  });

  const schedule = (tokens: number | null, cost: number | null) => ({
    organization_id: 'o',
    id: 'i',
    budget_period: 'month' as const,
    budget_tokens: tokens,
    budget_cost: cost,
  });
  const use = (tokens: number, cost: number): ScheduleUse => ({
    period: 'month',
    ends: at('2026-12-01T00:00:00Z'),
    tokens,
    cost: { amount: cost, currency: 'EUR' },
    byCurrency: [{ currency: 'EUR', tokens, cost, has_unpriced: false }],
  });

  it('leaves the next set what earlier ones of the period left', () => {
    expect(remainingOf({ ...schedule(null, null), budget_period: null }, use(9, 9), 'EUR')).toEqual({
      token_budget: undefined,
      cost_budget: undefined,
    });
    expect(remainingOf(schedule(1_000, 0.3), use(400, 0.1), 'EUR')).toEqual({
      token_budget: 600,
      cost_budget: 0.2,
    });
    expect(remainingOf(schedule(1_000, null), use(0, 5), 'EUR')).toEqual({
      token_budget: 1_000,
      cost_budget: undefined,
    });
  });

  it.each([
    [
      schedule(1_000, null),
      use(1_000, 0),
      /^Token budget used up: 1,000 of 1,000 tokens of this month .*until 2026-12-01.*, or raise the budget of the recurring test$/,
    ],
    [schedule(null, 0.3), use(0, 0.31), /^Budget in money used up: EUR 0\.31 of EUR 0\.30 of this month /],
  ])('starts nothing once it is used up', (own, used, problem) => {
    expect(() => remainingOf(own, used, 'EUR')).toThrow(problem);
  });

  it('names tokens or cost', () => {
    const read = (budget: unknown) =>
      scheduleCreation.safeParse({
        name: 'Nightly',
        scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'],
        recurrence: { type: 'interval', minutes: 60 },
        budget,
      });
    expect(read({ cost: 5 }).data?.budget).toEqual({ period: 'month', tokens: null, cost: 5 });
    expect(read(undefined).data?.budget).toBeNull();
    expect(read({ period: 'week' }).success).toBe(false);
    expect(read({ cost: 0 }).success).toBe(false);
  });
});

describe('the next time of an interval', () => {
  const hourly = { type: 'interval', minutes: 60 } as const;
  const at = (text: string) => new Date(`2026-11-27T${text}Z`);

  it('is so many minutes from now at first, and then counts from the time before, without those missed', () => {
    expect(nextRunAt(hourly, at('10:07:00'))).toEqual(at('11:07:00'));
    expect(nextRunAt(hourly, at('11:07:01'), at('11:07:00'))).toEqual(at('12:07:00'));
    expect(nextRunAt(hourly, at('12:07:00'), at('11:07:00'))).toEqual(at('13:07:00'));
    expect(nextRunAt(hourly, at('15:30:00'), at('11:07:00'))).toEqual(at('16:07:00'));
  });
});

describe('the next time of day', () => {
  it.each([
    ['06:30', '2026-11-27T05:29:59Z', '2026-11-27T05:30:00Z'],
    ['06:30', '2026-11-27T05:30:00Z', '2026-11-28T05:30:00Z'],
    // Summer time begins: 02:30 is skipped.
    ['02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
    // It ends: 02:30 comes twice, and counts once.
    ['02:30', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
    ['02:30', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ])('%s in Berlin after %s is %s', (time, now, next) => {
    expect(nextRunAt({ type: 'daily', time, time_zone: 'Europe/Berlin' }, new Date(now))).toEqual(
      new Date(next),
    );
  });
});

describe('the body of a schedule', () => {
  it.each([
    [{ type: 'interval', minutes: 14 }],
    [{ type: 'interval', minutes: 10_081 }],
    [{ type: 'daily', time: '24:00', time_zone: 'UTC' }],
    [{ type: 'daily', time: '06:30', time_zone: '+01:00' }],
    [{ type: 'daily', time: '06:30', minutes: 60, time_zone: 'UTC' }],
  ])('rejects the recurrence %j', (recurrence) => {
    expect(recurrenceSchema.safeParse(recurrence).success).toBe(false);
  });

  it('rejects more runs than a set may have', () => {
    const body = {
      name: 'Nightly',
      scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'],
      simulations_per_scenario: 100,
      recurrence: { type: 'interval', minutes: 60 },
    };
    expect(scheduleCreation.parse(body)).toMatchObject({ version: 'live', required_pass_rate: 0.8 });
    const matrix = { fields: { max_turns: [...Array(11).keys()] } };
    expect(scheduleCreation.safeParse({ ...body, matrix }).error?.issues).toMatchObject([
      { path: ['simulations_per_scenario'], message: 'At most 1000 runs together' },
    ]);
  });
});

const run = (scenario: string, fields: Partial<SimulationRunRow> = {}): SimulationRunRow => ({
  id: 'r',
  scenario_id: scenario,
  scenario_name: `Scenario ${scenario}`,
  status: 'PASSED',
  variation: null,
  version_number: 1,
  agent_model: null,
  is_stand_in: false,
  score: 1,
  failures: [],
  ...fields,
});
const failed = (scenario: string) => run(scenario, { status: 'FAILED', failures: ['Names the price'] });
const verdict = (...runs: readonly SimulationRunRow[]) => {
  const ids = [...new Set(runs.map(({ scenario_id: id }) => id))];
  const set = { scenario_ids: ids } as SimulationSetRow;
  return verdictOn({ set, runs, usage: { tokens: 0, cost: null } }, 0.8);
};
const times = (count: number, run: SimulationRunRow) => Array<SimulationRunRow>(count).fill(run);

describe('the verdict on the runs of a schedule', () => {
  it('passes at the required rate, and names what failed below it', () => {
    expect(verdict(...times(4, run('a')), failed('a'))).toEqual({ problem: null, lowestPassRate: 0.8 });
    expect(verdict(...times(2, run('a')), ...times(3, failed('a')))).toEqual({
      problem: 'Scenario a: 2 of 5 runs passed (40 %), 80 % required: Names the price (3 of 5 runs).',
      lowestPassRate: 0.4,
    });
  });

  it('does not let other scenarios hide one that always fails', () => {
    const found = verdict(...times(20, run('a')), failed('b'));
    expect(found).toMatchObject({ lowestPassRate: 0 });
    expect(found?.problem).toMatch(/^Scenario b: 0 of 1 runs passed \(0 %\)/);
  });

  it('fails where nothing could be judged, ignores single errors, and says nothing of cancelled runs', () => {
    const error = run('a', { status: 'ERROR', failures: ['The model is down'], score: null });
    expect(verdict(error, error)).toEqual({
      problem: 'Scenario a: no run could be judged: The model is down (2 of 2 runs).',
      lowestPassRate: null,
    });
    expect(verdict(error, run('a'))).toEqual({ problem: null, lowestPassRate: 1 });
    expect(verdict(run('a'), run('a', { status: 'CANCELLED' }))).toBeUndefined();
  });

  it('names five scenarios at most', () => {
    const found = verdict(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(failed));
    expect(found?.problem).toMatch(/Scenario e:.*\. And 2 more\.$/);
    expect(found?.problem).not.toContain('Scenario f');
  });
});

describe('the notice of a schedule', () => {
  it('says what failed and where to look, and fits two segments of SMS', () => {
    const texts = { recovered: 'Every scenario passed.', advice: 'Read the runs.' };
    const notice = noticeOf(
      { name: 'Nightly', problem: 'x'.repeat(1_000) },
      texts,
      'https://demarc.example.com/testing/schedules',
    );
    expect(notice.title).toBe('[Demarc] TESTS: Nightly fails');
    expect(notice.text).toContain('Dashboard: https://demarc.example.com/testing/schedules');
    expect(notice.short).toHaveLength(300);
    expect(notice.short).toMatch(/… https:\/\/demarc\.example\.com\/testing\/schedules$/);
    expect(noticeOf({ name: 'Nightly', problem: null }, texts, 'https://d').title).toBe(
      '[Demarc] TESTS: Nightly passes again',
    );
  });
});
