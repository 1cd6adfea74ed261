import { describe, expect, it, vi } from 'vitest';
import {
  findInPeriods,
  type Period,
  periodsBehind,
  periodsOf,
  readPeriods,
} from '../../../../src/control/calls/history/call-periods.js';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 27);
const daysAgo = (days: number) => new Date(now - days * day);

/** Days before now of each bound; null: none. */
const spans = (periods: readonly Period[]) =>
  periods.map(({ startedAfter, startedBefore }) =>
    [startedAfter, startedBefore].map((bound) =>
      bound === undefined ? null : (now - bound.getTime()) / day,
    ),
  );

describe('the periods of a query', () => {
  it('are longer the older they are, and the last one has no beginning', () => {
    expect(spans(periodsOf({}, now))).toEqual([
      [2, null],
      [8, 2],
      [32, 8],
      [null, 32],
    ]);
  });

  it('begin at the newest call that may be read', () => {
    expect(spans(periodsOf({ startedBefore: daysAgo(10) }, now))).toEqual([
      [12, 10],
      [18, 12],
      [42, 18],
      [null, 42],
    ]);
    expect(spans(periodsOf({ startedBefore: daysAgo(-5) }, now))[0]).toEqual([2, -5]);
  });

  it('end with the oldest one, in one period where that is near', () => {
    expect(spans(periodsOf({ startedAfter: daysAgo(5) }, now))).toEqual([
      [2, null],
      [5, 2],
    ]);
    expect(spans(periodsOf({ startedAfter: daysAgo(2) }, now))).toEqual([[2, null]]);
    expect(spans(periodsOf({ startedAfter: daysAgo(1) }, now))).toEqual([[1, null]]);
  });
});

describe('the periods of a further page', () => {
  it('begin with the millisecond of the last call before it', () => {
    const startedAt = daysAgo(3);
    const [first] = periodsBehind({}, { startedAt });
    expect(first!.startedBefore!.getTime()).toBe(startedAt.getTime() + 1);
    const bounded = periodsBehind({ startedBefore: daysAgo(4) }, { startedAt });
    expect(bounded[0]!.startedBefore).toEqual(daysAgo(4));
    expect(periodsBehind({ startedAfter: daysAgo(5) }, { startedAt }).at(-1)!.startedAfter).toEqual(
      daysAgo(5),
    );
  });

  it('are all of them without a page before', () => {
    expect(periodsBehind({}, undefined)).toHaveLength(4);
  });
});

describe('a read by periods', () => {
  const periods = periodsOf({}, now);

  it('ends with as many rows as wanted, and asks each period for the rest', async () => {
    const read = vi.fn(async (_period: Period, limit: number) => (limit > 2 ? [1, 2] : [3]));
    expect(await readPeriods(periods, 3, read)).toEqual([1, 2, 3]);
    expect(read.mock.calls).toEqual([
      [periods[0], 3],
      [periods[1], 1],
    ]);
  });

  it('reads all periods for fewer rows', async () => {
    const read = vi.fn(async () => []);
    expect(await readPeriods(periods, 3, read)).toEqual([]);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('finds the first, in the newest period that has one', async () => {
    const find = vi.fn(async ({ startedBefore }: Period) =>
      startedBefore === undefined ? undefined : 'row',
    );
    expect(await findInPeriods(find, { now })).toBe('row');
    expect(find).toHaveBeenCalledTimes(2);
    expect(await findInPeriods(async () => undefined, { now })).toBeUndefined();
  });

  it('reads only the days since the time that is given', async () => {
    const find = vi.fn(async () => undefined);
    const startedAfter = daysAgo(1);
    expect(await findInPeriods(find, { startedAfter, now })).toBeUndefined();
    expect(find.mock.calls).toEqual([[{ startedAfter, startedBefore: undefined }]]);
  });
});
