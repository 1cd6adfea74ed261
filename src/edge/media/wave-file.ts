import { encodeMuLaw } from '../../rtp/g711.js';

/** Tones as WAV files that fit into one datagram to rtpengine: G.711 µ-law, 8 kHz, one channel. */

const rate = 8_000;
/** A note that begins or ends abruptly clicks. */
const fadeSeconds = 0.01;

export interface Note {
  readonly hertz: number;
  readonly seconds: number;
  /** Largest sample, of 32,767. */
  readonly amplitude: number;
}

const samplesOf = (seconds: number): number => Math.round(seconds * rate);

function samples({ hertz, seconds, amplitude }: Note): Buffer {
  const length = samplesOf(seconds);
  const fading = samplesOf(fadeSeconds);
  const data = Buffer.alloc(length);
  for (let index = 0; index < length; index++) {
    const fade = Math.min(1, index / fading, (length - index) / fading);
    data[index] = encodeMuLaw(Math.round(amplitude * fade * Math.sin((2 * Math.PI * hertz * index) / rate)));
  }
  return data;
}

/** The notes in sequence, then a pause. */
export function waveFile(notes: readonly Note[], pauseSeconds: number): Buffer {
  const data = Buffer.concat([...notes.map(samples), Buffer.alloc(samplesOf(pauseSeconds), encodeMuLaw(0))]);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  // WAVE_FORMAT_MULAW, one channel of 8 bits.
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
