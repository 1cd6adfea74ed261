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
export const hearTone = (sound: Sound, hertz: number): Heard => new ToneSearch(hertz).hear(sound);

/** Searches a recording that grows: each time only what was added, because a test that waits for a tone looks fifty times a second. */
export class ToneSearch {
  private at = 0;
  private windows = 0;
  private from: number | undefined;
  private lastEnd: number | undefined;
  private gap = 0;

  constructor(private readonly hertz: number) {}

  /** @param sound the whole recording so far */
  hear({ samples, rate }: Sound): Heard {
    const size = Math.round(rate * windowSeconds);
    for (; this.at + size <= samples.length; this.at += size) {
      const window = samples.subarray(this.at, this.at + size);
      if (rootMeanSquare(window) < silence || toneShare(window, rate, this.hertz) < dominantShare) continue;
      this.windows += 1;
      this.from ??= this.at / rate;
      if (this.lastEnd !== undefined) this.gap = Math.max(this.gap, (this.at - this.lastEnd) / rate);
      this.lastEnd = this.at + size;
    }
    return { seconds: this.windows * windowSeconds, from: this.from, gap: this.gap };
  }
}

function rootMeanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
