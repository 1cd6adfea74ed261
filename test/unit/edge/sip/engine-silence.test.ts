import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EngineSilence } from '../../../../src/edge/sip/engine-silence.js';

let replies: (() => void)[];
let failures: ((error: Error) => void)[];
let silence: EngineSilence;
beforeEach(() => {
  vi.useFakeTimers();
  replies = [];
  failures = [];
  silence = new EngineSilence(
    () =>
      new Promise<void>((resolve, reject) => {
        replies.push(resolve);
        failures.push(reject);
      }),
    pino({ level: 'silent' }),
  );
});
afterEach(() => {
  silence.end();
  vi.useRealTimers();
});

/** The engine answers the question of that number, from 0. */
async function reply(question: number): Promise<void> {
  replies[question]!();
  await vi.advanceTimersByTimeAsync(0);
}

it('asks half a second after each reply', async () => {
  silence.begin();
  expect(replies).toHaveLength(1);
  await reply(0);
  await vi.advanceTimersByTimeAsync(499);
  expect(replies).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(replies).toHaveLength(2);
  expect(silence.isSilent).toBe(false);
});

it('calls the engine silent 2 s after a question without reply, until that reply comes', async () => {
  silence.begin();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(silence.isSilent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(silence.isSilent).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(replies).toHaveLength(1);
  await reply(0);
  expect(silence.isSilent).toBe(false);
  expect(replies).toHaveLength(2);
});

it('is not silent when a reply came in time', async () => {
  silence.begin();
  await vi.advanceTimersByTimeAsync(1_900);
  await reply(0);
  await vi.advanceTimersByTimeAsync(400);
  expect(silence.isSilent).toBe(false);
});

it('ignores the reply of an earlier connection', async () => {
  silence.begin();
  silence.begin();
  expect(replies).toHaveLength(2);
  await reply(0);
  await vi.advanceTimersByTimeAsync(600);
  expect(replies).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_400);
  expect(silence.isSilent).toBe(true);
});

it('is not silent, and asks no more, without a connection', async () => {
  silence.begin();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(silence.isSilent).toBe(true);
  silence.end();
  expect(silence.isSilent).toBe(false);
  await reply(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(replies).toHaveLength(1);
  expect(silence.isSilent).toBe(false);
});

it('waits for the end of a connection over which it could not ask', async () => {
  silence.begin();
  failures[0]!(new Error('not connected'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(replies).toHaveLength(1);
  silence.end();
  expect(vi.getTimerCount()).toBe(0);
});
