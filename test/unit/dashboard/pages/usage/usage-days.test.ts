import { describe, expect, it } from 'vitest';
import { firstDayOf, minutesText, toneOf } from '../../../../../src/dashboard/pages/usage/usage-days.js';

describe('minutes as text', () => {
  it.each([
    [0, '0'],
    [0.04, '0.0'],
    [9.94, '9.9'],
    [10, '10'],
    [10.4, '10'],
    [1234.5, '1,235'],
  ])('are tenths below ten, else whole: %d', (minutes, text) => {
    expect(minutesText(minutes)).toBe(text);
  });
});

it('begins a span so that today is its last day', () => {
  const now = Date.parse('2026-11-27T23:30:00Z');
  expect(firstDayOf('7', now)).toBe('2026-11-21');
  expect(firstDayOf('30', now)).toBe('2026-10-29');
});

it('judges a share of a limit by 80 and 100 %', () => {
  expect([79.9, 80, 99.9, 100].map(toneOf)).toEqual(['good', 'warn', 'warn', 'bad']);
});
