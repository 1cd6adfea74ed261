import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atTick, nextTickAfter } from '../../../src/base/ticks.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  if (vi.isFakeTimers()) vi.runAllTimers();
  vi.useRealTimers();
});

it('work that was asked for at different times shares wake-ups', () => {
  let ran = 0;
  for (let millisecond = 0; millisecond < 100; millisecond++) {
    atTick(50, () => ran++);
    // Three ticks ahead, and the next turn of the event loop.
    expect(vi.getTimerCount()).toBeLessThanOrEqual(4);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(200);
  expect(ran).toBe(100);
});

it('lets calls be handled between two pieces of work of the same tick', async () => {
  vi.useRealTimers();
  // On a busy machine the wait would be over, which ends the turns.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const order: string[] = [];
  const done = new Promise<void>((resolve) => {
    for (const name of ['first', 'second', 'third']) {
      atTick(30, () => {
        order.push(name);
        // As a message of a call would be that came meanwhile.
        setImmediate(() => {
          order.push('call');
          if (name === 'third') resolve();
        });
      });
    }
  });
  await done;
  clock.mockRestore();
  expect(order).toEqual(['first', 'call', 'second', 'call', 'third', 'call']);
});

it('work is not left to a tick of a clock that a test has left behind', async () => {
  // A tick of the same number, by both clocks.
  const at = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const ran: string[] = [];
  atTick(50, () => ran.push('never'));
  at.mockRestore();
  vi.useRealTimers();
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  try {
    await new Promise<void>((resolve) => atTick(50, resolve));
  } finally {
    vi.restoreAllMocks();
  }
  expect(ran).toEqual([]);
});

it('a wait is not shorter than asked for, and at most a tick longer', async () => {
  const began = performance.now();
  for (let millisecond = 0; millisecond < 30; millisecond++) {
    const asked = performance.now();
    void nextTickAfter(60).then(() => {
      const waited = performance.now() - asked;
      expect(waited).toBeGreaterThanOrEqual(60);
      expect(waited).toBeLessThanOrEqual(86);
    });
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(performance.now() - began).toBeGreaterThan(100);
});

it('a wait shorter than a tick is not prolonged', async () => {
  let isOver = false;
  void nextTickAfter(5).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(5);
  expect(isOver).toBe(true);
});

it('work that throws stops no other work of its tick, and is an uncaught exception', async () => {
  const caught: unknown[] = [];
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', (error) => caught.push(error));
  const fault = new Error('the disk is full');
  const ran: string[] = [];
  try {
    atTick(50, () => ran.push('before'));
    atTick(50, () => {
      throw fault;
    });
    atTick(50, () => ran.push('after'));
    await vi.advanceTimersByTimeAsync(100);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
  expect(ran).toEqual(['before', 'after']);
  expect(caught).toEqual([fault]);
});
