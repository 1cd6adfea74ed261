import { speechRate } from './speech.js';

/** RIFF/WAVE with 16-bit linear samples, and their conversion to 8000 Hz. */

const linear = 1;
const extensible = 0xfffe;
const headerLength = 44;

/** Undefined: not 16-bit linear audio. Channels are averaged. A stream's unknown length (0 or the largest) means: to the end. */
export function readWave(file: Buffer): Int16Array | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: { channels: number; rate: number } | undefined;
  for (let offset = 12; offset + 8 <= file.length; ) {
    const name = file.toString('latin1', offset, offset + 4);
    const length = file.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'fmt ' && start + 16 <= file.length) {
      const encoding = file.readUInt16LE(start);
      const isLinear =
        (encoding === linear || encoding === extensible) && file.readUInt16LE(start + 14) === 16;
      format = { channels: file.readUInt16LE(start + 2), rate: file.readUInt32LE(start + 4) };
      if (!isLinear || format.channels < 1 || format.rate < speechRate || format.rate > 192_000)
        return undefined;
    } else if (name === 'data') {
      if (format === undefined) return undefined;
      const end = length === 0 ? file.length : Math.min(start + length, file.length);
      return resample(mix(file.subarray(start, end), format.channels), format.rate);
    }
    offset = start + length + (length % 2);
  }
  return undefined;
}

function mix(data: Buffer, channels: number): Float32Array {
  const count = Math.floor(data.length / (2 * channels));
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += data.readInt16LE(2 * (index * channels + channel));
    samples[index] = sum / channels;
  }
  return samples;
}

/** The mean over each sample's time: enough against aliasing of speech for the telephone's band. */
function resample(samples: Float32Array, rate: number): Int16Array {
  const step = rate / speechRate;
  const converted = new Int16Array(Math.floor(samples.length / step));
  for (let index = 0; index < converted.length; index++) {
    const [from, to] = [index * step, (index + 1) * step];
    let sum = 0;
    for (let at = Math.floor(from); at < to && at < samples.length; at++) {
      sum += samples[at]! * (Math.min(at + 1, to) - Math.max(at, from));
    }
    converted[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum / step)));
  }
  return converted;
}

/** A mono file at 8000 Hz. */
export function writeWave(samples: Int16Array): Buffer {
  const file = Buffer.alloc(headerLength + 2 * samples.length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(linear, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(speechRate, 24);
  file.writeUInt32LE(2 * speechRate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples.length, 40);
  for (let index = 0; index < samples.length; index++)
    file.writeInt16LE(samples[index]!, headerLength + 2 * index);
  return file;
}
