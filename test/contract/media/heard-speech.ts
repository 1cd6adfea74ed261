import { decode, samplesPerPacket } from '../../../src/rtp/g711.js';
import { readPacket } from '../../../src/rtp/packet.js';
import { similarities } from '../../support/similarity.js';

const segmentLength = 1_600;
/** 200 ms either way. */
const widestLag = 1_600;
/** 150 ms: packets that were filled, though they were only late, move what follows. */
const segmentLag = 1_200;
/** Like enough to tell where a segment is. */
const sure = 0.8;

/** PCMU packets as a receiver plays them by their timestamps; silence where none came. */
export function played(packets: readonly Buffer[]): { samples: Int16Array; missing: number } {
  const frames = new Map<number, Buffer>();
  for (const packet of packets) {
    const read = readPacket(packet)!;
    if (read.payloadType === 0) frames.set(Math.round(read.timestamp / samplesPerPacket), read.payload);
  }
  const places = [...frames.keys()];
  const first = Math.min(...places);
  const length = Math.max(...places) - first + 1;
  const samples = new Int16Array(length * samplesPerPacket);
  for (const [place, payload] of frames)
    samples.set(decode('PCMU', payload), (place - first) * samplesPerPacket);
  return { samples, missing: length - frames.size };
}

export const levelOf = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / Math.max(1, samples.length));

interface Search {
  readonly around: number;
  readonly width: number;
}

/** Where a part of the speech was heard, and how like it. */
function best(
  spoken: Int16Array,
  heard: Int16Array,
  { around, width }: Search,
): { lag: number; value: number } {
  const from = around - width;
  const values = similarities(heard, spoken, from, 2 * width + 1);
  const at = values.indexOf(Math.max(...values));
  return { lag: from + at, value: between(values, at) };
}

/** The top of the parabola through a correlation and those beside it: codecs delay by parts of a sample. */
function between(values: Float64Array, at: number): number {
  const value = values[at]!;
  const [before, after] = [values[at - 1] ?? value, values[at + 1] ?? value];
  const bend = before - 2 * value + after;
  return bend < 0 ? Math.min(1, value - (after - before) ** 2 / (8 * bend)) : value;
}

/**
 * How like the speech each of its spoken fifths of a second was heard, 1 being the same, ascending; how many milliseconds after the
 * beginning of what was heard the speech begins; and by how many milliseconds more the last of them was late.
 */
export function likeness(
  spoken: Int16Array,
  heard: Int16Array,
): { values: number[]; lag: number; drift: number } {
  const starts = Array.from(
    { length: Math.floor(spoken.length / segmentLength) },
    (_, at) => at * segmentLength,
  );
  const part = (start: number): Int16Array => spoken.subarray(start, start + segmentLength);
  const loud = starts.filter((start) => levelOf(part(start)) > levelOf(spoken) / 2);
  const lags = loud.slice(0, 3).map((start) => {
    const { lag, value } = best(part(start), heard, { around: start, width: widestLag });
    return { lag: lag - start, value };
  });
  const first = lags.toSorted((left, right) => right.value - left.value)[0]!.lag;
  let last = first;
  const values = loud.map((start) => {
    const around = start + first;
    const { lag, value } = best(part(start), heard, { around, width: segmentLag });
    if (value > sure) last = lag - start;
    return value;
  });
  return {
    values: values.toSorted((left, right) => left - right),
    lag: first / 8,
    drift: (last - first) / 8,
  };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((first, second) => first - second)[values.length >> 1] ?? Number.NaN;
