import { describe, expect, it } from 'vitest';
import { newsOf } from '../../../../src/control/agent-testing/alerting/news.js';
import {
  changedColumns,
  monitorColumns,
} from '../../../../src/control/agent-testing/monitors/monitor-storage.js';
import { type MonitorRow, monitorView } from '../../../../src/control/agent-testing/monitors/monitor-view.js';
import { standingOf } from '../../../../src/control/agent-testing/monitors/standing.js';
import {
  changedValues,
  columnsOf,
  firstRunAt,
  isRestarted,
  setOrder,
} from '../../../../src/control/agent-testing/schedules/schedule-storage.js';
import { problemOf } from '../../../../src/control/agent-testing/schedules/schedule-sweep.js';
import {
  type ScheduleRow,
  scheduleView,
} from '../../../../src/control/agent-testing/schedules/schedule-view.js';
import type { ScheduleValues } from '../../../../src/control/agent-testing/schemas/schedule.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { DemarcError } from '../../../../src/errors.js';

const now = new Date('2026-11-27T09:00:00.000Z');
const hourly = { type: 'interval', minutes: 60 } as const;
const daily = { type: 'daily', time: '12:30', time_zone: 'UTC' } as const;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const row = (fields: Partial<ScheduleRow> = {}): ScheduleRow =>
  ({
    organization_id: 'acme',
    id: 'sch-1',
    name: 'Nightly',
    scenario_ids: ['s1', 's2'],
    simulations_per_scenario: 5,
    version: 'draft',
    channel: null,
    matrix: null,
    recurrence: hourly,
    required_pass_rate: 0.8,
    notify_contacts: true,
    budget_period: null,
    budget_tokens: null,
    budget_cost: null,
    enabled: true,
    next_run_at: later(60),
    last_run_at: null,
    last_set_id: null,
    state: null,
    state_since: null,
    problem: null,
    lowest_pass_rate: null,
    created_at: now,
    updated_at: now,
    ...fields,
  }) as ScheduleRow;

describe('when a schedule starts next', () => {
  it.each<[Pick<ScheduleValues, 'enabled' | 'recurrence'>, Date | null]>([
    [{ enabled: true, recurrence: hourly }, later(60)],
    [{ enabled: true, recurrence: daily }, new Date('2026-11-27T12:30:00.000Z')],
    [{ enabled: false, recurrence: hourly }, null],
  ])('%j', (values, at) => {
    expect(firstRunAt(values, now)).toEqual(at);
  });

  it.each([
    [true, {}, false],
    [false, {}, false],
    [true, { enabled: true }, false],
    [true, { enabled: false }, true],
    [false, { enabled: true }, true],
    [false, { enabled: false }, false],
    [true, { recurrence: hourly }, true],
    [false, { recurrence: daily, enabled: false }, true],
  ])('enabled before: %s, with %j is set again: %s', (enabled, change, restarted) => {
    expect(isRestarted({ enabled }, change)).toBe(restarted);
  });
});

