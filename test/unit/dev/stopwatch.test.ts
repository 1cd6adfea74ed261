import { expect, it } from 'vitest';
import { Stopwatch } from '../../support/stopwatch.js';

it.each([
  ['is the given one on an idle machine', { used: 50, waited: 0 }, 100],
  ['is three times as long where every turn waited twice as long as it took', { used: 50, waited: 100 }, 300],
  ['is at most eight times as long', { used: 50, waited: 10_000 }, 800],
  ['is at most eight times as long for a process that hardly ran', { used: 0, waited: 90 }, 800],
])('a bound %s', (_title, { used, waited }, bound) => {
  const readings = [
    { used: 1_000, waited: 500 },
    { used: 1_000 + used, waited: 500 + waited },
  ];
  expect(Stopwatch.start(() => readings.shift()).bound(100)).toBe(bound);
});

it('a bound is the given one where the system has no statistics', () => {
  expect(Stopwatch.start(() => undefined).bound(100)).toBe(100);
});

it('a bound of this process is one to eight times the given one', () => {
  const watch = Stopwatch.start();
  const end = performance.now() + 50;
  while (performance.now() < end) Math.random();
  expect(watch.milliseconds).toBeGreaterThanOrEqual(49);
  expect(watch.bound(100)).toBeGreaterThanOrEqual(100);
  expect(watch.bound(100)).toBeLessThanOrEqual(800);
});
