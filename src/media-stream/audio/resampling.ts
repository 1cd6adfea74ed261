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

const responses = { 2: response(2), 3: response(3) } as const;
type Factor = keyof typeof responses;

const factorOf = (rate: 16_000 | 24_000): Factor => (rate === 16_000 ? 2 : 3);

function clamp(value: number): number {
  const rounded = Math.round(value);
  return Math.max(-32_768, Math.min(32_767, rounded));
}

/** From 8 kHz to a higher rate. Keeps the last samples, so that frames join without a click. */
export class Upsampler {
  private readonly factor: Factor;
  private readonly phases: readonly Float32Array[];
  private history = new Float32Array(2 * reach);
  private work = new Float32Array(0);

  constructor(rate: 16_000 | 24_000) {
    this.factor = factorOf(rate);
    const taps = responses[this.factor];
    // Phase p uses taps p, p + factor, p + 2·factor …; phase 0 is a copy.
    this.phases = Array.from({ length: this.factor - 1 }, (_, phase) =>
      Float32Array.from({ length: 2 * reach }, (_, tap) => taps[phase + 1 + tap * this.factor]!),
    );
  }

  /** Writes `samples.length` times the factor; returns how many. */
  process(samples: Int16Array, into: Int16Array): number {
    const { factor, phases, history } = this;
    const before = history.length;
    const length = before + samples.length;
    if (this.work.length < length) this.work = new Float32Array(length);
    const { work } = this;
    work.set(history);
    for (let index = 0; index < samples.length; index++) work[before + index] = samples[index]!;
    let out = 0;
    for (let index = 0; index < samples.length; index++) {
      const newest = before + index;
      into[out++] = clamp(work[newest - reach]!);
      for (const taps of phases) {
        let sum = 0;
        for (let tap = 0; tap < taps.length; tap++) sum += taps[tap]! * work[newest - tap]!;
        into[out++] = clamp(sum);
      }
    }
    history.set(work.subarray(length - before, length));
    return samples.length * factor;
  }

  reset(): void {
    this.history.fill(0);
  }
}

/** From a higher rate to 8 kHz. Takes any number of samples; what makes no whole sample waits for the next ones. */
export class Downsampler {
  private readonly factor: Factor;
  private readonly taps: Float32Array;
  /** The samples that the next outputs need, oldest first. */
  private readonly history: Float32Array;
  private work = new Float32Array(0);
  /** Samples until the next output. */
  private wait = 0;

  constructor(rate: 16_000 | 24_000) {
    this.factor = factorOf(rate);
    this.taps = responses[this.factor];
    this.history = new Float32Array(this.taps.length - 1);
  }

  /** Returns how many samples were written. */
  process(samples: Int16Array, into: Int16Array): number {
    const { factor, taps, history } = this;
    const before = history.length;
    const length = before + samples.length;
    if (this.work.length < length) this.work = new Float32Array(length);
    const { work } = this;
    work.set(history);
    for (let index = 0; index < samples.length; index++) work[before + index] = samples[index]!;
    const center = before / 2;
    let out = 0;
    let index = this.wait;
    for (; index < samples.length; index += factor) {
      const newest = before + index;
      // Symmetrical, and zero at every multiple of the factor from the center.
      let sum = work[newest - center]!;
      for (let distance = 1; distance < center; distance++) {
        const tap = taps[center + distance]!;
        if (tap !== 0) sum += tap * (work[newest - center + distance]! + work[newest - center - distance]!);
      }
      into[out++] = clamp(sum / factor);
    }
    this.wait = index - samples.length;
    history.set(work.subarray(length - before, length));
    return out;
  }

  reset(): void {
    this.history.fill(0);
    this.wait = 0;
  }
}
