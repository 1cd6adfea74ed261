import { describe, expect, it } from 'vitest';
import { refreshDelay, retryDelay } from '../../../../src/edge/registration/retry-delay.js';

describe('the delay before the next registration attempt', () => {
  it('is five seconds at most without answer, and a minute after an hour of that', () => {
    const longest = [1, 2, 3, 800, 801, 5_000].map((failures) =>
      retryDelay('unreachable', failures, undefined, 1),
    );
    expect(longest).toEqual([2_000, 4_000, 5_000, 5_000, 60_000, 60_000]);
    expect(retryDelay('unreachable', 1, undefined, 0)).toBe(1_000);
  });

  it('doubles up to five minutes while it answers that it cannot', () => {
    const longest = [1, 2, 3, 7, 8, 20, 5_000].map((failures) =>
      retryDelay('unavailable', failures, undefined, 1),
    );
    expect(longest).toEqual([3_000, 6_000, 12_000, 192_000, 300_000, 300_000, 300_000]);
    expect(retryDelay('unavailable', 1, undefined, 0)).toBe(1_500);
  });

  it('stays below five refusals in ten minutes, after which PBXs ban', () => {
    let at = 0;
    let attempts = 1;
    for (let failures = 1; ; failures++) {
      at += retryDelay('refused', failures, undefined, 0);
      if (at > 600_000) break;
      attempts++;
    }
    expect(attempts).toBeLessThan(5);
    expect(retryDelay('refused', 100, undefined, 1)).toBe(1_800_000);
  });

  it('is at least Retry-After, up to an hour', () => {
    expect(retryDelay('unavailable', 1, 120, 0)).toBe(120_000);
    expect(retryDelay('unavailable', 1, 1, 1)).toBe(3_000);
    expect(retryDelay('unavailable', 1, 10_000_000, 0)).toBe(3_600_000);
  });
});

describe('the time until a refresh', () => {
  it.each([
    [3, 2_250, 2_550],
    [60, 45_000, 51_000],
    [300, 225_000, 255_000],
    [3_600, 3_180_000, 3_540_000],
  ])('of a binding of %i s leaves room for another try', (seconds, earliest, latest) => {
    expect(refreshDelay(seconds, 1)).toBeCloseTo(earliest);
    expect(refreshDelay(seconds, 0)).toBeCloseTo(latest);
  });
});
