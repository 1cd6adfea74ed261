import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '../../../../../src/dashboard/api/maintenance.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { WindowForm } from '../../../../../src/dashboard/pages/alerts/window-form.js';
import {
  clockOf,
  localTimeIn,
  minutesBetween,
} from '../../../../../src/dashboard/pages/alerts/window-times.js';
import { zoneNames } from '../../../../../src/dashboard/parts/time-zones.js';
import { rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

describe('the times of a maintenance window', () => {
  it.each([
    ['UTC', '2026-11-22T02:00:00Z', '2026-11-22T02:00'],
    ['Europe/Berlin', '2026-11-22T23:30:00Z', '2026-11-23T00:30'],
    ['Europe/Berlin', '2026-07-22T02:00:00Z', '2026-07-22T04:00'],
    ['America/New_York', '2026-01-01T04:59:00Z', '2025-12-31T23:59'],
    ['Asia/Kolkata', '2026-11-22T18:30:00Z', '2026-11-23T00:00'],
  ])('on the clocks of %s are for %s: %s', (zone, moment, local) =>
    expect(localTimeIn(zone, moment)).toBe(local),
  );

  it.each([
    ['02:00', '04:00', 120],
    ['02:00', '02:01', 1],
    ['23:00', '01:30', 150],
    ['00:00', '23:59', 1_439],
    ['00:00', '00:00', 1_440],
    ['02:00', '02:00', 1_440],
    ['02:01', '02:00', 1_439],
  ])('from %s until %s last %d minutes, and end there again', (start, end, minutes) => {
    expect(minutesBetween(start, end)).toBe(minutes);
    expect(clockOf(start, minutes)).toBe(end);
  });

  it('can be in UTC, which browsers do not list', () => {
    expect(zoneNames()).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin']));
  });
});

describe('the form of a maintenance window', () => {
  const fields = (window?: object): Record<string, unknown> => {
    const { elements } = rendered(
      <WindowForm window={window as MaintenanceWindow | undefined} onSaved={() => undefined} />,
    );
    const ticked = (name: string): unknown[] =>
      elements('input')
        .filter((input) => input.name === name && input.defaultChecked === true)
        .map(({ value }) => value);
    const texts = elements('input').filter(({ type }) => type !== 'checkbox' && type !== 'radio');
    return {
      ...Object.fromEntries(texts.map(({ name, defaultValue }) => [name, defaultValue])),
      weekdays: ticked('weekdays'),
      kinds: ticked('kinds'),
    };
  };
  const window = {
    window_id: 'w1',
    name: 'PBX upgrade',
    phone_number: '+14155550100',
    trunk_id: null,
    kinds: ['unreachable'],
    time_zone: 'Europe/Berlin',
    enabled: true,
  };

  it('has the times of a window of one time, on the clocks of its zone', () => {
    const schedule = { type: 'once', starts_at: '2026-11-22T01:00:00Z', ends_at: '2026-11-22T03:00:00Z' };
    expect(fields({ ...window, schedule })).toMatchObject({
      name: 'PBX upgrade',
      phone_number: '+14155550100',
      time_zone: 'Europe/Berlin',
      starts_at: '2026-11-22T02:00',
      ends_at: '2026-11-22T04:00',
    });
  });

  it('has the days of a weekly window, and its end by the clock', () => {
    const schedule = { type: 'weekly', weekdays: ['monday'], start_time: '23:00', duration_minutes: 150 };
    expect(fields({ ...window, schedule })).toMatchObject({
      weekdays: ['monday'],
      start_time: '23:00',
      end_time: '01:30',
    });
  });

  it('withholds every kind of alert for a new window, and those of a stored one', () => {
    expect((fields().kinds as unknown[]).length).toBeGreaterThan(1);
    const schedule = { type: 'weekly', weekdays: ['monday'], start_time: '23:00', duration_minutes: 150 };
    const [first] = fields().kinds as string[];
    expect(fields({ ...window, kinds: [first], schedule }).kinds).toEqual([first]);
  });
});
