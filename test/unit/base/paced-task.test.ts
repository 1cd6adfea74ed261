import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedTask } from '../../../src/base/paced-task.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('paced work', () => {
  it('runs at once after a quiet time, and once for all requests of a busy one', () => {
    let runs = 0;
    const task = new PacedTask(() => void runs++, 200);
    task.request();
    task.request();
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
    for (let milliseconds = 0; milliseconds < 1_000; milliseconds += 10) {
      task.request();
      vi.advanceTimersByTime(10);
    }
    expect(runs).toBe(6);
    vi.advanceTimersByTime(400);
    expect(runs).toBe(6);
    task.request();
    vi.advanceTimersByTime(1);
    expect(runs).toBe(7);
  });

  it('does not run after its stop', () => {
    let runs = 0;
    const task = new PacedTask(() => void runs++, 200);
    task.request();
    task.stop();
    vi.advanceTimersByTime(1_000);
    expect(runs).toBe(0);
  });
});
