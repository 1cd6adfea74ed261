import { leastMos, noticedJitterMilliseconds, noticedLossPercent } from '../../../contract/audio-defect.js';
import type { MediaSample } from '../../api/calls.js';
import { milliseconds, percent, rate } from '../../parts/format.js';

/** One figure of a direction over time. */
export interface Measure {
  readonly name: string;
  readonly of: (sample: MediaSample) => number | null;
  readonly show: (value: number) => string;
  /** The least extent of the scale: small changes must look small. */
  readonly least: number;
  readonly most: number;
  readonly worst: (values: readonly number[]) => number;
  /** Drawn as a line; undefined: none. */
  readonly limit?: number;
  readonly isBad: (value: number) => boolean;
}

const lowest = (values: readonly number[]): number => Math.min(...values);
const highest = (values: readonly number[]): number => Math.max(...values);

export const measures: readonly Measure[] = [
  {
    name: 'MOS',
    of: ({ mos }) => mos,
    show: (value) => value.toFixed(1),
    least: 1,
    most: 4.5,
    worst: lowest,
    limit: leastMos,
    isBad: (value) => value < leastMos,
  },
  {
    name: 'Loss',
    of: ({ loss_percent: value }) => value,
    show: (value) => percent(value, value > 0 && value < 10 ? 1 : 0),
    least: 0,
    most: 5,
    worst: highest,
    limit: noticedLossPercent,
    isBad: (value) => value >= noticedLossPercent,
  },
  {
    name: 'Jitter',
    of: ({ jitter_milliseconds: value }) => value,
    show: milliseconds,
    least: 0,
    most: 40,
    worst: highest,
    limit: noticedJitterMilliseconds,
    isBad: (value) => value >= noticedJitterMilliseconds,
  },
  {
    name: 'Packets/s',
    of: ({ packets_per_second: value }) => value,
    show: rate,
    least: 0,
    most: 60,
    worst: lowest,
    isBad: (value) => value === 0,
  },
];

/** A value at a moment, in milliseconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The known values of a measure, in unbroken stretches: a gap is three times the usual distance. */
export function stretchesOf(
  samples: readonly MediaSample[],
  measure: Measure,
): readonly (readonly Point[])[] {
  const points = samples.flatMap((sample): Point[] => {
    const value = measure.of(sample);
    return value === null ? [] : [{ at: Date.parse(sample.at), value }];
  });
  const distances = points.slice(1).map(({ at }, index) => at - points[index]!.at);
  const usual = distances.toSorted((left, right) => left - right)[Math.floor(distances.length / 2)] ?? 0;
  const stretches: Point[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    if (point.at - last > 3 * usual) stretches.push([]);
    stretches.at(-1)!.push(point);
    last = point.at;
  }
  return stretches;
}

const windowMilliseconds = 10_000;

/** The ten seconds with the lowest mean MOS, the first of several; undefined: no ten seconds were bad. */
export function worstTenSeconds(
  samples: readonly Pick<MediaSample, 'at' | 'mos'>[],
): { readonly from: number; readonly to: number; readonly mos: number } | undefined {
  const known = samples.flatMap(({ at, mos }) => (mos === null ? [] : [{ to: Date.parse(at), mos }]));
  let worst: { readonly to: number; readonly mos: number } | undefined;
  for (const { to } of known) {
    // A sample stands for the time before it.
    const within = known.filter((sample) => sample.to > to - windowMilliseconds && sample.to <= to);
    const mos = within.reduce((sum, sample) => sum + sample.mos, 0) / within.length;
    if (mos < leastMos && (worst === undefined || mos < worst.mos)) worst = { to, mos };
  }
  return worst && { from: worst.to - windowMilliseconds, to: worst.to, mos: worst.mos };
}

/** Round times within the call, in seconds since its begin: few enough to be readable. */
export function ticksOf(totalSeconds: number, most = 5): readonly number[] {
  const step =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200].find(
      (each) => totalSeconds / each <= most,
    ) ?? 21_600;
  return Array.from({ length: Math.floor(totalSeconds / step) + 1 }, (_, index) => index * step);
}
