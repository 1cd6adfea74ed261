import { expect, it } from 'vitest';
import { Stopwatch } from '../../support/stopwatch.js';

it.each([
  ['is the given one on an idle machine', { used: 50, waited: 0 }, 0.5, 100],
  [
    'is eight times as long where every turn waited seven times as long as it took, and a stall',
    { used: 50, waited: 350 },
    0.5,
    2_800,
  ],
  ['is at most that', { used: 50, waited: 10_000 }, 20, 2_800],
  ['is at most that for a process that hardly ran', { used: 0, waited: 90 }, 0.5, 2_800],
  ['follows the load average where this process had luck', { used: 50, waited: 0 }, 8, 2_800],
])('a bound %s', (_title, { used, waited }, load, bound) => {
  const readings = [
    { used: 1_000, waited: 500 },
    { used: 1_000 + used, waited: 500 + waited },
  ];
  const watch = Stopwatch.start(
    () => readings.shift(),
    () => load,
  );
  expect(watch.bound(100)).toBe(bound);
});

it('a bound is the given one where the system has no statistics', () => {
  const watch = Stopwatch.start(
    () => undefined,
    () => 0,
  );
  expect(watch.bound(100)).toBe(100);
});

it('a bound of this process is one to eight times the given one, and a stall', () => {
  const watch = Stopwatch.start();
  const end = performance.now() + 50;
  while (performance.now() < end) Math.random();
  expect(watch.milliseconds).toBeGreaterThanOrEqual(49);
  expect(watch.bound(100)).toBeGreaterThanOrEqual(100);
  expect(watch.bound(100)).toBeLessThanOrEqual(2_800);
});
