import { samplesPerPacket } from '../../rtp/g711.js';

/** 2.5 to 20 ms: a period of the pitch, or several. */
const leastLag = 20;
const largestLag = samplesPerPacket;
/** 10 ms, over which what is left out fades into what follows it. */
const overlap = 80;
/** Below it the seam would be heard. */
const leastLikeness = 0.9;

/** Samples that one packet is made of. */
export const shortenedFrom = samplesPerPacket + largestLag;

export interface Shortened {
  /** One packet. */
  readonly frame: Int16Array;
  /** Samples fewer than the original; the packet stands for so many more. */
  readonly leftOut: number;
}

/**
 * Makes one packet of more than one without changing the pitch: leaves out a piece after which the waveform repeats itself, and overlaps
 * both ends of it. Undefined: nothing repeats itself well enough.
 * @param samples the next `shortenedFrom` at 8,000 Hz
 */
export function shorten(samples: Int16Array): Shortened | undefined {
  let best = { lag: 0, likeness: leastLikeness };
  for (let lag = largestLag; lag >= leastLag; lag--) {
    const likeness = likenessAt(samples, lag);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  const { lag } = best;
  if (lag === 0) return undefined;
  const frame = samples.slice(lag, lag + samplesPerPacket);
  for (let at = 0; at < overlap; at++) {
    const share = (at + 1) / (overlap + 1);
    frame[at] = Math.round((1 - share) * samples[at]! + share * samples[at + lag]!);
  }
  return { frame, leftOut: lag };
}

/** Of the beginning to what comes `lag` later: 1 is the same. */
function likenessAt(samples: Int16Array, lag: number): number {
  let [both, before, after] = [0, 0, 0];
  for (let at = 0; at < overlap; at++) {
    const [first, second] = [samples[at]!, samples[at + lag]!];
    both += first * second;
    before += first * first;
    after += second * second;
  }
  return both / Math.sqrt(Math.max(1, before * after));
}
