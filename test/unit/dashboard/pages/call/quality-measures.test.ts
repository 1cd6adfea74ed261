import { describe, expect, it } from 'vitest';
import {
  leastMos,
  noticedJitterMilliseconds,
  noticedLossPercent,
} from '../../../../../src/contract/audio-defect.js';
import type { MediaSample } from '../../../../../src/dashboard/api/calls.js';
import {
  type Measure,
  measures,
  stretchesOf,
  ticksOf,
  worstTenSeconds,
} from '../../../../../src/dashboard/pages/call/quality-measures.js';

const measure = (name: string): Measure => measures.find((candidate) => candidate.name === name)!;

const sample = (seconds: number, mos: number | null): MediaSample =>
  ({ at: new Date(seconds * 1_000).toISOString(), mos }) as MediaSample;

describe('a measure of audio', () => {
  it.each([
    ['MOS', leastMos, false],
    ['MOS', leastMos - 0.01, true],
    ['Loss', noticedLossPercent, true],
    ['Loss', noticedLossPercent - 0.01, false],
    ['Jitter', noticedJitterMilliseconds, true],
    ['Jitter', noticedJitterMilliseconds - 1, false],
    ['Packets/s', 0, true],
    ['Packets/s', 1, false],
  ])('%s of %d is bad: %s', (name, value, expected) => {
    expect(measure(name).isBad(value)).toBe(expected);
  });

  it.each([
    ['MOS', 2],
    ['Loss', 7],
    ['Jitter', 7],
    ['Packets/s', 2],
  ])('the worst %s of 2, 4 and 7 is %d', (name, expected) => {
    expect(measure(name).worst([4, 2, 7])).toBe(expected);
  });

  it.each([
    ['MOS', 4.25, '4.3'],
    ['Loss', 0, '0\u00a0%'],
    ['Loss', 0.25, '0.3\u00a0%'],
    ['Loss', 10, '10\u00a0%'],
    ['Loss', 12.4, '12\u00a0%'],
    ['Jitter', 12, '12\u00a0ms'],
    ['Packets/s', 49.6, '50'],
  ])('%s shows %d as %s', (name, value, expected) => {
    expect(measure(name).show(value)).toBe(expected);
  });
});

describe('stretches of known values', () => {
  const seconds = (samples: readonly MediaSample[]) =>
    stretchesOf(samples, measure('MOS')).map((points) => points.map(({ at }) => at / 1_000));

  it('are one while the distances are usual', () => {
    expect(seconds([sample(0, 4), sample(5, 4), sample(10, 4), sample(15, 4)])).toEqual([[0, 5, 10, 15]]);
  });

  it('break after more than three times the usual distance', () => {
    expect(seconds([0, 5, 10, 25, 30].map((at) => sample(at, 4)))).toEqual([[0, 5, 10, 25, 30]]);
    expect(seconds([0, 5, 10, 26, 31].map((at) => sample(at, 4)))).toEqual([
      [0, 5, 10],
      [26, 31],
    ]);
  });

  it('leave out what was not reported, and keep zero', () => {
    expect(seconds([sample(0, null), sample(5, 0), sample(10, 4)])).toEqual([[5, 10]]);
    expect(seconds([sample(0, null)])).toEqual([]);
    expect(seconds([sample(3, 4)])).toEqual([[3]]);
  });
});

describe('the ticks of a time axis', () => {
  it.each([
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 1, 2, 3, 4, 5]],
    [6, [0, 2, 4, 6]],
    [61, [0, 15, 30, 45, 60]],
    [3_000, [0, 600, 1_200, 1_800, 2_400, 3_000]],
    [0, [0]],
  ])('of %d s are %j', (seconds, expected) => {
    expect(ticksOf(seconds)).toEqual(expected);
  });

  it('of a call of two days are six hours apart', () => {
    expect(ticksOf(172_800)).toHaveLength(9);
  });
});

describe('the worst ten seconds', () => {
  it('are those with the lowest mean, which one bad sample among good ones is not', () => {
    const samples = [4.4, 2.4, 4.4, 3, 3, 4.4].map((mos, index) => sample(5 * index + 5, mos));
    expect(worstTenSeconds(samples)).toEqual({ from: 15_000, to: 25_000, mos: 3 });
  });

  it('are none where the audio was good or is not known', () => {
    expect(worstTenSeconds([sample(5, leastMos), sample(10, 4.4)])).toBeUndefined();
    expect(worstTenSeconds([sample(5, null)])).toBeUndefined();
    expect(worstTenSeconds([])).toBeUndefined();
  });
});
