import { afterEach, describe, expect, it, vi } from 'vitest';
import { millisecondsSince, momentNow } from '../../../src/base/elapsed-time.js';

afterEach(() => vi.useRealTimers());

describe('the time since a moment of another process', () => {
  it.each([5, -5])('does not notice that the wall clock is set by %i hours', (hours) => {
    const moment = momentNow();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    expect(millisecondsSince(moment)).toBeLessThan(60_000);
  });

  it('is measured by the wall clocks between machines, and is never negative', () => {
    const moment = { ...momentNow(), boot: 'another' };
    vi.useFakeTimers({ toFake: ['Date'], now: moment.wall + 90_000 });
    expect(millisecondsSince(moment)).toBe(90_000);
    expect(millisecondsSince({ ...moment, boot: '' })).toBe(90_000);
    vi.setSystemTime(moment.wall - 90_000);
    expect(millisecondsSince(moment)).toBe(0);
  });
});
