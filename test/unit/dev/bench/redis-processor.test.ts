import { expect, it } from 'vitest';
import { aroundOf, described, type Reading } from '../../../../dev/bench/redis-processor.js';

/** A reading every 20 ms of a thread that has computed all the time until 100 ms, and then waits for a processor. */
const readings: Reading[] = Array.from({ length: 10 }, (_, index) => {
  const at = 20 * index;
  return { at, used: Math.min(at, 100), waited: Math.max(0, at - 100) };
});

it('tells of a slow command what its thread computed and what it waited for a processor', () => {
  const now = { at: 281, used: 105, waited: 176 };
  const around = aroundOf(readings, now, 101);
  // It began at 79 ms at the earliest: the log did not have it at 180 ms.
  expect(around).toEqual({ elapsed: 221, used: 45, waited: 176 });
  expect(described({ name: 'xadd demarc:calls', milliseconds: 101.26, around })).toBe(
    '101.3 ms (xadd demarc:calls; in the 221 ms around it computed 45 ms, waited 176 ms for a processor)',
  );
});

it('tells nothing of a command that was begun before the first reading', () => {
  expect(aroundOf(readings, { at: 200, used: 0, waited: 0 }, 181)).toBeUndefined();
  expect(aroundOf([], { at: 200, used: 0, waited: 0 }, 1)).toBeUndefined();
  expect(described({ name: 'exec', milliseconds: 2, around: undefined })).toBe('2.0 ms (exec)');
});
