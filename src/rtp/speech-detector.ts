/** Level of silence, in decibels below full scale. */
const quietest = -96;
const fullScale = 32_768;

/** A frame must exceed the noise by this much to be speech, in decibels. */
const margin = 9;
/** No quieter frame is speech, in dBov; codec and comfort noise are below. */
const faintest = -45;
const firstFloor = -55;
/** Loud noise must not make speech inaudible. */
const highestFloor = -35;
/** Decibels per frame by which the noise floor follows louder frames: without speech, and during it. */
const rise = { noise: 0.2, speech: 0.02 } as const;

/** Shorter sounds are clicks. */
const leastSpeechFrames = 2;
/** Shorter silences are pauses within words. */
export const leastSilenceFrames = 10;

/** Root mean square in decibels relative to full scale. */
export function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  if (sum === 0) return quietest;
  return Math.max(quietest, 10 * Math.log10(sum / samples.length) - 20 * Math.log10(fullScale));
}

/** Change of state that a frame confirmed; `frame` is the first one of the new state, which lies before. */
export type SpeechChange =
  | { readonly kind: 'began'; readonly frame: number }
  | { readonly kind: 'ended'; readonly frame: number };

/** Voice activity detection by energy over a noise floor that adapts; one call per frame of 20 ms, in order. */
export class SpeechDetector {
  private floor = firstFloor;
  private isSpeech = false;
  private frames = 0;
  private loudFrames = 0;
  private lastLoud = 0;

  /** @param level dBov; undefined: nothing was received, which is silence and no noise to learn */
  push(level: number | undefined): SpeechChange | undefined {
    const frame = this.frames++;
    if (level !== undefined && this.isLoud(level)) return this.loud(frame);
    this.loudFrames = 0;
    if (!this.isSpeech || frame - this.lastLoud < leastSilenceFrames) return undefined;
    this.isSpeech = false;
    return { kind: 'ended', frame: this.lastLoud + 1 };
  }

  /** The end of speech that lasts until now; undefined: none lasts. */
  finish(): SpeechChange | undefined {
    if (!this.isSpeech) return undefined;
    this.isSpeech = false;
    return { kind: 'ended', frame: this.lastLoud + 1 };
  }

  private loud(frame: number): SpeechChange | undefined {
    this.lastLoud = frame;
    this.loudFrames++;
    if (this.isSpeech || this.loudFrames < leastSpeechFrames) return undefined;
    this.isSpeech = true;
    return { kind: 'began', frame: frame - this.loudFrames + 1 };
  }

  private isLoud(level: number): boolean {
    const isLoud = level >= Math.max(this.floor + margin, faintest);
    if (level < this.floor) this.floor = Math.max(quietest, (this.floor + level) / 2);
    else
      this.floor = Math.min(
        highestFloor,
        this.floor + Math.min(level - this.floor, isLoud ? rise.speech : rise.noise),
      );
    return isLoud;
  }
}
