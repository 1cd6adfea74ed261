import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchProcess } from '../../../src/base/process-watchdog.js';
import type { ProcessorTime } from '../../../src/base/processor-time.js';

const watched = 4_000_000;

let times: Map<number, { used: number; waited: number }>;
let failures: string[];
let lateness: boolean[];
let answers: boolean;

const timeOf = (pid: number): ProcessorTime | undefined => {
  const time = times.get(pid);
  return time === undefined ? undefined : { ...time };
};

function watch(): () => void {
  return watchProcess(
    watched,
    { isAlive: async () => answers, maximumUnanswered: 10 },
    { failed: (what) => failures.push(what), late: (isLate) => lateness.push(isLate) },
    timeOf,
  );
}

/** Seconds in which the watched process runs and waits for a processor for these shares of the time. */
async function pass(seconds: number, used: number, waited: number, pid = watched): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const time = times.get(pid);
    if (time !== undefined) {
      time.used += used * 1_000;
      time.waited += waited * 1_000;
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  times = new Map([
    [watched, { used: 0, waited: 0 }],
    [process.pid, { used: 0, waited: 0 }],
  ]);
  failures = [];
  lateness = [];
  answers = false;
});
afterEach(() => vi.useRealTimers());

describe('a process that leaves pings unanswered', () => {
  it('fails after the permitted number when it is stopped or waits for something', async () => {
    watch();
    await pass(9, 0, 0);
    expect(failures).toEqual([]);
    await pass(1, 0, 0);
    expect(failures).toEqual(['did not answer 10 pings in a row']);
  });

  it('fails after the permitted number when it computes without end', async () => {
    watch();
    await pass(10, 0.9, 0.1);
    expect(failures).toEqual(['did not answer 10 pings in a row']);
  });

  it('is not killed while it gets no processor', async () => {
    watch();
    await pass(120, 0.01, 0.99);
    expect(failures).toEqual([]);
  });

  it('fails once it has used as much of a busy CPU as an idle one gives within the permitted time', async () => {
    watch();
    await pass(99, 0.1, 0.9);
    expect(failures).toEqual([]);
    await pass(1, 0.1, 0.9);
    expect(failures).toEqual(['did not answer 100 pings in a row']);
  });

  it('is not killed while the watcher itself gets no processor to read the answers', async () => {
    watch();
    await pass(60, 0, 1, process.pid);
    expect(failures).toEqual([]);
  });

  it('fails after the permitted number where the system keeps no statistics', async () => {
    times.clear();
    watch();
    await pass(10, 0, 0);
    expect(failures).toHaveLength(1);
  });

  it('is late with the first of them, and in time again after ten answers in a row', async () => {
    watch();
    await pass(3, 0, 0);
    expect(lateness).toEqual([true]);
    answers = true;
    await pass(5, 0, 0);
    answers = false;
    await pass(1, 0, 0);
    answers = true;
    await pass(9, 0, 0);
    expect(lateness).toEqual([true]);
    await pass(1, 0, 0);
    expect(lateness).toEqual([true, false]);
    expect(failures).toEqual([]);
  });
});
