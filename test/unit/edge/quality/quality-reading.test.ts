import { describe, expect, it } from 'vitest';
import {
  isBad,
  type QualityReading,
  qualityBetween,
  rowOf,
} from '../../../../src/edge/quality/quality-reading.js';

type Direction = QualityReading['sides']['trunk'];

const silent: Direction = {
  packets: 0,
  lost: undefined,
  jitter: undefined,
  roundTrip: undefined,
  reportedAt: undefined,
  reports: [],
  roundTripAt: undefined,
  missed: undefined,
};
const codecs = { trunk: 'PCMU', agent: 'PCMU' } as never;
const converting = { trunk: 'PCMU', agent: 'opus' } as never;

const reading = (at: number, trunk: Partial<Direction>, session = 'call-1'): QualityReading => ({
  session,
  at,
  sides: { trunk: { ...silent, ...trunk }, agent: silent },
});

/** Of the trunk's direction, between two readings 5 s apart. */
const between = (before: Partial<Direction>, now: Partial<Direction>, of = codecs) =>
  qualityBetween(reading(1_000, before), reading(6_000, now), of)!.trunk;

describe('two readings', () => {
  it('say nothing of each other in different sessions, or within half a second', () => {
    expect(qualityBetween(reading(0, {}), reading(5_000, {}, 'call-2'), codecs)).toBeUndefined();
    expect(qualityBetween(reading(0, {}), reading(499, {}), codecs)).toBeUndefined();
    expect(qualityBetween(reading(0, {}), reading(500, {}), codecs)).toBeDefined();
  });

  it('give the packets a second, none after a restart of the count', () => {
    expect(between({ packets: 100 }, { packets: 350 }).packetsPerSecond).toBe(50);
    expect(between({ packets: 350 }, { packets: 100 }).packetsPerSecond).toBe(0);
  });

  it('give no loss, jitter or MOS without a report', () => {
    expect(between({ packets: 1 }, { packets: 251, lost: 0, jitter: 3 })).toMatchObject({
      lossPercent: undefined,
      jitter: undefined,
      source: undefined,
      mos: undefined,
    });
  });

  it('take loss and jitter from a new report alone', () => {
    const report = { lost: 10, jitter: 12, reportedAt: 100 };
    const first = between({}, { packets: 190, ...report });
    expect(first).toMatchObject({ lossPercent: 5, jitter: 12, source: 'rtcp' });
    expect(first.mos).toBeGreaterThan(1);
    expect(between({ packets: 190, ...report }, { packets: 400, ...report })).toMatchObject({
      lossPercent: undefined,
      jitter: undefined,
      source: undefined,
    });
  });

  it('count what was lost since the report before', () => {
    const before = { packets: 190, lost: 10, reportedAt: 100 };
    const now = { packets: 280, lost: 20, reportedAt: 105 };
    expect(between(before, now).lossPercent).toBe(10);
    expect(between(before, { ...now, lost: 5 }).lossPercent).toBe(0);
    expect(between(before, { ...before, reportedAt: 105 }).lossPercent).toBeUndefined();
  });

  it('keep the loss within the percent that the reports say', () => {
    const before = { packets: 190, lost: 10, reportedAt: 100 };
    const now = { packets: 280, lost: 20, reportedAt: 105 };
    const reports = (...percents: number[]) =>
      percents.map((lossPercent, index) => ({ at: 101 + index, lossPercent }));
    expect(between(before, { ...now, reports: reports(12) }).lossPercent).toBe(12);
    expect(between(before, { ...now, reports: reports(6, 8) }).lossPercent).toBe(8);
    expect(between(before, { ...now, reports: reports(10) }).lossPercent).toBe(10);
    const earlier = [{ at: 100, lossPercent: 90 }];
    expect(between(before, { ...now, reports: earlier }).lossPercent).toBe(10);
  });

  it('give a round trip that is new', () => {
    expect(between({}, { roundTrip: 40, roundTripAt: 100 }).roundTrip).toBe(40);
    expect(between({ roundTripAt: 100 }, { roundTrip: 40, roundTripAt: 100 }).roundTrip).toBeUndefined();
  });

  it('lower the MOS by the way of both sides', () => {
    const report = { packets: 200, lost: 2, jitter: 0, reportedAt: 100 };
    const near = between({}, { ...report, roundTrip: 10 });
    const far = between({}, { ...report, roundTrip: 900 });
    expect(far.mos!).toBeLessThan(near.mos!);
    const shaky = between({}, { ...report, jitter: 200, roundTrip: 10 });
    expect(shaky.mos!).toBeLessThan(near.mos!);
  });
});

