import { beforeEach, describe, expect, test } from 'vitest';
import { foreignLoad } from '../../../../src/edge/admission/foreign-load.js';

describe('how much longer setups may take because of other programs', () => {
  let now: number;
  let time: { used: number; waited: number } | undefined;
  let stretch: () => number;
  beforeEach(() => {
    now = 0;
    time = { used: 0, waited: 0 };
    stretch = foreignLoad(
      () => now,
      () => (time === undefined ? undefined : { ...time }) as never,
    );
  });
  /** So many milliseconds later the event loop has run and waited for so long. */
  const later = (milliseconds: number, used: number, waited: number): number => {
    now += milliseconds;
    if (time !== undefined) time = { used: time.used + used, waited: time.waited + waited };
    return stretch();
  };

  test('is nothing while it waits up to three times as long as it runs: the cause may be Demarc itself', () => {
    expect(later(1_000, 200, 0)).toBe(1);
    for (let count = 0; count < 20; count++) expect(later(1_000, 200, 600)).toBe(1);
  });

  test('grows with the wait beyond that, up to ten times', () => {
    for (let count = 0; count < 20; count++) later(1_000, 100, 500);
    expect(stretch()).toBeCloseTo(4, 5);
    for (let count = 0; count < 20; count++) later(1_000, 10, 900);
    expect(stretch()).toBe(10);
    for (let count = 0; count < 20; count++) later(1_000, 500, 0);
    expect(stretch()).toBe(1);
  });

  test('is not concluded from less than 5 ms of work, nor read more often than every 200 ms', () => {
    expect(later(1_000, 4.9, 500)).toBe(1);
    expect(later(199, 100, 5_000)).toBe(1);
    expect(later(1, 0, 0)).toBe(10);
  });

  test('stays as it was while the system says nothing, and begins again when it does', () => {
    for (let count = 0; count < 20; count++) later(1_000, 100, 500);
    time = undefined;
    expect(later(1_000, 0, 0)).toBeCloseTo(4, 5);
    time = { used: 1_000_000, waited: 0 };
    expect(stretch()).toBeCloseTo(4, 5);
    now += 1_000;
    expect(stretch()).toBeCloseTo(4, 5);
  });
});
