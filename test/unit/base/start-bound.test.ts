import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processorTime } from '../../../src/base/processor-time.js';
import { boundStart } from '../../../src/base/start-bound.js';
import { stays } from '../../support/stays.js';

describe('the time of a start', () => {
  let expiredAt: number | undefined;
  let begun: number;
  const expired = (): void => {
    expiredAt = performance.now() - begun;
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expiredAt = undefined;
    begun = performance.now();
  });
  afterEach(() => vi.useRealTimers());

  it('ends at its bound for a process that did not wait for a processor', () => {
    boundStart(1, 10_000, expired, () => ({ used: 9_000, waited: 0 }));
    vi.advanceTimersByTime(60_000);
    expect(expiredAt).toBe(10_000);
  });

  it('ends later by what the process waited for a processor', () => {
    const share = 0.5;
    const read = () => ({ used: 0, waited: share * (performance.now() - begun) });
    boundStart(1, 10_000, expired, read);
    vi.advanceTimersByTime(60_000);
    expect(expiredAt).toBeGreaterThan(19_000);
    expect(expiredAt).toBeLessThanOrEqual(20_000);
  });

  it('ends after five times its bound, however busy the machine is', () => {
    boundStart(1, 10_000, expired, () => ({ used: 0, waited: 1e9 }));
    vi.advanceTimersByTime(100_000);
    expect(expiredAt).toBe(50_000);
  });

  it('does not end once the process is ready', () => {
    boundStart(1, 10_000, expired)();
    vi.advanceTimersByTime(60_000);
    expect(expiredAt).toBeUndefined();
  });
});

describe.skipIf(process.platform !== 'linux')('the scheduler’s statistics', () => {
  it('tell a process that computes from one that is stopped', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("x"); for (;;);'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      const pid = child.pid!;
      const spent = (): number => {
        const time = processorTime(pid, 'main')!;
        return time.used + time.waited;
      };
      const before = spent();
      await vi.waitFor(() => expect(spent() - before).toBeGreaterThan(100), 10_000);
      child.kill('SIGSTOP');
      // The signal takes effect when the process is scheduled next.
      await vi.waitFor(async () => {
        const stopped = spent();
        await stays(() => expect(spent() - stopped).toBe(0), 200);
      }, 10_000);
      expect(processorTime(pid, 'all')!.used).toBeGreaterThanOrEqual(processorTime(pid, 'main')!.used);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(processorTime(child.pid!, 'main')).toBeUndefined();
  });
});
