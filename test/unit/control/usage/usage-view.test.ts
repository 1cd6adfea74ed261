import { describe, expect, it } from 'vitest';
import type { DaySum, GroupSum } from '../../../../src/control/calls/index.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { add, daysOf, dayViews, groupViews, limitViews } from '../../../../src/control/usage/usage-view.js';

const now = new Date('2026-11-27T23:59:59.999Z');

const refusal = (act: () => unknown): InvalidRequest['faults'][number] | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults[0];
    throw error;
  }
  return undefined;
};

describe('the days of usage', () => {
  it('are the last 30 in UTC by default', () => {
    const days = daysOf(undefined, undefined, now);
    expect(days).toHaveLength(30);
    expect([days[0], days[1], days.at(-1)]).toEqual(['2026-10-29', '2026-10-30', '2026-11-27']);
  });

  it('end with the named one, and begin 29 days earlier by default', () => {
    const days = daysOf(undefined, '2026-03-01', now);
    expect(days).toHaveLength(30);
    expect(days[0]).toBe('2026-01-31');
  });

  it.each<[string, string | undefined, string[]]>([
    ['2026-11-27', undefined, ['2026-11-27']],
    ['2026-11-26', undefined, ['2026-11-26', '2026-11-27']],
    ['2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
    ['2026-10-24', '2026-10-26', ['2026-10-24', '2026-10-25', '2026-10-26']],
  ])('from %s to %s are %j', (from, to, days) => {
    expect(daysOf(from, to, now)).toEqual(days);
  });

  it('are 92 at most', () => {
    expect(daysOf('2026-08-28', '2026-11-27', now)).toHaveLength(92);
    expect(refusal(() => daysOf('2026-08-27', '2026-11-27', now))).toEqual({
      error: 'VALIDATION_ERROR',
      message: 'from and to must span 92 days at most; these are 93.',
      path: 'from',
    });
  });

  it('do not end before they begin', () => {
    expect(refusal(() => daysOf('2026-11-28', undefined, now))).toEqual({
      error: 'VALIDATION_ERROR',
      message: 'from (2026-11-28) must not be after to (2026-11-27).',
      path: 'from',
    });
    expect(refusal(() => daysOf('2026-11-20', '2026-11-19', now))?.message).toBe(
      'from (2026-11-20) must not be after to (2026-11-19).',
    );
  });
});

const sum = (fields: Partial<DaySum>): DaySum => ({
  day: '2026-11-20',
  direction: 'inbound',
  calls: 0,
  answered: 0,
  answeredMilliseconds: 0,
  ...fields,
});

describe('what calls come to', () => {
  it('is nothing without calls', () => {
    expect(add([])).toEqual({ calls: 0, answered_calls: 0, minutes: 0 });
  });

  it.each([
    [59, 0.001],
    [29, 0],
    [30, 0.001],
    [60_000, 1],
    [90_000, 1.5],
    [61_234, 1.021],
    [3_600_000, 60],
  ])('has minutes with three decimals: %d ms are %d', (answeredMilliseconds, minutes) => {
    expect(add([sum({ answeredMilliseconds })]).minutes).toBe(minutes);
  });

  it('rounds the sum, not what is summed', () => {
    const parts = [sum({ answeredMilliseconds: 20 }), sum({ answeredMilliseconds: 20 })];
    expect(add(parts).minutes).toBe(0.001);
  });

  it('keeps answered calls apart from all', () => {
    expect(add([sum({ calls: 3, answered: 2 }), sum({ calls: 5, answered: 1 })])).toEqual({
      calls: 8,
      answered_calls: 3,
      minutes: 0,
    });
  });
});

const none = { calls: 0, answered_calls: 0, minutes: 0 };

describe('each day of usage', () => {
  it('has its calls by direction and its peak, also without calls', () => {
    const sums = [
      sum({ calls: 4, answered: 3, answeredMilliseconds: 120_000 }),
      sum({ direction: 'outbound', calls: 2, answered: 1, answeredMilliseconds: 30_000 }),
      sum({ day: '2026-11-22', direction: 'outbound', calls: 1 }),
    ];
    expect(dayViews(['2026-11-20', '2026-11-21', '2026-11-22'], sums, [7, null, 0])).toEqual([
      {
        date: '2026-11-20',
        calls: 6,
        answered_calls: 4,
        minutes: 2.5,
        inbound: { calls: 4, answered_calls: 3, minutes: 2 },
        outbound: { calls: 2, answered_calls: 1, minutes: 0.5 },
        peak_concurrent_calls: 7,
      },
      { date: '2026-11-21', ...none, inbound: none, outbound: none, peak_concurrent_calls: null },
      {
        date: '2026-11-22',
        ...none,
        calls: 1,
        inbound: none,
        outbound: { ...none, calls: 1 },
        peak_concurrent_calls: 0,
      },
    ]);
  });
});

describe('usage by number or agent', () => {
  const group = (name: string, fields: Partial<GroupSum> = {}): GroupSum => {
    const { day: _, ...rest } = sum(fields);
    return { ...rest, group: name };
  };

  it('names numbers in E.164, in the order of the sums, each once', () => {
    const sums = [
      group('14155550100', { calls: 2, answered: 2, answeredMilliseconds: 60_000 }),
      group('13125550161', { calls: 1 }),
      group('14155550100', { direction: 'outbound', calls: 3, answered: 1, answeredMilliseconds: 6_000 }),
    ];
    expect(groupViews('number', sums)).toEqual([
      {
        phone_number: '+14155550100',
        agent: null,
        calls: 5,
        answered_calls: 3,
        minutes: 1.1,
        inbound: { calls: 2, answered_calls: 2, minutes: 1 },
        outbound: { calls: 3, answered_calls: 1, minutes: 0.1 },
      },
      {
        phone_number: '+13125550161',
        agent: null,
        ...none,
        calls: 1,
        inbound: { ...none, calls: 1 },
        outbound: none,
      },
    ]);
  });

  it.each([
    ['agent', 'sip:bot@agents.example', { phone_number: null, agent: 'sip:bot@agents.example' }],
    ['agent', '', { phone_number: null, agent: null }],
    ['number', '', { phone_number: null, agent: null }],
  ] as const)('by %s, %j is named %j', (by, name, names) => {
    expect(groupViews(by, [group(name, { calls: 1 })])[0]).toMatchObject(names);
  });
});

describe('the limits of an organization', () => {
  const peak = { kind: 'concurrent_calls', period: '2026-11-27', measured: 40, limit: 50 } as const;
  const minutes = {
    kind: 'minutes_per_month',
    period: '2026-11',
    measured: 1_234.567,
    limit: 1_500,
  } as const;
  const firedAt = new Date('2026-11-27T10:00:00.000Z');

  it('have what is used with one decimal, and no notice', () => {
    expect(limitViews([peak, minutes], [])).toEqual([
      { ...peak, percent: 80, notified_at: null },
      { ...minutes, measured: 1_234.6, percent: 82, notified_at: null },
    ]);
  });

  it('have the peak of the notice when its calls have not ended yet', () => {
    const notice = { kind: peak.kind, period: peak.period, measured: 45, fired_at: firedAt };
    expect(limitViews([peak], [notice])).toEqual([
      { ...peak, measured: 45, percent: 90, notified_at: '2026-11-27T10:00:00.000Z' },
    ]);
    expect(limitViews([peak], [{ ...notice, measured: 39 }])[0]).toMatchObject({ measured: 40, percent: 80 });
  });

  it('have no notice of another period or kind', () => {
    const notices = [
      { kind: peak.kind, period: '2026-11-26', measured: 49, fired_at: firedAt },
      { kind: minutes.kind, period: peak.period, measured: 49, fired_at: firedAt },
    ];
    expect(limitViews([peak], notices)).toEqual([{ ...peak, percent: 80, notified_at: null }]);
  });
});
