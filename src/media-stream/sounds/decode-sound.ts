import { setImmediate as turn } from 'node:timers/promises';
import { decode, encode, type G711, sampleRate } from '../../rtp/g711.js';
import { atRate, parseWave, type WaveFile, wavePieces } from '../../rtp/wave.js';
import { Downsampler } from '../audio/resampling.js';
import { SoundFailure, type SoundFile } from './fetch-sound.js';

/** Files without a header whose type says what they are (RFC 3551 §4.5.14). */
const muLawTypes: ReadonlySet<string> = new Set([
  'audio/basic',
  'audio/pcmu',
  'audio/x-mulaw',
  'audio/mulaw',
]);
const usualRates: ReadonlySet<number> = new Set([16_000, 24_000]);
const middleRate = 24_000;

/**
 * A file as G.711 at 8000 Hz. Converts a second at a time, and lets others run between: a large file must not make frames of other
 * calls late. Rejects with `SoundFailure`.
 */
export async function decodeSound(
  { octets, type }: SoundFile,
  codec: G711,
  maximumMilliseconds: number,
): Promise<Buffer> {
  const wave = parseWave(octets);
  if (wave === undefined && !muLawTypes.has(type))
    throw new SoundFailure('the file is neither WAV (16-bit linear, μ-law, A-law) nor audio/basic');
  const milliseconds = wave === undefined ? octets.length / 8 : lengthOf(wave);
  if (milliseconds > maximumMilliseconds)
    throw new SoundFailure(`the file is longer than ${maximumMilliseconds / 1_000} s`);
  if (wave === undefined) return codec === 'PCMU' ? octets : encode(codec, decode('PCMU', octets));
  const pieces: Buffer[] = [];
  const convert = converter(wave.rate);
  for (const piece of wavePieces(wave)) {
    pieces.push(encode(codec, convert(piece)));
    await turn();
  }
  return Buffer.concat(pieces);
}

function lengthOf({ encoding, channels, rate, data }: WaveFile): number {
  return (data.length / (encoding === 'linear' ? 2 : 1) / channels / rate) * 1_000;
}

/** Through the filters of the rates of models, so that what lies above 4 kHz is not folded into speech. */
function converter(rate: number): (samples: Float32Array) => Int16Array {
  if (rate === sampleRate) return (samples) => Int16Array.from(samples);
  const between = usualRates.has(rate) ? (rate as 16_000 | 24_000) : middleRate;
  const down = new Downsampler(between);
  return (samples) => {
    const even = rate === between ? Int16Array.from(samples) : atRate(samples, rate, between);
    const narrow = new Int16Array(Math.ceil(even.length / (between / sampleRate)) + 1);
    return narrow.subarray(0, down.process(even, narrow));
  };
}
