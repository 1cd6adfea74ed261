import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecurringTask } from '../../../src/base/recurring-task.js';

/** A task whose runs the test ends. */
function held() {
  const ends: ((error?: Error) => void)[] = [];
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error))));
  const task = new RecurringTask(run);
  return { task, ends };
}

describe('a recurring task that is asked', () => {
  it('runs once at a time; requests during a run make for one more, also after a failure', async () => {
    const { task, ends } = held();
    const first = task.next();
    void task.next();
    void task.next();
    expect(ends).toHaveLength(1);
    ends[0]!(new Error('down'));
    await first;
    expect(ends).toHaveLength(2);
    const second = task.next();
    ends[1]!();
    await second;
    expect(ends).toHaveLength(3);
  });

  it('ends with the current run, and begins none after that', async () => {
    const { task, ends } = held();
    void task.next();
    void task.next();
    let isOver = false;
    const stopped = task.stop().then(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect(isOver).toBe(false);
    ends[0]!();
    await stopped;
    await task.next();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(1);
  });
});

describe('a recurring task with an interval', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs again its interval after the end of a run, or after what the run says', async () => {
    const pauses = [undefined, 5, undefined];
    const at: number[] = [];
    const begin = Date.now();
    const task = new RecurringTask(
      async () => {
        at.push(Date.now() - begin);
        return pauses.shift();
      },
      { everyMilliseconds: 100 },
    );
    task.start(10);
    await vi.advanceTimersByTimeAsync(250);
    expect(at).toEqual([10, 110, 115, 215]);
    await task.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(at).toHaveLength(4);
  });

  it('reports a failure once for as long as its message stays, and retries after its own pause', async () => {
    const outcomes = ['down', 'down', 'refused', undefined, 'down'];
    const failures: string[] = [];
    const task = new RecurringTask(
      async () => {
        const outcome = outcomes.shift();
        if (outcome !== undefined) throw new Error(outcome);
      },
      { everyMilliseconds: 100, retryMilliseconds: 10, failed: ({ message }) => failures.push(message) },
    );
    task.start(0);
    await vi.advanceTimersByTimeAsync(15);
    expect(task.problem).toBe('down');
    await vi.advanceTimersByTimeAsync(20);
    expect(task.problem).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(failures).toEqual(['down', 'refused', 'down']);
    await task.stop();
  });
});