describe('a change of a schedule', () => {
  it('keeps what it leaves out, and sets and clears what it names', () => {
    const values = changedValues(row(), {});
    expect(values).toMatchObject({
      name: 'Nightly',
      scenario_ids: ['s1', 's2'],
      version: 'draft',
      budget: null,
    });
    expect(changedValues(row(), { name: undefined, enabled: undefined })).toEqual(values);
    expect(changedValues(row({ channel: 'text' }), { channel: null, name: 'Hourly' })).toEqual({
      ...values,
      name: 'Hourly',
    });
  });

  it('keeps the budget that the row has', () => {
    const stored = row({ budget_period: 'week', budget_tokens: '1000', budget_cost: 2.5 });
    expect(changedValues(stored, {}).budget).toEqual({ period: 'week', tokens: 1_000, cost: 2.5 });
    expect(changedValues(stored, { budget: null }).budget).toBeNull();
  });

  it('is refused for more runs than a set may have', () => {
    const change = {
      simulations_per_scenario: 100,
      scenario_ids: Array.from({ length: 100 }, (_, at) => `s${at}`),
    };
    expect(() => changedValues(row(), change)).toThrow(InvalidRequest);
  });

  it('is stored as columns', () => {
    const values = changedValues(row(), {
      scenario_ids: ['AB', 'cd'],
      budget: { period: 'day', tokens: 500, cost: null },
    });
    expect(columnsOf(values)).toMatchObject({
      name: 'Nightly',
      scenario_ids: ['ab', 'cd'],
      matrix: null,
      recurrence: '{"type":"interval","minutes":60}',
      budget_period: 'day',
      budget_tokens: 500,
      budget_cost: null,
    });
    expect(columnsOf({ ...values, budget: null })).toMatchObject({
      budget_period: null,
      budget_tokens: null,
      budget_cost: null,
    });
    const matrix = { fields: { city: ['Rome'] }, seed: 1 } as unknown as ScheduleValues['matrix'];
    expect(columnsOf({ ...values, matrix }).matrix).toBe('{"fields":{"city":["Rome"]},"seed":1}');
  });
});

describe('what a schedule starts', () => {
  it('is the draft on the channel of each scenario by default', () => {
    expect(setOrder(row())).toEqual({
      scenario_ids: ['s1', 's2'],
      simulations_per_scenario: 5,
      channel: undefined,
      matrix: undefined,
      trigger_source: 'api',
      schedule_id: 'sch-1',
    });
  });

  it('is the live version and the channel that it names', () => {
    expect(setOrder(row({ version: 'live', channel: 'voice' }))).toMatchObject({
      version_number: 'live',
      channel: 'voice',
    });
  });

  it.each<[unknown, string | undefined]>([
    [InvalidRequest.at('version', 'The pathway has no live version.'), 'The pathway has no live version.'],
    [
      new InvalidRequest([
        { error: 'VALIDATION_ERROR', path: 'a', message: 'One.' },
        { error: 'VALIDATION_ERROR', path: 'b', message: 'Two.' },
      ]),
      'One. Two.',
    ],
    [new Error('Connection terminated'), undefined],
    ['no error', undefined],
  ])('says, when it cannot be started because of %s, %j', (error, problem) => {
    expect(problemOf(error)).toBe(problem);
  });

  it('says what an error of the API is, as a sentence', () => {
    const error = new DemarcError('NOT_FOUND', 'Scenario not found');
    expect(problemOf(error)).toBe(`${error.message}.`);
  });
});

