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
  const rounded = Math.floor(value + 0.5);
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
    for (let index = 0; index < samples.length; index++)
      into[index * factor] = clamp(work[before + index - reach]!);
    for (const [phase, taps] of phases.entries()) {
      let index = 0;
      // Four at once: each tap is read once for them.
      for (; index + 3 < samples.length; index += 4) {
        let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
        for (let tap = 0, at = before + index; tap < 2 * reach; tap++, at--) {
          const value = taps[tap]!;
          sum0 += value * work[at]!;
          sum1 += value * work[at + 1]!;
          sum2 += value * work[at + 2]!;
          sum3 += value * work[at + 3]!;
        }
        const out = index * factor + phase + 1;
        into[out] = clamp(sum0);
        into[out + factor] = clamp(sum1);
        into[out + 2 * factor] = clamp(sum2);
        into[out + 3 * factor] = clamp(sum3);
      }
      for (; index < samples.length; index++) {
        let sum = 0;
        for (let tap = 0, at = before + index; tap < 2 * reach; tap++, at--) sum += taps[tap]! * work[at]!;
        into[index * factor + phase + 1] = clamp(sum);
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
  /** Of the center. */
  private readonly middle: number;
  /** The response is symmetrical: the taps beside the center that are not zero, and their distances. */
  private readonly distances: Uint8Array;
  private readonly taps: Float32Array;
  /** The samples that the next outputs need, oldest first. */
  private readonly history: Float32Array;
  private work = new Float32Array(0);
  /** Samples until the next output. */
  private wait = 0;

  constructor(rate: 16_000 | 24_000) {
    this.factor = factorOf(rate);
    const whole = responses[this.factor];
    const center = (whole.length - 1) / 2;
    this.middle = whole[center]!;
    const beside = Array.from({ length: center }, (_, index) => index + 1);
    const distances = beside.filter((distance) => whole[center + distance] !== 0);
    this.distances = Uint8Array.from(distances);
    this.taps = Float32Array.from(distances, (distance) => whole[center + distance]!);
    this.history = new Float32Array(2 * center);
  }

  /** Returns how many samples were written. */
  process(samples: Int16Array, into: Int16Array): number {
    const { factor, middle, distances, taps, history } = this;
    const before = history.length;
    const length = before + samples.length;
    if (this.work.length < length) this.work = new Float32Array(length);
    const { work } = this;
    work.set(history);
    for (let index = 0; index < samples.length; index++) work[before + index] = samples[index]!;
    const center = before / 2;
    let out = 0;
    let index = this.wait;
    for (; index + 3 * factor < samples.length; index += 4 * factor) {
      const at0 = center + index;
      const [at1, at2, at3] = [at0 + factor, at0 + 2 * factor, at0 + 3 * factor];
      let sum0 = middle * work[at0]!;
      let sum1 = middle * work[at1]!;
      let sum2 = middle * work[at2]!;
      let sum3 = middle * work[at3]!;
      for (let tap = 0; tap < taps.length; tap++) {
        const value = taps[tap]!;
        const distance = distances[tap]!;
        sum0 += value * (work[at0 + distance]! + work[at0 - distance]!);
        sum1 += value * (work[at1 + distance]! + work[at1 - distance]!);
        sum2 += value * (work[at2 + distance]! + work[at2 - distance]!);
        sum3 += value * (work[at3 + distance]! + work[at3 - distance]!);
      }
      into[out++] = clamp(sum0 / factor);
      into[out++] = clamp(sum1 / factor);
      into[out++] = clamp(sum2 / factor);
      into[out++] = clamp(sum3 / factor);
    }
    for (; index < samples.length; index += factor) {
      const at = center + index;
      let sum = middle * work[at]!;
      for (let tap = 0; tap < taps.length; tap++) {
        const distance = distances[tap]!;
        sum += taps[tap]! * (work[at + distance]! + work[at - distance]!);
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
