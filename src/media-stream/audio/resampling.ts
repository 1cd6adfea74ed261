import { type FilterMemory, filterMemory, type StoredTaps } from './filter-memory.js';

/**
 * Between 8 kHz and the rates of models, by 2 and by 3: a windowed sinc whose zeros fall on the samples that are there already, so
 * that one phase in two (or three) is a copy. 32 taps a phase: images and aliases below -60 dB from 4.6 kHz on, delay 2 ms.
 */

/** Samples at 8 kHz on each side. */
const reach = 16;
/** Of the Kaiser window. */
const beta = 6;

/** Modified Bessel function of the first kind, order zero. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** The impulse response at the higher rate, `2 * reach * factor + 1` taps, with a gain of 1 at the lower one. */
function response(factor: number): Float32Array {
  const center = reach * factor;
  return Float32Array.from({ length: 2 * center + 1 }, (_, index) => {
    const distance = index - center;
    if (distance === 0) return 1;
    if (distance % factor === 0) return 0;
    const x = (Math.PI * distance) / factor;
    const window = bessel(beta * Math.sqrt(1 - (distance / center) ** 2)) / bessel(beta);
    return (Math.sin(x) / x) * window;
  });
}

type Factor = 2 | 3;

const factorOf = (rate: 16_000 | 24_000): Factor => (rate === 16_000 ? 2 : 3);

/** Samples that are filtered in one step; a message may have many. */
const portion = 480;

/** A gain of 1 at the higher rate: one phase of taps adds up to 1. */
const upBits = 14;
/** The same taps, of which more add up to 1. */
const downBits = 15;

/** What all filters between two rates share. */
interface Filter {
  readonly factor: Factor;
  readonly memory: FilterMemory;
  /** Those after the first one, which is a copy: phase p has the taps p, p + factor, p + 2·factor … */
  readonly up: readonly StoredTaps[];
  readonly down: StoredTaps;
}

export function filterOf(factor: Factor, memory: FilterMemory): Filter {
  const taps = response(factor);
  // The oldest sample has the last tap.
  const up = Array.from({ length: factor - 1 }, (_, phase) =>
    Float32Array.from({ length: 2 * reach }, (_, tap) => taps[phase + 1 + tap * factor]!).reverse(),
  );
  // Both ends are zero. A sum for each `factor` samples: the gain at the lower rate is as much smaller.
  const down = taps.slice(1, -1).map((tap) => tap / factor);
  return {
    factor,
    memory,
    up: up.map((phase) => memory.store(phase, upBits)),
    down: memory.store(down, downBits),
  };
}

const filters = { 2: filterOf(2, filterMemory), 3: filterOf(3, filterMemory) } as const;

/** From 8 kHz to a higher rate. Keeps the last samples, so that frames join without a click. */
export class Upsampler {
  private readonly history = new Int16Array(2 * reach);

  constructor(
    rate: 16_000 | 24_000,
    private readonly filter: Filter = filters[factorOf(rate)],
  ) {}

  /** Writes `samples.length` times the factor; returns how many. */
  process(samples: Int16Array, into: Int16Array): number {
    const { factor } = this.filter;
    for (let at = 0; at < samples.length; at += portion)
      this.take(samples.subarray(at, at + portion), into, at * factor);
    return samples.length * factor;
  }

  reset(): void {
    this.history.fill(0);
  }

  private take(piece: Int16Array, into: Int16Array, at: number): void {
    const { history } = this;
    const { factor, memory, up } = this.filter;
    const { samples, results } = memory;
    const { length } = piece;
    samples.set(history);
    samples.set(piece, history.length);
    for (let index = 0; index < length; index++) results[index * factor] = samples[index + reach]!;
    for (let phase = 0; phase < up.length; phase++) memory.run(up[phase]!, 1, 1, phase + 1, factor, length);
    into.set(results.subarray(0, length * factor), at);
    history.set(samples.subarray(length, length + history.length));
  }
}

/** From a higher rate to 8 kHz. Takes any number of samples; what makes no whole sample waits for the next ones. */
export class Downsampler {
  /** The samples that the next outputs need, oldest first. */
  private readonly history: Int16Array;
  /** Samples until the next output. */
  private wait = 0;

  constructor(
    rate: 16_000 | 24_000,
    private readonly filter: Filter = filters[factorOf(rate)],
  ) {
    this.history = new Int16Array(2 * reach * this.filter.factor);
  }

  /** Returns how many samples were written. */
  process(samples: Int16Array, into: Int16Array): number {
    let count = 0;
    for (let at = 0; at < samples.length; at += portion)
      count += this.take(samples.subarray(at, at + portion), into, count);
    return count;
  }

  reset(): void {
    this.history.fill(0);
    this.wait = 0;
  }

  private take(piece: Int16Array, into: Int16Array, at: number): number {
    const { history, wait } = this;
    const { factor, memory, down } = this.filter;
    const { samples, results } = memory;
    const { length } = piece;
    samples.set(history);
    samples.set(piece, history.length);
    const count = Math.max(0, Math.ceil((length - wait) / factor));
    memory.run(down, wait + 1, factor, 0, 1, count);
    into.set(results.subarray(0, count), at);
    this.wait = wait + count * factor - length;
    history.set(samples.subarray(length, length + history.length));
    return count;
  }
}
