import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedRead } from '../../../src/base/shared-read.js';
import { TimedCache } from '../../../src/base/timed-cache.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a shared read', () => {
  it('serves all who asked before it began, and begins no sooner than its pause after the one before', async () => {
    const at: number[] = [];
    const begin = performance.now();
    const shared = new SharedRead(100, async () => at.push(performance.now() - begin));
    const first = [shared.get(), shared.get()];
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(first)).toEqual([1, 1]);
    const second = [shared.get(), shared.get()];
    await vi.advanceTimersByTimeAsync(98);
    expect(at).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5);
    expect(await Promise.all(second)).toEqual([2, 2]);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(100);
  });
});

describe('a timed cache', () => {
  it('reads a key once within its time, and again after it', async () => {
    const cache = new TimedCache<number>(100);
    let reads = 0;
    const read = async (): Promise<number> => ++reads;
    expect(await Promise.all([cache.get('a', read), cache.get('a', read), cache.get('b', read)])).toEqual([
      1, 1, 2,
    ]);
    await vi.advanceTimersByTimeAsync(101);
    expect(await cache.get('a', read)).toBe(3);
  });

  it('keeps no failure', async () => {
    const cache = new TimedCache<number>(100);
    await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('a', async () => 1)).toBe(1);
  });
});
