import { describe, expect, it } from 'vitest';
import {
  allOrganizations,
  type CountedCall,
  isTestAlone,
  minuteRows,
} from '../../../../src/control/calls/history/call-minutes.js';
import { dayOf, daySums, numberSums } from '../../../../src/control/calls/history/call-sums.js';
import {
  attachTable,
  createTable,
  dayMilliseconds,
  dayOfTable,
  dayOf as dayStart,
  daysToAdd,
  isOver,
  tableOfDay,
} from '../../../../src/control/calls/partitions/day-tables.js';

const at = (time: string) => new Date(`2026-11-${time}Z`);

const call = (fields: Partial<CountedCall> = {}): CountedCall => ({
  organization_id: 'acme',
  number: '14155550100',
  agent: 'sip:bot.example',
  direction: 'inbound',
  outcome: 'completed',
  end_reason: 'caller_hung_up',
  sip_status: 200,
  started_at: at('26T10:00:00'),
  ringing_at: at('26T10:00:01'),
  answered_at: at('26T10:00:03'),
  ended_at: at('26T10:01:03'),
  ...fields,
});
const unanswered = (fields: Partial<CountedCall> = {}) =>
  call({ answered_at: null, ringing_at: null, ...fields });

describe('the sums of a day', () => {
  const rowsOf = (calls: CountedCall[], sign: 1 | -1 = 1, today = '2026-11-27') =>
    daySums(calls, sign, today).rows;

  it('are by organization, day of the start and direction', () => {
    const calls = [
      call(),
      call(),
      unanswered(),
      call({ direction: 'outbound' }),
      call({ started_at: at('25T23:59:59.999'), answered_at: null }),
      call({ organization_id: 'initech', ended_at: at('26T10:00:13') }),
    ];
    const days = { calls: 1, answered: 0, answered_milliseconds: 0 };
    expect(rowsOf(calls)).toEqual([
      { organization_id: 'acme', day: '2026-11-25', direction: 'inbound', ...days },
      {
        organization_id: 'acme',
        day: '2026-11-26',
        direction: 'inbound',
        calls: 3,
        answered: 2,
        answered_milliseconds: 120_000,
      },
      {
        organization_id: 'acme',
        day: '2026-11-26',
        direction: 'outbound',
        calls: 1,
        answered: 1,
        answered_milliseconds: 60_000,
      },
      {
        organization_id: 'initech',
        day: '2026-11-26',
        direction: 'inbound',
        calls: 1,
        answered: 1,
        answered_milliseconds: 10_000,
      },
    ]);
    expect(rowsOf(calls.toReversed())).toEqual(rowsOf(calls));
  });

  it('leave out calls of no organization', () => {
    expect(daySums([call({ organization_id: null })], 1, '2026-11-27')).toEqual({ rows: [], past: [] });
    expect(numberSums([call({ organization_id: null })], 1)).toEqual([]);
  });

  it('are subtracted as they were added', () => {
    expect(rowsOf([call(), unanswered()], -1)).toEqual([
      {
        organization_id: 'acme',
        day: '2026-11-26',
        direction: 'inbound',
        calls: -2,
        answered: -1,
        answered_milliseconds: -60_000,
      },
    ]);
  });

  it('count no time of a call that ended before its answer, by clocks that differ', () => {
    expect(rowsOf([call({ ended_at: at('26T10:00:02') })])[0]).toMatchObject({
      answered: 1,
      answered_milliseconds: 0,
    });
  });

  const pastOf = (calls: CountedCall[], today: string) =>
    daySums(calls, 1, today).past.map(({ organization, day }) => `${organization} ${day}`);

  it('change the peaks of past days alone, each once', () => {
    expect(pastOf([call(), call()], '2026-11-26')).toEqual([]);
    expect(pastOf([call(), call()], '2026-11-27')).toEqual(['acme 2026-11-26']);
    const overnight = call({ started_at: at('25T23:59:00') });
    expect(pastOf([overnight], '2026-11-26')).toEqual(['acme 2026-11-25']);
    expect(pastOf([overnight, call({ organization_id: 'initech' })], '2026-11-27')).toEqual([
      'acme 2026-11-25',
      'acme 2026-11-26',
      'initech 2026-11-26',
    ]);
  });
});

describe('the sums of a number', () => {
  it('are by number and agent too, empty where there is none', () => {
    const calls = [
      call(),
      call({ agent: 'sip:other.example' }),
      call({ agent: undefined, number: null }),
      unanswered(),
      call({ direction: 'outbound' }),
    ];
    const sums = { calls: 1, answered: 1, answered_milliseconds: 60_000 };
    const day = { organization_id: 'acme', day: '2026-11-26', direction: 'inbound' };
    expect(numberSums(calls, 1)).toEqual([
      { ...day, ...sums, number: '', agent: '' },
      { ...day, ...sums, number: '14155550100', agent: 'sip:bot.example', calls: 2 },
      { ...day, ...sums, number: '14155550100', agent: 'sip:bot.example', direction: 'outbound' },
      { ...day, ...sums, number: '14155550100', agent: 'sip:other.example' },
    ]);
    expect(numberSums([call()], -1)[0]).toMatchObject({
      calls: -1,
      answered: -1,
      answered_milliseconds: -60_000,
    });
  });

  it('have an address that PostgreSQL can store', () => {
    expect(numberSums([call({ agent: 'sip:a\0b' })], 1)[0]!.agent).not.toContain('\0');
  });
});

