import { describe, expect, it } from 'vitest';
import {
  changeSchema,
  creationSchema,
  storedSchedule,
} from '../../../../src/control/alerts/maintenance/window-input.js';

const once = (starts_at: string, ends_at: string) => ({ type: 'once', starts_at, ends_at }) as const;
const weekly = { type: 'weekly', weekdays: ['sunday'], start_time: '02:00', duration_minutes: 120 };
const body = (fields: object = {}) => ({
  name: 'Upgrade',
  time_zone: 'Europe/Berlin',
  schedule: weekly,
  ...fields,
});

/** Paths of what is refused. */
const faults = (fields: object): string[] | undefined =>
  creationSchema.safeParse(body(fields)).error?.issues.map(({ path }) => path.join('.'));

describe('the body of a maintenance window', () => {
  it('needs name, zone and schedule; all kinds and numbers are covered by default', () => {
    expect(creationSchema.parse(body())).toMatchObject({ phone_number: null, trunk_id: null, enabled: true });
    expect(creationSchema.parse(body()).kinds.length).toBeGreaterThan(1);
    expect(creationSchema.safeParse({}).error?.issues.map(({ path }) => path[0])).toEqual([
      'name',
      'time_zone',
      'schedule',
    ]);
  });

  it.each<[string, object, string]>([
    ['a name of spaces', { name: '   ' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['an unknown zone', { time_zone: 'Europe/Atlantis' }, 'time_zone'],
    ['an offset as zone', { time_zone: '+02:00' }, 'time_zone'],
    ['no kind', { kinds: [] }, 'kinds'],
    ['an unknown field', { until: 1 }, ''],
    ['no weekday', { schedule: { ...weekly, weekdays: [] } }, 'schedule.weekdays'],
    ['24:00', { schedule: { ...weekly, start_time: '24:00' } }, 'schedule.start_time'],
    ['2:00', { schedule: { ...weekly, start_time: '2:00' } }, 'schedule.start_time'],
    ['zero minutes', { schedule: { ...weekly, duration_minutes: 0 } }, 'schedule.duration_minutes'],
    ['more than a day', { schedule: { ...weekly, duration_minutes: 1_441 } }, 'schedule.duration_minutes'],
    ['half a minute', { schedule: { ...weekly, duration_minutes: 1.5 } }, 'schedule.duration_minutes'],
    [
      'the 30th of February',
      { schedule: once('2026-02-30T00:00', '2026-03-01T00:00') },
      'schedule.starts_at',
    ],
    ['a date alone', { schedule: once('2026-02-03', '2026-03-01T00:00') }, 'schedule.starts_at'],
    ['another type', { schedule: { type: 'daily' } }, 'schedule.type'],
  ])('is refused with %s', (_, fields, path) => expect(faults(fields)).toEqual([path]));

  it.each<object>([
    { schedule: { ...weekly, start_time: '00:00', duration_minutes: 1 } },
    { schedule: { ...weekly, start_time: '23:59', duration_minutes: 1_440 } },
    { schedule: once('2028-02-29T00:00', '2028-02-29T00:01:30') },
    { name: 'x'.repeat(100), enabled: false },
  ])('takes %j', (fields) => expect(faults(fields)).toBeUndefined());

  it('names days and kinds once, in their usual order', () => {
    const days = ['sunday', 'monday', 'sunday'];
    const { schedule } = creationSchema.parse(body({ schedule: { ...weekly, weekdays: days } }));
    expect(schedule).toMatchObject({ weekdays: ['monday', 'sunday'] });
  });

  it('of a change leaves everything out that stays', () => {
    expect(changeSchema.parse({})).toEqual({});
    expect(changeSchema.parse({ phone_number: null })).toEqual({ phone_number: null });
  });
});

describe('a window of one time', () => {
  const stored = (starts_at: string, ends_at: string, zone = 'Europe/Berlin') => {
    const schedule = storedSchedule(once(starts_at, ends_at), zone);
    return schedule.type === 'once' ? [schedule.starts_at, schedule.ends_at] : [];
  };

  it.each([
    ['in winter', '2026-11-22T02:00', '2026-11-22T04:00', '2026-11-22T01:00', '2026-11-22T03:00'],
    ['in summer', '2026-07-22T02:00', '2026-07-22T04:00', '2026-07-22T00:00', '2026-07-22T02:00'],
    // 02:30 does not exist on that day: an hour later.
    [
      'that summer time skips',
      '2026-03-29T02:30',
      '2026-03-29T05:00',
      '2026-03-29T01:30',
      '2026-03-29T03:00',
    ],
    // 02:30 comes twice: the first counts.
    ['that comes twice', '2026-10-25T02:30', '2026-10-25T05:00', '2026-10-25T00:30', '2026-10-25T04:00'],
    [
      'with an offset',
      '2026-11-22T02:00:00+05:30',
      '2026-11-22T04:00:00Z',
      '2026-11-21T20:30',
      '2026-11-22T04:00',
    ],
  ])('%s is stored in UTC', (_, from, to, start, end) => {
    expect(stored(from, to)).toEqual([`${start}:00.000Z`, `${end}:00.000Z`]);
  });

  it.each([
    ['ends when it begins', '2026-11-22T02:00', '2026-11-22T02:00', 'schedule.ends_at'],
    ['ends before', '2026-11-22T02:00', '2026-11-22T01:59', 'schedule.ends_at'],
    [
      'ends before, in other offsets',
      '2026-11-22T02:00:00Z',
      '2026-11-22T03:00:00+02:00',
      'schedule.ends_at',
    ],
    ['lasts longer than 30 days', '2026-11-01T00:00', '2026-12-01T00:01', 'schedule.ends_at'],
    ['begins before 1970', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', 'schedule.starts_at'],
    ['begins in the year 0', '0000-01-01T00:00:00Z', '0000-01-02T00:00:00Z', 'schedule.starts_at'],
    ['ends in the year 10000', '2999-12-31T00:00:00Z', '9999-12-31T23:59:59-23:59', 'schedule.ends_at'],
  ])('is refused when it %s', (_, from, to, path) => {
    expect(() => stored(from, to)).toThrow(path);
  });

  it('lasts 30 days at most', () => {
    expect(stored('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')).toHaveLength(2);
  });
});
