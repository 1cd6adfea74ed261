import type { Sound } from './wav.js';

/** Short enough to locate a tone in time, long enough to distinguish 440 Hz from 480 Hz. */
const windowSeconds = 0.05;
/** Share of a window's power that the tone must have; codecs and jitter buffers distort the rest. */
const dominantShare = 0.6;
/** About -50 dB of full scale; anything lower is silence and codec noise. */
const silence = 0.003;

/**
 * Share (0 to 1) of the power of `samples` that is at one frequency, by Goertzel's algorithm.
 * A sine of that frequency gives 1 when the window holds many of its periods.
 */
export function toneShare(samples: Float32Array, rate: number, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let previous = 0;
  let beforePrevious = 0;
  let energy = 0;
  for (const sample of samples) {
    const current = sample + coefficient * previous - beforePrevious;
    beforePrevious = previous;
    previous = current;
    energy += sample * sample;
  }
  if (energy === 0) return 0;
  const power =
    previous * previous + beforePrevious * beforePrevious - coefficient * previous * beforePrevious;
  return Math.min(1, (2 * power) / (samples.length * energy));
}

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
