import { toneShare } from '../../src/rtp/tone-code.js';
import type { Sound } from './wav.js';

/** Short enough to locate a tone in time, long enough to distinguish 440 Hz from 480 Hz. */
const windowSeconds = 0.05;
/** Share of a window's power that the tone must have; codecs and jitter buffers distort the rest. */
const dominantShare = 0.6;
/** About -50 dB of full scale; anything lower is silence and codec noise. */
const silence = 0.003;

/** Total seconds in which a tone dominates, when it is first heard, and its longest interruption. */
export interface Heard {
  readonly seconds: number;
  /** Seconds from the start of the recording; undefined when never heard. */
  readonly from: number | undefined;
  /** Seconds without it between two times when it was heard. */
  readonly gap: number;
}

/** Searches a recording for a tone, window by window. */
export function hearTone({ samples, rate }: Sound, hertz: number): Heard {
  const size = Math.round(rate * windowSeconds);
  let windows = 0;
  let lastEnd: number | undefined;
  let gap = 0;
  let from: number | undefined;
  for (let start = 0; start + size <= samples.length; start += size) {
    const window = samples.subarray(start, start + size);
    if (rootMeanSquare(window) < silence || toneShare(window, rate, hertz) < dominantShare) continue;
    windows += 1;
    from ??= start / rate;
    if (lastEnd !== undefined) gap = Math.max(gap, (start - lastEnd) / rate);
    lastEnd = start + size;
  }
  return { seconds: windows * windowSeconds, from, gap };
}

function rootMeanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
