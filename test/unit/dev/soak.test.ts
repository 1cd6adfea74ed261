import { describe, expect, it } from 'vitest';
import { growthOf, type Sample } from '../../../dev/soak/growth.js';
import { Outages } from '../../../dev/soak/outages.js';
import { soakPage } from '../../../dev/soak/soak-page.js';

const sample = (minutes: number, megabytes: number, descriptors = 40, isTroubled = false): Sample => ({
  minutes,
  isTroubled,
  megabytes: { 'edge-1': megabytes, redis: 10 + minutes },
  descriptors: { 'edge-1': descriptors, redis: 48 },
});
const samples = (values: readonly number[], descriptors?: (index: number) => number): Sample[] =>
  values.map((megabytes, index) => sample(index * 5, megabytes, descriptors?.(index)));
const notFlat = (from: readonly Sample[]) =>
  growthOf(from)
    ?.filter(({ isFlat }) => !isFlat)
    .map(({ process, what, first, last }) => `${process} ${what} ${first} ${last}`);

describe('growth between two thirds of a soak', () => {
  it('is not judged by fewer than six quiet samples after the first one', () => {
    expect(growthOf(samples([50, 50, 50, 50, 50, 50]))).toBeUndefined();
    expect(growthOf(samples([50, 50, 50, 50, 50, 50, 50]))).toBeDefined();
  });

  it('leaves out samples of the time in which processes are killed', () => {
    const young = samples([20, 20, 20, 20]).map((each) => ({ ...each, isTroubled: true }));
    expect(notFlat([...young, ...samples([60, 60, 61, 60, 60, 61, 60])])).toEqual([]);
  });

  it('accepts a heap that grows and shrinks, and names one that grows', () => {
    expect(notFlat(samples([40, 50, 60, 50, 62, 55, 61, 50, 62, 55]))).toEqual([]);
    expect(notFlat(samples([40, 50, 56, 62, 68, 74, 80, 86, 92, 98]))).toEqual(['edge-1 MB 56 92']);
  });

  it('names a process that does not close its descriptors', () => {
    expect(
      notFlat(samples([50, 50, 50, 50, 50, 50, 50], (index) => (index < 1 ? 40 : 39 + 2 * index))),
    ).toEqual(['edge-1 descriptors 43 51']);
  });

  it('lets Redis keep what it is given', () => {
    expect(notFlat(samples([50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50]))).toEqual([]);
  });
});

describe('outages', () => {
  it('excuse requests during and shortly after them, and calls that nothing had stored yet', async () => {
    const outages = new Outages();
    const before = performance.now();
    expect(outages.overlap(0, before + 60_000)).toBe(false);
    await outages.during(async () => {});
    const after = performance.now();
    expect(outages.overlap(before - 5_000, before - 1)).toBe(false);
    expect(outages.overlap(after + 1_000, after + 2_000)).toBe(true);
    expect(outages.overlap(after + 9_000, after + 10_000)).toBe(false);
    expect(outages.mustOutlive(before - 1_000, after + 5_000)).toBe(true);
    expect(outages.mustOutlive(before - 100, after + 5_000)).toBe(false);
    expect(outages.mustOutlive(after + 1, after + 5_000)).toBe(true);
  });

  it('last until what was killed is back, also where that fails', async () => {
    const outages = new Outages();
    const failed = outages.during(async () => {
      expect(outages.mustOutlive(performance.now(), performance.now() + 1)).toBe(false);
      throw new Error('not back');
    });
    await expect(failed).rejects.toThrow('not back');
    expect(outages.mustOutlive(performance.now(), performance.now() + 1)).toBe(true);
  });
});

describe('the page of a soak', () => {
  const report = {
    minutes: 120,
    seed: 7,
    calls: { plain: 100, held: 50 },
    disturbed: 3,
    outlived: 40,
    signaling: [1_840, 2_210, 1_790],
    kills: { engine: 2, redis: 1 },
    samples: samples([50, 50]),
    growth: undefined,
    problems: [],
  };

  it('says what ran, and that nothing was wrong', () => {
    const page = soakPage(report);
    expect(page).toContain('`npm run soak -- --minutes 120 --seed 7 --page`');
    expect(page).toContain('150: plain 100, held 50');
    expect(page).toContain('engine 2, redis 1');
    expect(page).toContain("a dead machine's calls knew another address | 1.8, at most 2.2 |");
    expect(page).toContain('none: no call lost');
    expect(page).toContain('too short to judge');
  });

  it('lists problems, and growth where it was judged', () => {
    const growth = [{ process: 'edge-1', what: 'MB' as const, first: 50.4, last: 80.6, isFlat: false }];
    const page = soakPage({ ...report, growth, problems: ['edge-1 grew'], signaling: [] });
    expect(page).toContain('| no machine died |');
    expect(page).toContain('| problems | 1 |');
    expect(page).toContain('- edge-1 grew\n');
    expect(page).toContain('| edge-1 | MB | 50 | 81 |');
  });
});