describe('a schedule in the API', () => {
  const use = {
    period: 'month',
    ends: later(600),
    tokens: 1_200,
    cost: { amount: 0.5, currency: 'EUR' },
    byCurrency: [],
  } as const;

  it('has its settings, its use and its state', () => {
    expect(scheduleView(row(), use)).toEqual({
      id: 'sch-1',
      name: 'Nightly',
      scenario_ids: ['s1', 's2'],
      simulations_per_scenario: 5,
      version: 'draft',
      channel: null,
      matrix: null,
      recurrence: hourly,
      required_pass_rate: 0.8,
      notify_contacts: true,
      budget: null,
      enabled: true,
      usage: {
        period: 'month',
        tokens: 1_200,
        cost: { amount: 0.5, currency: 'EUR' },
        period_ends_at: later(600).toISOString(),
      },
      next_run_at: later(60).toISOString(),
      last_run_at: null,
      last_simulation_set_id: null,
      state: null,
      state_since: null,
      problem: null,
      lowest_pass_rate: null,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
  });

  it('says since when it fails, and why', () => {
    const failing = row({
      next_run_at: null,
      last_run_at: later(-60),
      last_set_id: 'set-1',
      state: 'failing',
      state_since: later(-55),
      problem: 'Booking: 1 of 5 runs passed',
      lowest_pass_rate: 0.2,
    });
    expect(scheduleView(failing, use)).toMatchObject({
      next_run_at: null,
      last_run_at: later(-60).toISOString(),
      last_simulation_set_id: 'set-1',
      state: 'failing',
      state_since: later(-55).toISOString(),
      problem: 'Booking: 1 of 5 runs passed',
      lowest_pass_rate: 0.2,
    });
  });
});

describe('what is announced of a test that recurs', () => {
  it.each([
    [null, 'failing', 'failed'],
    ['passing', 'failing', 'failed'],
    ['failing', 'failing', undefined],
    ['failing', 'passing', 'recovered'],
    ['passing', 'passing', undefined],
    [null, 'passing', undefined],
  ] as const)('follows from the states before and after, %s and %s: %s', (before, after, news) => {
    expect(newsOf(before, after)).toBe(news);
  });
});

describe('a monitor', () => {
  const values = {
    name: 'Support',
    number: '+1 415 555 0100',
    persona_id: 'ABC',
    share: 0.1,
    required_pass_rate: 0.9,
    notify_contacts: true,
    enabled: true,
  } as unknown as Parameters<typeof monitorColumns>[0];

  it('is stored with the digits of its number, or without', () => {
    expect(monitorColumns(values)).toEqual({ ...values, number: '14155550100', persona_id: 'abc' });
    expect(monitorColumns({ ...values, number: null, persona_id: null })).toMatchObject({
      number: null,
      persona_id: null,
    });
  });

  it.each([
    [true, { enabled: true }, false],
    [false, { enabled: true }, true],
    [false, { enabled: false }, false],
    [true, { enabled: false }, false],
    [false, {}, false],
    [false, { name: 'Sales' }, false],
  ])('enabled before: %s, with %j begins with the calls from now on: %s', (isEnabled, change, begins) => {
    expect(changedColumns(change, isEnabled, now)).toEqual({
      ...change,
      updated_at: now,
      ...(begins ? { examined_until: now } : {}),
    });
  });

  it('keeps what a change leaves out', () => {
    expect(changedColumns({ name: undefined, share: 0.5 }, true, now)).toEqual({
      share: 0.5,
      updated_at: now,
    });
  });

  const stored = {
    organization_id: 'acme',
    id: 'mon-1',
    name: 'Support',
    scenario_id: 's1',
    number: '14155550100',
    persona_id: null,
    share: 0.1,
    required_pass_rate: 0.9,
    notify_contacts: true,
    enabled: true,
    unheard_calls: 2,
    state: 'failing',
    state_since: now,
    problem: '3 of the latest 5 calls passed',
    created_at: now,
    updated_at: later(1),
  } as unknown as MonitorRow;
  const usage = { tokens: 10, cost: null };

  it('shows its figures, with rates where there are calls', () => {
    const standing = standingOf(['PASSED', 'FAILED', 'PASSED', 'PASSED']);
    expect(monitorView(stored, standing, usage)).toEqual({
      id: 'mon-1',
      name: 'Support',
      scenario_id: 's1',
      number: '+14155550100',
      persona_id: null,
      share: 0.1,
      required_pass_rate: 0.9,
      notify_contacts: true,
      enabled: true,
      recent: { passed: 3, failed: 1, pass_rate: 0.75 },
      earlier: { passed: 0, failed: 0, pass_rate: null },
      drift: 'not_shown',
      unheard_calls: 2,
      usage_this_month: usage,
      state: 'failing',
      state_since: now.toISOString(),
      problem: '3 of the latest 5 calls passed',
      created_at: now.toISOString(),
      updated_at: later(1).toISOString(),
    });
  });

  it('of a persona has no number, and no state before its first call', () => {
    const fresh = {
      ...stored,
      number: null,
      persona_id: 'p1',
      state: null,
      state_since: null,
      problem: null,
    };
    expect(monitorView(fresh, standingOf([]), usage)).toMatchObject({
      number: null,
      persona_id: 'p1',
      state: null,
      state_since: null,
      problem: null,
      recent: { pass_rate: null },
    });
  });
});
