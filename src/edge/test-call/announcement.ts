import { waveFile } from '../media/wave-file.js';

/** What a test call plays: a chime that resembles neither speech nor call progress tones, as a WAV file. */

/** A major chord upwards, in hertz. */
const notes = [523, 659, 784] as const;
const noteSeconds = 0.6;
const pauseSeconds = 0.4;
/** A quarter of full scale: well audible, far from clipping. */
const amplitude = 8_000;

/** How often it is played. */
export const announcementTimes = 3;

/** Made for each test call, because it would delay the start of the edge. */
export const announcement = (): Buffer =>
  waveFile(
    notes.map((hertz) => ({ hertz, seconds: noteSeconds, amplitude })),
    pauseSeconds,
  );

/** Total over all repetitions. */
export const announcementMilliseconds =
  announcementTimes * (notes.length * noteSeconds + pauseSeconds) * 1_000;
