import { type Convolve, tapsPerVector, type VectorModule, vectorModule } from './vector-module.js';

/** Samples that are filtered at once, with those that precede them. */
export const mostSamples = 1_024;
const mostResults = 2_048;
const octets = 2;
/** In front: the taps of all filters. */
const samplesAt = 16_384;
const resultsAt = samplesAt + mostSamples * octets;
const memoryOctets = 65_536;
/** Of the taps of one filter, in magnitude: with samples of full scale their products still fit into 32 bits. */
const largestSum = 65_535;

/** Taps in the memory. */
export interface StoredTaps {
  readonly at: number;
  /** The results are shifted by so many bits. */
  readonly bits: number;
  readonly convolve: Convolve;
}

/**
 * The memory in which filters of all calls work, one after the other. By vector instructions, of which JavaScript has none, eight products
 * are one: 20 ms at 24 kHz take a tenth of the time. Where the processor lacks them, JavaScript computes the same results.
 */
export class FilterMemory {
  readonly samples: Int16Array;
  readonly results: Int16Array;
  private readonly taps: Int16Array;
  private free = 0;

  constructor(private readonly vectors: VectorModule | undefined) {
    const memory = vectors?.memory ?? new ArrayBuffer(memoryOctets);
    this.taps = new Int16Array(memory, 0, samplesAt / octets);
    this.samples = new Int16Array(memory, samplesAt, mostSamples);
    this.results = new Int16Array(memory, resultsAt, mostResults);
  }

  /** @param taps one for each sample, the oldest first */
  store(taps: Float32Array, bits: number): StoredTaps {
    const at = this.free;
    const count = Math.ceil(taps.length / tapsPerVector) * tapsPerVector;
    const stored = this.taps.subarray(at, at + count).fill(0);
    stored.set(Int16Array.from(taps, (tap) => Math.round(tap * 2 ** bits)));
    if (stored.reduce((sum, tap) => sum + Math.abs(tap), 0) > largestSum)
      throw new RangeError('The sum of the products would exceed 32 bits.');
    this.free += count;
    const convolve = this.vectors?.convolve.get(count) ?? this.scalar(count);
    return { at: at * octets, bits, convolve };
  }

  /**
   * Writes `count` results, every `resultsStep` from `into` on, each from the samples that begin `samplesStep` later than those of the one
   * before.
   */
  run(
    { at, bits, convolve }: StoredTaps,
    from: number,
    samplesStep: number,
    into: number,
    resultsStep: number,
    count: number,
  ): void {
    if (count <= 0) return;
    const first = resultsAt + into * octets;
    const step = resultsStep * octets;
    convolve(samplesAt + from * octets, samplesStep * octets, at, first, step, first + count * step, bits);
  }

  /** The same loop by JavaScript. */
  private scalar(count: number): Convolve {
    const all = new Int16Array(this.taps.buffer);
    return (samples, samplesStep, taps, results, resultsStep, resultsEnd, shift) => {
      const half = 1 << (shift - 1);
      let sample = samples / octets;
      for (let result = results; result < resultsEnd; result += resultsStep) {
        let sum = half;
        for (let tap = 0; tap < count; tap++) sum += all[taps / octets + tap]! * all[sample + tap]!;
        all[result / octets] = Math.max(-32_768, Math.min(32_767, sum >> shift));
        sample += samplesStep / octets;
      }
    };
  }
}

/** Of the filters of this process. */
export const filterMemory = new FilterMemory(vectorModule([32, 64, 96]));
