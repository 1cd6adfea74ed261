import { describe, expect, it } from 'vitest';
import { retryWait } from '../../../../src/control/porting/carrier-retry.js';

const wait = (failures: number, askedMilliseconds?: number): number =>
  retryWait({ failures, firstMilliseconds: 30_000, askedMilliseconds });

describe('the wait after a failure of the carrier', () => {
  it('doubles with each failure in a row, up to an hour', () => {
    expect([0, 1, 2, 3, 6].map((failures) => wait(failures))).toEqual([
      30_000, 60_000, 120_000, 240_000, 1_920_000,
    ]);
    expect([7, 8, 20, 21, 5_000].map((failures) => wait(failures))).toEqual(Array(5).fill(3_600_000));
  });

  it('stays finite and grows no more after twenty failures', () => {
    const tiny = (failures: number): number =>
      retryWait({ failures, firstMilliseconds: 0.001, askedMilliseconds: undefined });
    expect(tiny(20)).toBeCloseTo(1_048.576, 6);
    expect([tiny(21), tiny(2_000)]).toEqual([tiny(20), tiny(20)]);
    expect(tiny(19)).toBeLessThan(tiny(20));
  });

  it('is at least what the carrier asked for, and never more than an hour', () => {
    expect(wait(0, 45_000)).toBe(45_000);
    expect(wait(0, 10_000)).toBe(30_000);
    expect(wait(0, 0)).toBe(30_000);
    expect(wait(0, 3_600_001)).toBe(3_600_000);
    expect(wait(0, 86_400_000)).toBe(3_600_000);
  });
});
