import { decode, type G711, sampleRate } from './g711.js';

/** RIFF/WAVE files with 16-bit linear samples or G.711, a second at a time. */

const formats: Readonly<Record<number, 'linear' | G711>> = { 1: 'linear', 6: 'PCMA', 7: 'PCMU' };
const extensible = 0xfffe;
const lowestRate = 8_000;
const highestRate = 192_000;

export interface WaveFile {
  readonly encoding: 'linear' | G711;
  readonly channels: number;
  /** Hertz. */
  readonly rate: number;
  readonly data: Buffer;
}

/**
 * Finds the samples in a file. Undefined: not WAVE, not 16-bit linear or 8-bit G.711, or outside 8 to 192 kHz. A stream's unknown
 * length (0 or the largest) means: to the end.
 */
export function parseWave(file: Buffer): WaveFile | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: Omit<WaveFile, 'data'> | undefined;
  for (let offset = 12; offset + 8 <= file.length; ) {
    const name = file.toString('latin1', offset, offset + 4);
    const length = file.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'fmt ' && start + 16 <= file.length) {
      const code = file.readUInt16LE(start);
      // The subformat's identifier begins with the code of the format.
      const isLong = code === extensible && start + 26 <= file.length;
      const encoding = formats[isLong ? file.readUInt16LE(start + 24) : code];
      const [channels, rate, bits] = [2, 4, 14].map((at) =>
        at === 4 ? file.readUInt32LE(start + at) : file.readUInt16LE(start + at),
      ) as [number, number, number];
      const isKnown = encoding !== undefined && bits === (encoding === 'linear' ? 16 : 8);
      if (!isKnown || channels < 1 || channels > 8 || rate < lowestRate || rate > highestRate)
        return undefined;
      format = { encoding, channels, rate };
    } else if (name === 'data') {
      const end = length === 0 ? file.length : Math.min(start + length, file.length);
      return format === undefined ? undefined : { ...format, data: file.subarray(start, end) };
    }
    offset = start + length + (length % 2);
  }
  return undefined;
}

/** The file's samples at its own rate, channels averaged, in pieces of one second. */
export function* wavePieces({ encoding, channels, rate, data }: WaveFile): Generator<Float32Array> {
  const octets = encoding === 'linear' ? 2 : 1;
  const count = Math.floor(data.length / (octets * channels));
  for (let first = 0; first < count; first += rate) {
    const length = Math.min(rate, count - first);
    const [from, to] = [first * octets * channels, (first + length) * octets * channels];
    const part = data.subarray(from, to);
    const single = encoding === 'linear' ? linearOf(part) : decode(encoding, part);
    yield mix(single, channels);
  }
}

function linearOf(octets: Buffer): Int16Array {
  const samples = new Int16Array(octets.length / 2);
  for (let index = 0; index < samples.length; index++) samples[index] = octets.readInt16LE(2 * index);
  return samples;
}

function mix(samples: Int16Array, channels: number): Float32Array {
  if (channels === 1) return Float32Array.from(samples);
  const mixed = new Float32Array(samples.length / channels);
  for (let index = 0; index < mixed.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += samples[index * channels + channel]!;
    mixed[index] = sum / channels;
  }
  return mixed;
}

/** The samples of a file at 8000 Hz. Undefined: not audio that `parseWave` reads. Channels are averaged. */
export function readWave(file: Buffer): Int16Array | undefined {
  const wave = parseWave(file);
  if (wave === undefined) return undefined;
  const pieces = [...wavePieces(wave)].map((piece) => atRate(piece, wave.rate, sampleRate));
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}

/**
 * A piece of whole seconds, or the last one, at another rate: the mean over each sample's time, or the straight line between two
 * samples for a higher rate.
 */
export function atRate(samples: Float32Array, from: number, to: number): Int16Array {
  const step = from / to;
  const converted = new Int16Array(Math.floor(samples.length / step));
  for (let index = 0; index < converted.length; index++) {
    const value =
      step < 1 ? between(samples, index * step) : mean(samples, index * step, (index + 1) * step) / step;
    converted[index] = Math.max(-32_768, Math.min(32_767, Math.round(value)));
  }
  return converted;
}

function mean(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = Math.floor(from); at < to && at < samples.length; at++)
    sum += samples[at]! * (Math.min(at + 1, to) - Math.max(at, from));
  return sum;
}

function between(samples: Float32Array, at: number): number {
  const left = Math.floor(at);
  const right = Math.min(left + 1, samples.length - 1);
  return samples[left]! + (samples[right]! - samples[left]!) * (at - left);
}
