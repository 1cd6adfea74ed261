import { seededRandom } from '../base/seeded-random.js';
import type { LineConditions } from '../contract/voice-call.js';
import { sampleRate, samplesPerPacket } from '../rtp/g711.js';

type Random = () => number;
type Samples = () => number;

const fullScale = 32_768;
/** How much noise is measured before the call, to set its level: longer than its slowest change. */
const measuredSamples = 4 * sampleRate;

/** White noise through a low pass of one pole. @param smoothness 0–1: the higher, the lower its frequencies */
function lowNoise(random: Random, smoothness: number): Samples {
  let value = 0;
  return () => {
    value += (1 - smoothness) * (2 * random() - 1 - value);
    return value;
  };
}

/** A voice without words: pulses of a pitch through two formants, in syllables. */
function murmur(random: Random): Samples {
  const pitch = 90 + 130 * random();
  const syllables = 3 + 2 * random();
  const formants = [400 + 300 * random(), 1_000 + 900 * random()].map((frequency) => {
    const radius = 0.97;
    const turn = 2 * radius * Math.cos((2 * Math.PI * frequency) / sampleRate);
    return { turn, damping: -radius * radius, last: 0, before: 0 };
  });
  let phase = random();
  let at = Math.floor(random() * sampleRate);
  return () => {
    at++;
    phase += pitch / sampleRate;
    const pulse = phase >= 1 ? 1 : 0;
    phase %= 1;
    let sum = 0;
    for (const formant of formants) {
      const value = pulse + formant.turn * formant.last + formant.damping * formant.before;
      formant.before = formant.last;
      formant.last = value;
      sum += value;
    }
    const envelope = Math.sin((Math.PI * syllables * at) / sampleRate) ** 2;
    // A pause now and then, as between sentences.
    const talks = Math.sin((2 * Math.PI * at) / (sampleRate * (1.3 + pitch / 200))) > -0.4 ? 1 : 0.05;
    return sum * envelope * talks;
  };
}

const noises: Readonly<Record<NonNullable<LineConditions['noise']>['kind'], (random: Random) => Samples>> = {
  /** Many people who talk at once. */
  babble: (random) => {
    const voices = Array.from({ length: 8 }, () => murmur(random));
    return () => voices.reduce((sum, voice) => sum + voice(), 0);
  },
  /** Traffic: low frequencies that come and go. */
  street: (random) => {
    const traffic = lowNoise(random, 0.97);
    const tires = lowNoise(random, 0.6);
    let at = Math.floor(random() * 3 * sampleRate);
    return () => {
      at++;
      const passing = 0.4 + 0.6 * Math.sin((Math.PI * at) / (3 * sampleRate)) ** 2;
      return passing * (4 * traffic() + 0.3 * tires());
    };
  },
  /** Ventilation, and keys that are struck. */
  office: (random) => {
    const ventilation = lowNoise(random, 0.8);
    let key = 0;
    return () => {
      if (random() < 4 / sampleRate) key = 1;
      key *= 0.99;
      return ventilation() + 1.5 * key * (2 * random() - 1);
    };
  },
};

/** Endless noise whose mean level is that of a setting. */
function noiseOf({ kind, levelDecibels }: NonNullable<LineConditions['noise']>, seed: number): Samples {
  const measured = noises[kind](seededRandom(seed));
  let power = 0;
  for (let index = 0; index < measuredSamples; index++) power += measured() ** 2;
  const factor = (fullScale * 10 ** (levelDecibels / 20)) / Math.sqrt(power / measuredSamples);
  const noise = noises[kind](seededRandom(seed));
  return () => factor * noise();
}

/** Adds noise, loss and jitter to the caller's audio. The same seed gives the same noise, losses and delays. */
export class CallerLine {
  private readonly noise: Samples | undefined;
  private readonly gain: number;
  private readonly random: Random;

  constructor(private readonly conditions: LineConditions) {
    const { noise, gainDecibels, seed } = conditions;
    this.noise = noise === null ? undefined : noiseOf(noise, seed);
    this.gain = 10 ** (gainDecibels / 20);
    // Losses do not depend on the noise.
    this.random = seededRandom(seed + 1);
  }

  /** The caller's frame at its loudness, with the noise. */
  sound(frame: Int16Array): Int16Array {
    if (this.noise === undefined && this.gain === 1) return frame;
    const mixed = new Int16Array(samplesPerPacket);
    for (let index = 0; index < samplesPerPacket; index++) {
      const sum = this.gain * frame[index]! + (this.noise?.() ?? 0);
      mixed[index] = Math.max(-fullScale, Math.min(fullScale - 1, Math.round(sum)));
    }
    return mixed;
  }

  /** Milliseconds until the next packet leaves; undefined: it is lost. */
  delay(): number | undefined {
    const { lossShare, jitterMilliseconds } = this.conditions;
    const [loss, wait] = [this.random(), this.random()];
    return loss < lossShare ? undefined : Math.round(wait * jitterMilliseconds);
  }
}
