import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zone } from '../../../../src/dashboard/parts/format.js';
import {
  linesBetween,
  momentText,
  type Series,
  spanName,
  stacked,
} from '../../../../src/dashboard/parts/plot-scale.js';

beforeEach(() => {
  zone.value = 'utc';
});
afterEach(() => {
  zone.value = 'local';
});

describe('stacked bars', () => {
  const series = (name: string, ...values: (number | null)[]): Series => ({
    name,
    values,
    colour: 'good',
    kind: 'bars',
  });

  it('stand on all series before them, and the highest is drawn first', () => {
    const drawn = stacked([series('answered', 4, 0), series('refused', 1, 2), series('failed', 2, 3)]);
    expect(drawn.map(({ name, values }) => [name, ...values])).toEqual([
      ['failed', 7, 5],
      ['refused', 5, 2],
      ['answered', 4, 0],
    ]);
  });

  it('count an unknown value as nothing', () => {
    expect(stacked([series('a', null, 1), series('b', 2)]).map(({ values }) => values)).toEqual([
      [2],
      [0, 1],
    ]);
  });

  it('leave the given series as they are', () => {
    const given = [series('a', 1), series('b', 2)];
    stacked(given);
    expect(given.map(({ name, values }) => [name, ...values])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

describe('the lines of the upright axis', () => {
  it.each([
    [1, [0, 0.5, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4]],
    [10, [0, 5, 10]],
    [11, [0, 5, 10]],
    [100, [0, 50, 100]],
    [900, [0, 500]],
    [4_400, [0, 2_000, 4_000]],
  ])('to %d are %j', (high, lines) => expect(linesBetween(0, high)).toEqual(lines));

  it('are at most five, from zero, evenly spaced by 1, 2 or 5 of a power of ten', () => {
    for (let high = 1; high < 100_000; high = high * 1.37 + 0.1) {
      const lines = linesBetween(0, high);
      expect(lines[0]).toBe(0);
      expect(lines.length, String(high)).toBeGreaterThanOrEqual(2);
      expect(lines.length, String(high)).toBeLessThanOrEqual(5);
      expect(lines.at(-1)!).toBeLessThanOrEqual(high);
      expect(Number(lines[1]!.toExponential().split('e')[0])).toBeOneOf([1, 2, 5]);
    }
  });
});

describe('the times of a plot', () => {
  const at = (text: string): number => Date.parse(text);
  const day = 86_400;

  it('are those of day up to two days, and dates beyond and at midnight', () => {
    expect(momentText(at('2026-11-20T14:05:00Z'), { min: 0, max: 2 * day })).toBe('14:05');
    expect(momentText(at('2026-11-20T14:05:00Z'), { min: 0, max: 2 * day + 1 })).toBe('20 Nov');
    expect(momentText(at('2026-11-20T00:00:00Z'), { min: 0, max: day })).toBe('20 Nov');
  });

  it('are those of day before the plot has a range', () => {
    expect(momentText(at('2026-11-20T14:05:00Z'))).toBe('14:05');
    expect(momentText(at('2026-11-20T14:05:00Z'), { min: null, max: null })).toBe('14:05');
  });

  it.each([
    [60, '1 minute'],
    [900, '15 minutes'],
    [3_600, '1 hour'],
    [21_600, '6 hours'],
    [86_400, '1 day'],
    [604_800, '7 days'],
  ])('of %d s are %s apart', (seconds, name) => expect(spanName(seconds)).toBe(name));
});
