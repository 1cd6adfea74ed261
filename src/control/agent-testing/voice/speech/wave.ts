import { speechRate } from './speech.js';

/** RIFF/WAVE with 16-bit linear samples at 8000 Hz. */

const linear = 1;
const headerLength = 44;

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
