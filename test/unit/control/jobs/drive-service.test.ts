import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriveService, LeaseLost } from '../../../../src/control/jobs/drive-service.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Row {
  readonly id: string;
}

/** Drives rows until `end` is called for them. */
class Drives extends DriveService<Row> {
  readonly limits: number[] = [];
  readonly driven: (readonly string[])[] = [];
  readonly signals = new Map<string, AbortSignal>();
  readonly ends = new Map<string, () => void>();
  isHeld = true;

  constructor(readonly waiting: Row[]) {
    super('drives', 'drives rows', {
      recurrence: { everyMilliseconds: 1_000_000 },
      atOnce: 2,
      leaseMilliseconds: 10_000,
    });
  }

  protected async claim(limit: number, driven: readonly string[]): Promise<readonly Row[]> {
    this.limits.push(limit);
    this.driven.push(driven);
    return this.waiting.splice(0, limit);
  }

  protected async renew(): Promise<boolean> {
    return this.isHeld;
  }

  protected drive(row: Row, signal: AbortSignal): Promise<void> {
    this.signals.set(row.id, signal);
    return new Promise((resolve) => {
      this.ends.set(row.id, resolve);
      signal.addEventListener('abort', () => resolve());
    });
  }
}

describe('a service that drives rows', () => {
  it('drives as many as it may, and takes the next one when one has ended', async () => {
    const drives = new Drives([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    await drives.sweep();
    await drives.sweep();
    expect([drives.limits, [...drives.signals.keys()]]).toEqual([[2], ['a', 'b']]);
    drives.ends.get('a')!();
    await vi.advanceTimersByTimeAsync(0);
    await drives.sweep();
    expect(drives.limits).toEqual([2, 1]);
    expect(drives.driven[1]).toEqual(['b']);
    expect([...drives.signals.keys()]).toEqual(['a', 'b', 'c']);
    await drives.stop();
  });

  it('renews its lease, and aborts a row that another process has', async () => {
    const drives = new Drives([{ id: 'a' }]);
    await drives.sweep();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(drives.signals.get('a')!.aborted).toBe(false);
    drives.isHeld = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(drives.signals.get('a')!.reason).toBeInstanceOf(LeaseLost);
    await drives.stop();
  });

  it('aborts all rows when it stops, and waits for them', async () => {
    const drives = new Drives([{ id: 'a' }, { id: 'b' }]);
    await drives.sweep();
    await drives.stop();
    expect([...drives.signals.values()].map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(drives.state()).toEqual({ ready: true, detail: 'drives rows' });
  });
});
