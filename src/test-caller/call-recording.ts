import { encode, packetMilliseconds, samplesPerPacket } from '../rtp/g711.js';

/** Interleaved μ-law: the caller left, the agent right. */
type Report = (octets: Uint8Array) => void;

const silence = encode('PCMU', new Int16Array(samplesPerPacket));
/** Five seconds: parts leave while the call lasts, so that the process neither collects nor stalls. */
const framesPerPart = 250;
/** Ten minutes; the rest of a longer call is not recorded. */
export const longestRecordingMilliseconds = 600_000;
const mostFrames = longestRecordingMilliseconds / packetMilliseconds;

/** Both sides of a call since the answer, as the caller sent and heard them. */
export class CallRecording {
  private readonly caller: Uint8Array[] = [];
  private readonly agent: Uint8Array[] = [];
  /** Frames that have been reported. */
  private reported = 0;

  constructor(private readonly report: Report) {}

  /** @param frame its number since the answer; frames that were skipped are silent */
  said(frame: number, samples: Int16Array): void {
    this.fill(this.caller, frame);
    this.add(this.caller, samples);
    this.reportWhole();
  }

  /** The next frame that was heard; undefined: nothing came. */
  heard(samples: Int16Array | undefined): void {
    this.add(this.agent, samples);
    this.reportWhole();
  }

  /** The call has ended. */
  finish(): void {
    const frames = Math.max(this.caller.length, this.agent.length);
    for (const side of [this.caller, this.agent]) this.fill(side, this.reported + frames);
    this.take(frames);
  }

  private fill(side: Uint8Array[], until: number): void {
    while (this.reported + side.length < Math.min(until, mostFrames)) side.push(silence);
  }

  private add(side: Uint8Array[], samples: Int16Array | undefined): void {
    if (this.reported + side.length >= mostFrames) return;
    side.push(samples === undefined ? silence : encode('PCMU', samples));
  }

  private reportWhole(): void {
    if (Math.min(this.caller.length, this.agent.length) >= framesPerPart) this.take(framesPerPart);
  }

  private take(frames: number): void {
    if (frames === 0) return;
    const left = this.caller.splice(0, frames);
    const right = this.agent.splice(0, frames);
    this.reported += frames;
    const octets = new Uint8Array(2 * frames * samplesPerPacket);
    let at = 0;
    for (const [index, frame] of left.entries()) {
      const agentFrame = right[index]!;
      for (let sample = 0; sample < samplesPerPacket; sample++) {
        octets[at++] = frame[sample]!;
        octets[at++] = agentFrame[sample]!;
      }
    }
    this.report(octets);
  }
}
