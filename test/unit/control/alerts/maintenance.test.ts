import { describe, expect, it } from 'vitest';
import {
  isCovered,
  occurrenceAt,
  type Schedule,
} from '../../../../src/control/alerts/maintenance/schedule.js';
import {
  coveringWindow,
  isFor,
  isOpen,
  type MaintenanceWindow,
} from '../../../../src/control/alerts/maintenance/windows.js';
import { isTimeZone } from '../../../../src/control/http/time-zone.js';

const weekly = (start_time: string, duration_minutes: number, ...weekdays: string[]): Schedule =>
  ({ type: 'weekly', weekdays, start_time, duration_minutes }) as Schedule;

describe('a window of one time', () => {
  const once: Schedule = { type: 'once', starts_at: '2026-11-22T02:00:00Z', ends_at: '2026-11-22T04:00:00Z' };

  it.each([
    ['2026-11-22T01:59:59.999Z', false],
    ['2026-11-22T02:00:00.000Z', true],
    ['2026-11-22T03:59:59.999Z', true],
    ['2026-11-22T04:00:00.000Z', false],
  ])('at %s is open: %s', (at, isOpen) => {
    expect(isCovered(once, 'Europe/Berlin', new Date(at))).toBe(isOpen);
  });

  it('has no occurrence after its end', () => {
    expect(occurrenceAt(once, 'UTC', new Date('2026-11-22T04:00:00Z'))).toBeUndefined();
  });
});

describe('a weekly window', () => {
  // Berlin is at UTC+1 in winter and at UTC+2 in summer; New York at UTC-5 and UTC-4.
  it.each([
    ['in winter', weekly('02:00', 120, 'sunday'), 'Europe/Berlin', '2026-11-22T01:00Z', '2026-11-22T03:00Z'],
    ['in summer', weekly('02:00', 120, 'sunday'), 'Europe/Berlin', '2026-07-05T00:00Z', '2026-07-05T02:00Z'],
    [
      'over midnight',
      weekly('23:00', 120, 'saturday'),
      'America/New_York',
      '2026-11-22T04:00Z',
      '2026-11-22T06:00Z',
    ],
    ['of a whole day', weekly('00:00', 1_440, 'monday'), 'UTC', '2026-11-23T00:00Z', '2026-11-24T00:00Z'],
    [
      'on a day ahead of UTC',
      weekly('01:00', 30, 'monday'),
      'Pacific/Auckland',
      '2026-11-22T12:00Z',
      '2026-11-22T12:30Z',
    ],
    // 02:30 does not exist on 29 March 2026: the window starts an hour later and is as long as ever.
    [
      'in the skipped hour',
      weekly('02:30', 60, 'sunday'),
      'Europe/Berlin',
      '2026-03-29T01:30Z',
      '2026-03-29T02:30Z',
    ],
    // 02:30 comes twice on 25 October 2026: from the first on, for the whole time.
    [
      'in the repeated hour',
      weekly('02:30', 60, 'sunday'),
      'Europe/Berlin',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
    ],
    [
      'across the skipped hour',
      weekly('01:00', 120, 'sunday'),
      'America/New_York',
      '2026-03-08T06:00Z',
      '2026-03-08T08:00Z',
    ],
    [
      'across the repeated hour',
      weekly('01:00', 120, 'sunday'),
      'America/New_York',
      '2026-11-01T05:00Z',
      '2026-11-01T07:00Z',
    ],
    // The clocks of Beirut and Santiago skip the hour after midnight.
    [
      'at a midnight that is skipped',
      weekly('00:00', 60, 'sunday'),
      'Asia/Beirut',
      '2026-03-28T22:00Z',
      '2026-03-28T23:00Z',
    ],
    [
      'with half an hour of summer time',
      weekly('02:00', 60, 'sunday'),
      'Australia/Lord_Howe',
      '2026-10-03T15:30Z',
      '2026-10-03T16:30Z',
    ],
  ] as [string, Schedule, string, string, string][])('%s', (_name, schedule, zone, from, to) => {
    const [start, end] = [Date.parse(from.replace('Z', ':00Z')), Date.parse(to.replace('Z', ':00Z'))];
    const at = (milliseconds: number): boolean => isCovered(schedule, zone, new Date(milliseconds));
    expect([at(start - 1), at(start), at(end - 1), at(end)]).toEqual([false, true, true, false]);
    expect(occurrenceAt(schedule, zone, new Date(start - 1))).toEqual({
      startsAt: new Date(start),
      endsAt: new Date(end),
    });
    expect(occurrenceAt(schedule, zone, new Date(end - 1))?.startsAt).toEqual(new Date(start));
  });

  it('comes again a week later, and on each of its days', () => {
    const schedule = weekly('04:00', 60, 'tuesday', 'friday');
    const next = (at: string) =>
      occurrenceAt(schedule, 'UTC', new Date(at))?.startsAt.toISOString().slice(0, 10);
    expect(next('2026-11-24T05:00:00Z')).toBe('2026-11-27');
    expect(next('2026-11-27T05:00:00Z')).toBe('2026-12-01');
  });

  it('is open exactly as long as it says in every week of a year', () => {
    const schedule = weekly('02:15', 45, 'sunday');
    const hour = 3_600_000;
    const hours = Array.from({ length: 366 * 24 }, (_, index) => Date.UTC(2026, 0, 1) + index * hour);
    // Each quarter of an hour from Saturday evening to Sunday noon, and one in eleven hours of the other days.
    const moments = hours.flatMap((at, index) => {
      const next = new Date(at + 6 * hour);
      const isNear = next.getUTCDay() === 0 && next.getUTCHours() < 18;
      if (isNear) return [0, 1, 2, 3].map((quarter) => at + (quarter * hour) / 4);
      return index % 11 === 0 ? [at] : [];
    });
    const open = moments.filter((at) => isCovered(schedule, 'Europe/Berlin', new Date(at)));
    expect(open.length).toBe(52 * 3);
  });
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
])('the time zone %s is known: %s', (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});

