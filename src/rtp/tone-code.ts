import { sampleRate } from './g711.js';

/**
 * Words as dual tones: each character is two of the sixteen DTMF signals (ITU-T Q.23), its code in hexadecimal. Speech that a program
 * understands exactly, through every codec, without a speech recognizer; 120 ms a character.
 */

const lowTones = [697, 770, 852, 941] as const;
const highTones = [1_209, 1_336, 1_477, 1_633] as const;
const toneSamples = 320;
const gapSamples = 160;
const symbolSamples = toneSamples + gapSamples;
/** A shorter tone is a part of one. */
const wholeSamples = 0.9 * toneSamples;
/** Each of the two tones; both together are a quarter of full scale. */
const amplitude = 4_000;
/** Root mean square of samples below which there is no tone. */
const silence = 400;
/** Share of the power that the two tones must have. */
const dominantShare = 0.7;
const windowSamples = 80;

/** @param text ASCII */
export function encodeTones(text: string): Int16Array {
  const symbols = [...Buffer.from(text, 'latin1')].flatMap((octet) => [octet >> 4, octet & 0x0f]);
  const samples = new Int16Array(symbols.length * symbolSamples);
  for (const [position, symbol] of symbols.entries()) {
    const [low, high] = [lowTones[symbol >> 2]!, highTones[symbol & 3]!];
    for (let index = 0; index < toneSamples; index++) {
      const angle = (2 * Math.PI * index) / sampleRate;
      const value = amplitude * (Math.sin(low * angle) + Math.sin(high * angle));
      samples[position * symbolSamples + index] = Math.round(value);
    }
  }
  return samples;
}

/** The text that the samples say; undefined: it is not in this code. */
export function decodeTones(samples: Int16Array): string | undefined {
  const symbols: number[] = [];
  let begin: number | undefined;
  /** The last tone was the first part of one. */
  let isCut = false;
  for (let at = 0; at <= samples.length; at += windowSamples) {
    const isLoud = at < samples.length && rootMeanSquare(samples.subarray(at, at + windowSamples)) > silence;
    if (isLoud) begin ??= at;
    else if (begin !== undefined) {
      const tone = withoutSilence(samples.subarray(begin, at));
      const symbol = symbolOf(tone);
      if (symbol === undefined) return undefined;
      const isPart = tone.length < wholeSamples;
      // A stall of the sender between two packets cuts a tone into two parts.
      const isSecondPart: boolean = isPart && isCut && symbols.at(-1) === symbol;
      if (!isSecondPart) symbols.push(symbol);
      isCut = isPart && !isSecondPart;
      begin = undefined;
    }
  }
  if (symbols.length === 0 || symbols.length % 2 !== 0) return undefined;
  const octets = Buffer.alloc(symbols.length / 2);
  for (let index = 0; index < octets.length; index++)
    octets[index] = (symbols[2 * index]! << 4) | symbols[2 * index + 1]!;
  const text = octets.toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

function symbolOf(samples: Int16Array): number | undefined {
  // Less than half a symbol is something else, and so is a longer tone.
  if (samples.length < 0.4 * toneSamples || samples.length > 2 * toneSamples) return undefined;
  const strongest = (tones: readonly number[]) =>
    tones
      .map((hertz, index) => ({ index, share: toneShare(samples, sampleRate, hertz) }))
      .reduce((best, code) => (code.share > best.share ? code : best));
  const [low, high] = [strongest(lowTones), strongest(highTones)];
  return low.share + high.share < dominantShare ? undefined : (low.index << 2) | high.index;
}

/** Without the silence that shares a window with the tone. */
function withoutSilence(samples: Int16Array): Int16Array {
  const isAudible = (sample: number): boolean => Math.abs(sample) > silence;
  return samples.subarray(samples.findIndex(isAudible), samples.findLastIndex(isAudible) + 1);
}

function rootMeanSquare(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/**
 * Share (0 to 1) of the power of the samples that is at one frequency, by Goertzel's algorithm.
 * A sine of that frequency gives 1 when the samples hold many of its periods.
 * @param rate samples per second
 */
export function toneShare(samples: Int16Array | Float32Array, rate: number, hertz: number): number {
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
