import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChallengedCalls } from '../../../../src/edge/record/challenged-calls.js';

let calls: ChallengedCalls;
beforeEach(() => {
  vi.useFakeTimers();
  calls = new ChallengedCalls();
});
afterEach(() => vi.useRealTimers());

it('a call that is retried is distinguished from one that is not', async () => {
  const [again, gone] = [calls.cameBack('again'), calls.cameBack('gone')];
  calls.invited('again');
  calls.invited('never challenged');
  expect(await again).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(await gone).toBe(false);
  expect(calls.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('a second challenge of the same call settles the first', async () => {
  const first = calls.cameBack('call');
  const second = calls.cameBack('call');
  expect(await first).toBe(false);
  calls.invited('call');
  expect(await second).toBe(true);
  expect(calls.size).toBe(0);
});

it('waits for no call at the end', async () => {
  const waiting = calls.cameBack('call');
  calls.giveUp();
  expect(await waiting).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('is bounded', async () => {
  for (let i = 0; i < 10_000; i++) void calls.cameBack(`call ${i}`);
  expect(await calls.cameBack('one more')).toBe(false);
  calls.giveUp();
});
