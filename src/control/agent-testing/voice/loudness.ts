import { samplesPerPacket } from '../../../rtp/g711.js';
import { levelOf } from '../../../rtp/speech-detector.js';

/** Quieter frames are pauses, in dBov. */
const faintest = -45;

/** Mean level of speech, without its pauses, as ITU-T P.56 has it. */
export class Loudness {
  private power = 0;
  private frames = 0;

  /** @param samples 8000 Hz */
  add(samples: Int16Array): void {
    for (let at = 0; at + samplesPerPacket <= samples.length; at += samplesPerPacket) {
      const level = levelOf(samples.subarray(at, at + samplesPerPacket));
      if (level < faintest) continue;
      this.power += 10 ** (level / 10);
      this.frames++;
    }
  }

  /** In dBov with one decimal; null: there was no speech. */
  get dBov(): number | null {
    return this.frames === 0 ? null : Math.round(100 * Math.log10(this.power / this.frames)) / 10;
  }
}