describe('what a maintenance window covers', () => {
  const window = (fields: Partial<MaintenanceWindow> = {}): MaintenanceWindow =>
    ({
      id: 'mwn_1',
      organization_id: 'acme',
      number: null,
      trunk_id: null,
      kinds: ['unreachable', 'failure_rate'],
      enabled: true,
      time_zone: 'UTC',
      schedule: { type: 'once', starts_at: '2026-11-27T10:00:00.000Z', ends_at: '2026-11-27T11:00:00.000Z' },
      ...fields,
    }) as MaintenanceWindow;
  const subject = { organizationId: 'acme', number: '14155550100', trunkId: 'trk_1' };

  it.each<[string, Partial<MaintenanceWindow>, Partial<typeof subject> | { trunkId: null }, boolean]>([
    ['all numbers of its organization', {}, {}, true],
    ['none of another', {}, { organizationId: 'initech' }, false],
    ['its number', { number: '14155550100' }, {}, true],
    ['no other number', { number: '14155550101' }, {}, false],
    ['the numbers of its trunk', { trunk_id: 'trk_1' }, {}, true],
    ['no number of another trunk', { trunk_id: 'trk_2' }, {}, false],
    ['no number without a trunk', { trunk_id: 'trk_1' }, { trunkId: null }, false],
  ])('is %s', (_, fields, of, covers) => {
    expect(isFor(window(fields), { ...subject, ...of })).toBe(covers);
  });

  it('is of its kinds, by the first window that has them', () => {
    const open = [
      window({ id: 'other', organization_id: 'initech' }),
      window({ id: 'first' }),
      window({ id: 'second', kinds: ['response_time', 'unreachable'] }),
    ];
    const idOf = (kind: 'unreachable' | 'failure_rate' | 'response_time') =>
      coveringWindow(open, { ...subject, kind })?.id;
    expect([idOf('unreachable'), idOf('failure_rate'), idOf('response_time')]).toEqual([
      'first',
      'first',
      'second',
    ]);
    expect(coveringWindow(open.slice(0, 2), { ...subject, kind: 'response_time' })).toBeUndefined();
  });

  it.each([
    ['2026-11-27T09:59:59.999Z', true, false],
    ['2026-11-27T10:00:00.000Z', true, true],
    ['2026-11-27T10:59:59.999Z', true, true],
    ['2026-11-27T11:00:00.000Z', true, false],
    ['2026-11-27T10:30:00.000Z', false, false],
  ])('at %s, enabled: %s, is open: %s', (moment, enabled, open) => {
    expect(isOpen(window({ enabled }), new Date(moment))).toBe(open);
  });
});
