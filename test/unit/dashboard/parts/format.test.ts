import { afterEach, describe, expect, it } from 'vitest';
import {
  ago,
  bucketTime,
  capitalized,
  count,
  dateTime,
  due,
  duration,
  milliseconds,
  money,
  octets,
  percent,
  preciseTime,
  rate,
  spoken,
  whole,
  zone,
  zoneName,
} from '../../../../src/dashboard/parts/format.js';

/** With plain spaces: figures and their units are joined by no-break spaces. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

afterEach(() => {
  zone.value = 'local';
});

describe('a share', () => {
  it.each<[number | null | undefined, number | undefined, string]>([
    [100, undefined, '100 %'],
    [0, undefined, '0 %'],
    [50, undefined, '50 %'],
    [12.34, undefined, '12.3 %'],
    [12.3, 2, '12.30 %'],
    [99.94, undefined, '99.9 %'],
    [99.5, 0, '99.50 %'],
    [99.4, 0, '99 %'],
    [null, undefined, '–'],
    [undefined, 0, '–'],
  ])('of %s with %s decimals is shown as %s', (value, decimals, text) => {
    expect(plain(percent(value, decimals))).toBe(text);
  });

  it.each([0, 1, 2])('below 100 is never shown as 100, with %d decimals', (decimals) => {
    for (const value of [99.96, 99.99, 99.995, 99.998, 99.999_999])
      expect(plain(percent(value, decimals)), String(value)).toMatch(/^99\.9\d %$/);
  });
});

describe('a figure', () => {
  it.each<[number | null | undefined, string]>([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
    [null, '–'],
    [undefined, '–'],
  ])('of %s is shown as %s', (value, text) => expect(whole(value)).toBe(text));

  it.each<[number | null | undefined, string]>([
    [0, '0'],
    [0.04, '0.0'],
    [3.25, '3.3'],
    [9.9, '9.9'],
    [10, '10'],
    [123.4, '123'],
    [null, '–'],
  ])('of %s per second is shown as %s', (value, text) => expect(rate(value)).toBe(text));

  it.each<[number | null | undefined, string]>([
    [0, '0 ms'],
    [0.42, '0.4 ms'],
    [9.9, '9.9 ms'],
    [10, '10 ms'],
    [999, '999 ms'],
    [1_000, '1.00 s'],
    [9_990, '9.99 s'],
    [10_000, '10 s'],
    [undefined, '–'],
  ])('of %s milliseconds is shown as %s', (value, text) => expect(plain(milliseconds(value))).toBe(text));

  it.each([
    [0, '0.0 s'],
    [9.4, '9.4 s'],
    [10, '10 s'],
    [59.9, '59 s'],
    [60, '1:00'],
    [185, '3:05'],
    [3_599.9, '59:59'],
    [3_600, '1:00:00'],
    [3_729, '1:02:09'],
    [360_000, '100:00:00'],
  ])('of %d seconds is shown as %s', (value, text) => expect(plain(duration(value))).toBe(text));

  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1 KB'],
    [1_048_576, '1.0 MB'],
    [1_572_864, '1.5 MB'],
    [104_857_600, '100 MB'],
  ])('of %d octets is shown as %s', (value, text) => expect(plain(octets(value))).toBe(text));

  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [2, '2 calls'],
    [1_000, '1,000 calls'],
  ])('of %d calls is shown as %s', (value, text) => expect(count(value, 'call')).toBe(text));

  it('takes an irregular plural', () => {
    expect([count(1, 'query', 'queries'), count(2, 'query', 'queries')]).toEqual(['1 query', '2 queries']);
  });
});

describe('a moment', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z');
  const earlier = (seconds: number): number => now - seconds * 1_000;

  it.each([
    [-30, 'just now'],
    [0, 'just now'],
    [4.9, 'just now'],
    [5, '5 s ago'],
    [59, '59 s ago'],
    [60, '1 min ago'],
    [3_599, '59 min ago'],
    [3_600, '1 h ago'],
    [86_399, '23 h ago'],
    [86_400, '1 d ago'],
    [8_640_000, '100 d ago'],
  ])('%d s before now is shown as %s', (seconds, text) => expect(ago(earlier(seconds), now)).toBe(text));

  it.each([
    [5, 'now'],
    [-0.9, 'now'],
    [-1, 'in 1 s'],
    [-60, 'in 1 min'],
    [-7_200, 'in 2 h'],
    [-172_800, 'in 2 d'],
  ])('%d s before now is due as %s', (seconds, text) => expect(due(earlier(seconds), now)).toBe(text));

  it('has the milliseconds of a trace, in UTC where that is chosen', () => {
    zone.value = 'utc';
    expect(preciseTime('2026-11-20T14:03:07.123Z')).toBe('14:03:07.123');
    expect(zoneName(now)).toBe('UTC');
  });

  it('has the day unless it is of today, and the year unless it is of this year', () => {
    zone.value = 'utc';
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:01Z`;
    expect(dateTime(today)).toBe('00:00:01');
    expect(dateTime('2019-11-19T14:03:07Z')).toBe('19 Nov 2019 14:03:07');
  });

  it.each([
    [86_400, '19 Nov'],
    [3_600, '19 Nov 14:00'],
    [60, '19 Nov 14:00'],
  ])('is named, as the beginning of %d s, %s', (seconds, text) => {
    zone.value = 'utc';
    expect(bucketTime('2019-11-19T14:00:00Z', seconds)).toBe(text);
  });

  it('of today has no day where its interval is short', () => {
    zone.value = 'utc';
    const moment = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
    expect(bucketTime(moment, 900)).toBe('00:00');
    expect(bucketTime(moment, 3_600)).toMatch(/^\d+ \w{3,4} 00:00$/);
  });
});

it('codes become words', () => {
  expect(spoken('caller_hung_up')).toBe('caller hung up');
  expect(capitalized('caller hung up')).toBe('Caller hung up');
  expect(capitalized('')).toBe('');
});

it.each([
  [null, '–'],
  [{ amount: 0, currency: 'USD' }, '$0.00'],
  [{ amount: 1_234.567, currency: 'EUR' }, '€1,234.57'],
  [{ amount: 0.01234, currency: 'USD' }, '$0.0123'],
  [{ amount: 0.0000012, currency: 'EUR' }, '€0.0000012'],
])('money %j is shown as %s', (amount, text) => {
  expect(money(amount)).toBe(text);
});