describe('the calls of a minute', () => {
  it('are counted for their organization and for all, in the minute of their end', () => {
    const row = {
      minute: at('26T10:01:00'),
      direction: 'inbound',
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      sip_status: 200,
      calls: 1,
      answered: 1,
      setup_milliseconds: 3_000,
      rung: 1,
      ringing_milliseconds: 1_000,
    };
    expect(minuteRows([call()], 1)).toEqual([
      { organization_id: allOrganizations, ...row },
      { organization_id: 'acme', ...row },
    ]);
    expect(minuteRows([call()], -1)[1]).toMatchObject({
      calls: -1,
      answered: -1,
      setup_milliseconds: -3_000,
      rung: -1,
      ringing_milliseconds: -1_000,
    });
  });

  it('of no organization are counted for all alone', () => {
    const rows = minuteRows([call({ organization_id: null }), call({ organization_id: 'initech' })], 1);
    expect(rows.map(({ organization_id, calls }) => [organization_id, calls])).toEqual([
      [allOrganizations, 2],
      ['initech', 1],
    ]);
  });

  it.each<[string, Partial<CountedCall>]>([
    ['minute', { ended_at: at('26T10:02:00') }],
    ['direction', { direction: 'outbound' }],
    ['outcome', { outcome: 'failed' }],
    ['reason', { end_reason: 'agent_hung_up' }],
    ['status', { sip_status: 486 }],
  ])('are apart by %s', (_, fields) => {
    expect(minuteRows([call(), call(fields)], 1)).toHaveLength(4);
    expect(minuteRows([call(), call()], 1)).toHaveLength(2);
  });

  it('have no times when they were neither answered nor rang', () => {
    expect(minuteRows([unanswered({ sip_status: null })], 1)[0]).toMatchObject({
      sip_status: 0,
      calls: 1,
      answered: 0,
      setup_milliseconds: 0,
      rung: 0,
      ringing_milliseconds: 0,
    });
  });

  it('end in the minute that their last millisecond is in', () => {
    const minuteOf = (time: string) => minuteRows([call({ ended_at: at(time) })], 1)[0]!.minute;
    expect(minuteOf('26T10:01:59.999')).toEqual(at('26T10:01:00'));
    expect(minuteOf('26T10:02:00.000')).toEqual(at('26T10:02:00'));
  });

  it.each([
    [undefined, undefined, false],
    ['run', undefined, true],
    ['run', [], true],
    ['run', ['failed'], true],
    ['run', ['failed', 'completed'], false],
    [undefined, ['failed'], false],
  ])('of the test run %s with transfers %j is of the test alone: %s', (run, statuses, isAlone) => {
    const transfers = statuses?.map((status) => ({ status }));
    expect(isTestAlone({ test_run_id: run, transfers } as Parameters<typeof isTestAlone>[0])).toBe(isAlone);
  });
});

describe('the tables of days', () => {
  const day = Date.UTC(2026, 10, 26);
  const days = (count: number) => count * dayMilliseconds;

  it('are named by their day', () => {
    expect(dayOf(new Date(day))).toBe('2026-11-26');
    expect(tableOfDay(day)).toBe('calls_20261126');
    expect(dayOfTable('calls_20261126')).toBe(day);
    expect(dayStart(day + 1)).toBe(day);
    expect(dayStart(day + days(1) - 1)).toBe(day);
  });

  it.each(['calls', 'calls_ahead', 'calls_before', 'calls_2026112', 'calls_20261126x', 'xcalls_20261126'])(
    '%s is not one of them',
    (table) => {
      expect(dayOfTable(table)).toBeUndefined();
    },
  );

  const until = (end: number | undefined, table = 'calls_20261126') => ({ table, end });

  it('are made for today and seven days, when half of that is left', () => {
    const now = day + 5 * 3_600_000;
    const added = daysToAdd([until(day), until(undefined, 'calls_ahead')], now);
    expect(added.map(tableOfDay)).toEqual([
      'calls_20261126',
      'calls_20261127',
      'calls_20261128',
      'calls_20261129',
      'calls_20261130',
      'calls_20261201',
      'calls_20261202',
      'calls_20261203',
    ]);
    expect(daysToAdd([until(day + days(3))], now)).toHaveLength(5);
    expect(daysToAdd([until(day + days(4))], now)).toEqual([]);
    expect(daysToAdd([until(day + days(8))], now)).toEqual([]);
  });

  it('are dropped when all of their calls are too old', () => {
    expect(isOver(until(day), day)).toBe(true);
    expect(isOver(until(day + 1), day)).toBe(false);
    expect(isOver(until(day - 1, 'calls_before'), day)).toBe(true);
    expect(isOver(until(undefined, 'calls_ahead'), day)).toBe(false);
    expect(isOver(until(day - 1, 'calls_ahead'), day)).toBe(false);
  });

  it('are attached between their bounds', () => {
    const statement = (from?: number, to?: number) =>
      attachTable('calls_x', from, to).replaceAll(/\s+/g, ' ');
    expect(statement(day, day + days(1))).toBe(
      "alter table calls attach partition calls_x for values from ('2026-11-26T00:00:00.000Z') to ('2026-11-27T00:00:00.000Z')",
    );
    expect(statement(undefined, day)).toContain("from (minvalue) to ('2026-11-26T00:00:00.000Z')");
    expect(statement(day, undefined)).toContain("from ('2026-11-26T00:00:00.000Z') to (maxvalue)");
  });

  it('have indexes with names that no other day has', () => {
    const statements = createTable('calls_20261126');
    const names = statements.flatMap((text) => /index if not exists (\w+)/.exec(text)?.[1] ?? []);
    expect(new Set(names).size).toBe(statements.length - 1);
    expect(names.every((name) => name.endsWith('_20261126'))).toBe(true);
    expect(statements.every((text) => text.includes('if not exists'))).toBe(true);
  });
});
