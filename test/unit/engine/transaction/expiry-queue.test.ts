import { expect, it } from 'vitest';
import { ExpiryQueue, Lingering } from '../../../../src/engine/transaction/expiry-queue.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';

it('expires in order, never early, at most a batch late, with one timer', async () => {
  const clock = new ManualClock();
  const queue = new ExpiryQueue(clock, 1_000);
  const gone: [number, number][] = [];
  for (let i = 0; i < 3_000; i++) {
    const due = clock.now() + 1_000;
    queue.add({ expire: () => gone.push([i, clock.now() - due]) });
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
  }
  await clock.advance(2_000);
  expect(gone.map(([index]) => index)).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
  expect(Math.min(...gone.map(([, late]) => late))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...gone.map(([, late]) => late))).toBeLessThanOrEqual(50);
  expect([queue.size, clock.pendingTimers]).toEqual([0, 0]);
});

it('continues when an expiry adds an entry', async () => {
  const clock = new ManualClock();
  const queue = new ExpiryQueue(clock, 100);
  let rounds = 0;
  const again = {
    expire: () => {
      if (++rounds < 3) queue.add(again);
    },
  };
  queue.add(again);
  await clock.advance(1_000);
  expect([rounds, queue.size, clock.pendingTimers]).toEqual([3, 0, 0]);
});

it('bounds all lifetimes together', () => {
  const lingering = new Lingering(new ManualClock(), 2);
  const entry = { expire: () => {} };
  expect([lingering.add(5_000, entry), lingering.add(32_000, entry), lingering.add(5_000, entry)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(lingering.add(0, entry)).toBe(false);
  expect(lingering.size).toBe(2);
});
