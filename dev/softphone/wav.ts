import { readFileSync } from 'node:fs';

/** Mono samples from -1 to 1. */
export interface Sound {
  readonly samples: Float32Array;
  /** Hertz. */
  readonly rate: number;
}

const pcm = 1;

/**
 * Reads a RIFF/WAVE file of 16-bit PCM; channels are averaged.
 * An unfinished recording has a wrong length in its header, so all available samples are read.
 * @throws when the file is not in this format
 */
export function readWav(path: string): Sound {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error(`${path} is no WAV file.`);
  }
  let format: { channels: number; rate: number } | undefined;
  for (let offset = 12; offset + 8 <= file.length; ) {
    const name = file.toString('latin1', offset, offset + 4);
    const length = file.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'fmt ') {
      const bits = file.readUInt16LE(start + 14);
      if (file.readUInt16LE(start) !== pcm || bits !== 16) throw new Error(`${path} is not 16-bit PCM.`);
      format = { channels: file.readUInt16LE(start + 2), rate: file.readUInt32LE(start + 4) };
    } else if (name === 'data' && format !== undefined) {
      const end = length === 0 ? file.length : Math.min(start + length, file.length);
      return { samples: mix(file, start, end, format.channels), rate: format.rate };
    }
    offset = start + length + (length % 2);
  }
  throw new Error(`${path} holds no sound.`);
}

function mix(file: Buffer, start: number, end: number, channels: number): Float32Array {
  const count = Math.floor((end - start) / (2 * channels));
  // At an offset that such an array can have. WAV files and all processors that Demarc runs on are little-endian.
  const octets = file.buffer.slice(file.byteOffset + start, file.byteOffset + start + 2 * channels * count);
  const values = new Int16Array(octets);
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += values[index * channels + channel]!;
    samples[index] = sum / channels / 32_768;
  }
  return samples;
}

/** A 16-bit mono WAV file of a sine. */
export function sineWav(hertz: number, seconds: number, rate = 8_000, amplitude = 0.5): Buffer {
  const count = Math.round(seconds * rate);
  const file = Buffer.alloc(44 + 2 * count);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + 2 * count, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(pcm, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * count, 40);
  for (let index = 0; index < count; index += 1) {
    const value = amplitude * Math.sin((2 * Math.PI * hertz * index) / rate);
    file.writeInt16LE(Math.round(value * 32_767), 44 + 2 * index);
  }
  return file;
}
