import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Known, LastKnown } from '../../../src/control/noc/last-known.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const read = (at: number, value = `of ${at}`): Promise<Known<string>> => Promise.resolve({ at, value });
const never = new Promise<Known<string>>(() => {});

/** What there is once the patience with a reading has ended. */
async function takenAfterWaiting<Value>(taking: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(2_500);
  return taking;
}

it('returns what is read in time, and the last value when a reading is late or fails', async () => {
  const known = new LastKnown<string>();
  expect(await takenAfterWaiting(known.take('a', never))).toBeUndefined();
  expect(await known.take('a', read(1))).toEqual({ at: 1, value: 'of 1' });
  expect(await takenAfterWaiting(known.take('a', never))).toEqual({ at: 1, value: 'of 1' });
  expect(await known.take('a', Promise.reject(new Error('down')))).toEqual({ at: 1, value: 'of 1' });
  expect(await takenAfterWaiting(known.take('b', never))).toBeUndefined();
});

it('keeps a value that arrives late, but no older one than it has', async () => {
  const known = new LastKnown<string>();
  let arrive = (_: Known<string>): void => undefined;
  const late = new Promise<Known<string>>((resolve) => {
    arrive = resolve;
  });
  expect(await takenAfterWaiting(known.take('a', late))).toBeUndefined();
  arrive({ at: 5, value: 'late' });
  expect(await takenAfterWaiting(known.take('a', never))).toEqual({ at: 5, value: 'late' });
  await known.take('a', read(4));
  expect(await takenAfterWaiting(known.take('a', never))).toEqual({ at: 5, value: 'late' });
  await known.take('a', read(5, 'read again'));
  expect(await takenAfterWaiting(known.take('a', never))).toEqual({ at: 5, value: 'read again' });
});

it('keeps the 500 values that were read last', async () => {
  const known = new LastKnown<string>();
  for (let at = 0; at < 500; at++) await known.take(`k${at}`, read(at));
  await known.take('k0', read(1_000));
  await known.take('one more', read(1_001));
  expect(await takenAfterWaiting(known.take('k1', never))).toBeUndefined();
  for (const key of ['k0', 'k2', 'k499', 'one more'])
    expect(await takenAfterWaiting(known.take(key, never))).toBeDefined();
});
