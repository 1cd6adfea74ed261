import type { SpokenLine } from '../contract/voice-call.js';
import { packetMilliseconds, samplesPerPacket } from '../rtp/g711.js';
import { levelOf, SpeechDetector } from '../rtp/speech-detector.js';

const silence = new Int16Array(samplesPerPacket);

/** A line to be spoken, without the silence around it. */
interface Line {
  readonly line: number;
  readonly frames: readonly Int16Array[];
}

/** Cuts samples into frames and drops the silence before and after. Undefined: nothing is audible. */
function lineOf(line: number, samples: Int16Array): Line | undefined {
  const frames: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += samplesPerPacket) {
    const frame = new Int16Array(samplesPerPacket);
    frame.set(samples.subarray(at, at + samplesPerPacket));
    frames.push(frame);
  }
  const detector = new SpeechDetector();
  const changes = frames.flatMap((frame) => detector.push(levelOf(frame)) ?? []);
  const end = detector.finish();
  if (end !== undefined) changes.push(end);
  const [first, last] = [changes.at(0), changes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { line, frames: frames.slice(first.frame, last.frame) };
}

/** What the caller says: one frame at a time, silence between lines. Times are milliseconds since the answer. */
export class SpokenAudio {
  private readonly spoken: SpokenLine[] = [];
  private current: { readonly line: Line; readonly from: number; position: number } | undefined;
  private readonly waiting: Line[] = [];
  private bargeIn: { readonly line: Line; readonly milliseconds: number; at: number | undefined } | undefined;

  constructor(private readonly said: (line: SpokenLine) => void) {}

  get lines(): readonly SpokenLine[] {
    return this.spoken;
  }

  get isSpeaking(): boolean {
    return this.current !== undefined;
  }

  /**
   * @param bargeInMilliseconds after the agent's next beginning, which the line interrupts; null: after earlier lines
   * @returns false: the audio is silent
   */
  say(line: number, samples: Int16Array, bargeInMilliseconds: number | null): boolean {
    const read = lineOf(line, samples);
    if (read === undefined) return false;
    if (bargeInMilliseconds === null) this.waiting.push(read);
    else this.bargeIn = { line: read, milliseconds: bargeInMilliseconds, at: undefined };
    return true;
  }

  /** The agent began to speak. */
  agentBegan(at: number): void {
    if (this.bargeIn !== undefined) this.bargeIn.at ??= at + this.bargeIn.milliseconds;
  }

  /** The frame to be sent now. */
  frame(now: number): Int16Array {
    if (this.bargeIn?.at !== undefined && now >= this.bargeIn.at) {
      this.waiting.unshift(this.bargeIn.line);
      this.bargeIn = undefined;
    }
    if (this.current === undefined) {
      const line = this.waiting.shift();
      if (line === undefined) return silence;
      this.current = { line, from: now, position: 0 };
    }
    const { current } = this;
    const frame = current.line.frames[current.position++]!;
    if (current.position === current.line.frames.length) this.endLine(now + packetMilliseconds, false);
    return frame;
  }

  /** Falls silent, and forgets what waits. */
  stop(now: number): void {
    this.waiting.length = 0;
    this.finish(now);
  }

  /** The call ended. */
  finish(now: number): void {
    if (this.current !== undefined) this.endLine(now, true);
  }

  /** Keys that were pressed, which are a line as well. */
  pressed(line: number, from: number, to: number): void {
    const spoken = { line, from: Math.round(from), to: Math.round(to), isCut: false };
    this.spoken.push(spoken);
    this.said(spoken);
  }

  private endLine(to: number, isCut: boolean): void {
    const { line, from } = this.current!;
    this.current = undefined;
    const spoken = { line: line.line, from: Math.round(from), to: Math.round(to), isCut };
    this.spoken.push(spoken);
    this.said(spoken);
  }
}
