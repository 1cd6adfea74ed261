import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RecordedCalls } from '../../../../src/edge/record/recorded-calls.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('knows the calls of the last half minute, each for its organization', () => {
  const calls = new RecordedCalls();
  calls.note('one', 'acme');
  calls.note('of nobody', null);
  expect(calls.has('one', 'acme')).toBe(true);
  expect(calls.has('one', 'other')).toBe(false);
  expect(calls.has('of nobody', 'acme')).toBe(false);
  expect(calls.has('two', 'acme')).toBe(false);
  expect([calls.has('one'), calls.has('of nobody'), calls.has('two')]).toEqual([true, true, false]);
  vi.advanceTimersByTime(29_000);
  calls.note('two', 'acme');
  expect(calls.has('one', 'acme')).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect([calls.has('one', 'acme'), calls.has('one')]).toEqual([false, false]);
  expect(calls.has('two', 'acme')).toBe(true);
});

it('drops the oldest of too many', () => {
  const calls = new RecordedCalls();
  for (let at = 0; at <= 10_000; at++) calls.note(`call-${at}`, 'acme');
  expect(calls.has('call-0', 'acme')).toBe(false);
  expect(calls.has('call-1', 'acme')).toBe(true);
  expect(calls.has('call-10000', 'acme')).toBe(true);
});
