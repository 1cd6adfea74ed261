import { waveFile } from './wave-file.js';

/** Quiet notes of one chord, up and down: seven seconds that may be repeated for long without annoying. */
const hertz = [262, 330, 392, 523, 392, 330, 262] as const;
const noteSeconds = 0.9;
const pauseSeconds = 0.7;
/** A tenth of full scale. */
const amplitude = 3_200;

let made: Buffer | undefined;

/** What the trunk's party hears while the call is on hold, as a WAV file; made at the first hold, because it would delay the start of the edge. */
export function holdMusic(): Buffer {
  made ??= waveFile(
    hertz.map((pitch) => ({ hertz: pitch, seconds: noteSeconds, amplitude })),
    pauseSeconds,
  );
  return made;
}
