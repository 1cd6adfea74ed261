/** What a test call plays: a chime that nobody takes for speech or for a telephone's own tones, as a WAV file. */

const rate = 8_000;
/** A major chord upwards, in hertz. */
const notes = [523, 659, 784] as const;
const noteSeconds = 0.6;
const pauseSeconds = 0.4;
/** A quarter of full scale: well audible, far from clipping. */
const amplitude = 8_000;
/** A note that begins or ends at once clicks. */
const fadeSeconds = 0.01;

/** How often it is played. */
export const announcementTimes = 3;

const samplesOf = (seconds: number): number => Math.round(seconds * rate);

function sampleAt(note: number, index: number, length: number): number {
  const fade = Math.min(1, index / samplesOf(fadeSeconds), (length - index) / samplesOf(fadeSeconds));
  return Math.round(amplitude * fade * Math.sin((2 * Math.PI * note * index) / rate));
}

/** ITU-T G.711 µ-law, so that the file fits into one datagram with room to spare. */
function muLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

function makeFile(): Buffer {
  const length = samplesOf(noteSeconds);
  const data = Buffer.alloc(notes.length * length + samplesOf(pauseSeconds), muLaw(0));
  notes.forEach((note, place) => {
    for (let index = 0; index < length; index++) {
      data[place * length + index] = muLaw(sampleAt(note, index, length));
    }
  });
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

export const announcement: Buffer = makeFile();

/** Of all times that it is played. */
export const announcementMilliseconds =
  announcementTimes * (notes.length * noteSeconds + pauseSeconds) * 1_000;