describe('a side that sends no reports', () => {
  const counted = (lost: number, expected: number, source: 'sequence' | 'clock' = 'sequence') =>
    ({ missed: { lost, expected, source } }) as never;

  it('is judged by what rtpengine missed of it', () => {
    expect(between(counted(10, 100), counted(15, 200))).toMatchObject({ lossPercent: 5, source: 'sequence' });
    expect(between({}, counted(20, 200)).lossPercent).toBe(10);
    expect(between(counted(15, 100), counted(10, 200)).lossPercent).toBe(0);
    expect(between(counted(0, 100), counted(300, 200)).lossPercent).toBe(100);
    expect(between(counted(0, 200), counted(0, 200)).lossPercent).toBeUndefined();
  });

  it('is not judged so between the reports of one that sends some', () => {
    const reports = { packets: 10, reportedAt: 100, lost: 0 };
    expect(
      between(
        { ...reports, ...(counted(0, 100) as object) },
        { ...reports, ...(counted(50, 200) as object) },
      ),
    ).toMatchObject({ lossPercent: undefined, source: undefined });
  });
});

describe('a converted stream', () => {
  const before = { packets: 190, lost: 10, reportedAt: 100, missed: { lost: 0, expected: 100 } };
  const now = (source: string) =>
    ({ packets: 280, lost: 20, reportedAt: 105, missed: { lost: 20, expected: 200, source } }) as never;

  it('has lost what either half of its way lost', () => {
    expect(between(before as never, now('sequence'), converting).lossPercent).toBeCloseTo(28);
    expect(between(before as never, now('sequence'), codecs).lossPercent).toBe(10);
    expect(between(before as never, now('clock'), converting).lossPercent).toBe(10);
  });
});

describe('the quality of an interval', () => {
  const good = {
    packetsPerSecond: 50,
    lossPercent: 0,
    jitter: 1,
    roundTrip: 10,
    mos: 4.3,
    source: 'rtcp',
  } as const;

  it('is bad where a talking side is silent, or packets are lost or late', () => {
    expect(isBad(good, true)).toBe(false);
    expect(isBad({ ...good, packetsPerSecond: 0 }, true)).toBe(true);
    expect(isBad({ ...good, packetsPerSecond: 0 }, false)).toBe(false);
    expect(isBad({ ...good, lossPercent: 100 }, true)).toBe(true);
    expect(isBad({ ...good, jitter: 1_000 }, true)).toBe(true);
    expect(isBad({ ...good, mos: 1 }, true)).toBe(true);
    const unknown = { lossPercent: undefined, jitter: undefined, mos: undefined };
    expect(isBad({ ...good, ...unknown }, true)).toBe(false);
  });

  it('is a row with what is known, rounded to tenths', () => {
    expect(rowOf(12.4, { ...good, lossPercent: 1.26 })).toEqual([12, 50, 1.3, 1, 10, 4.3, 'rtcp']);
    const unknown = { lossPercent: undefined, jitter: undefined, roundTrip: undefined, mos: undefined };
    expect(rowOf(12.6, { ...good, ...unknown, source: undefined })).toEqual([13, 50, null, null, null, null]);
  });
});
