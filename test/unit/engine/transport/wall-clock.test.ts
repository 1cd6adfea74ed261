import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WallClock } from '../../../../src/engine/transport/wall-clock.js';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

it('continues from the wall clock by the monotonic one', () => {
  const clock = new WallClock();
  vi.advanceTimersByTime(250);
  expect(clock.now()).toBeCloseTo(1_000_250, 3);
});

it.each([
  [5_000, 1_005_000],
  [-5_000, 995_000],
  [21, 1_000_021],
  [20, 1_000_000],
  [-20, 1_000_000],
])('follows a wall clock that was set by %d ms only beyond its jitter', (difference, expected) => {
  const clock = new WallClock();
  vi.setSystemTime(1_000_000 + difference);
  expect(clock.now()).toBeCloseTo(1_000_000, 3);
  clock.adjust();
  expect(clock.now()).toBeCloseTo(expected, 3);
});
