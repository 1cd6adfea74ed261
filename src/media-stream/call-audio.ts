import { DigitWriter } from '../rtp/digits.js';
import { type G711, samplesPerPacket } from '../rtp/g711.js';
import { JitterBuffer } from '../rtp/jitter-buffer.js';
import type { Tick } from './audio/phases.js';
import { type PlayedMark, PlayoutQueue } from './audio/playout-queue.js';
import { type ToneName, toneFrames } from './audio/tones.js';
import type { RtpLeg } from './rtp-leg.js';

export interface CallAudioParts {
  readonly queueMilliseconds: number;
  /** One frame of the caller; it is used again after the call. */
  readonly toBot: (frame: Uint8Array, now: number) => void;
  /** The caller has come to a mark, or never will. */
  readonly reached: (mark: PlayedMark) => void;
}

/** Without a packet of the caller the bot's first words are not held back any longer. */
export const firstWordsMilliseconds = 400;
const silenceOf = { PCMU: 0xff, PCMA: 0xd5 } as const;

/** Both directions of one call, frame by frame: the caller's packets for the bot, and the bot's queue, tones and digits for the caller. */
export class CallAudio {
  codec: G711 = 'PCMU';
  private queue: PlayoutQueue;
  private jitter: JitterBuffer;
  private readonly digits = new DigitWriter();
  private readonly frame = new Uint8Array(samplesPerPacket);
  /** Monotonic; the bot's audio is held back until then, or until the caller is heard. */
  private talksFrom = 0;
  private isCallerHeard = false;
  private toneName: ToneName | undefined;
  private toneFrame = 0;
  /** The bot neither hears nor is heard: it is leaving the call. */
  isMuted = false;
  /** Nothing is sent to the caller: the edge plays an announcement. */
  isQuiet = false;

  constructor(private readonly parts: CallAudioParts) {
    this.queue = this.newQueue();
    this.jitter = new JitterBuffer(this.codec);
  }

  /** Begins again where the codec is another one. */
  useCodec(codec: G711): void {
    if (codec === this.codec) return;
    this.codec = codec;
    this.queue = this.newQueue();
    this.jitter = new JitterBuffer(codec);
  }

  get queuedMilliseconds(): number {
    return this.queue.queuedMilliseconds;
  }

  /** The caller has been answered just now: its own path may not be open yet. */
  answered(now: number): void {
    this.talksFrom = now + firstWordsMilliseconds;
  }

  /** What the caller hears where the bot is silent; undefined: silence. */
  set tone(name: ToneName | undefined) {
    this.toneName = name;
    this.toneFrame = 0;
  }

  get tone(): ToneName | undefined {
    return this.toneName;
  }

  /** A packet of the caller. */
  voice(sequence: number, timestamp: number, source: number, payload: Uint8Array, at: number): void {
    this.isCallerHeard = true;
    this.jitter.put(sequence, timestamp, source, payload, at);
  }

  /** Audio of the bot. Returns how many milliseconds were dropped, and whether they are the first ones. */
  push(octets: Uint8Array, now: number): { readonly dropped: number; readonly isFirst: boolean } {
    const { queue } = this;
    const dropped = queue.push(octets, now) / 8;
    return { dropped, isFirst: dropped > 0 && queue.droppedMilliseconds === dropped };
  }

  /** Of the bot. It is returned when what is queued now has been heard. */
  mark(name: string): void {
    const due = this.queue.mark(name);
    if (due !== undefined) this.parts.reached(due);
  }

  /** A file, behind what is queued, with the mark that ends it. False: there is no room. */
  playSound(octets: Uint8Array, sound: number): boolean {
    const { queue } = this;
    if (queue.queuedMilliseconds + octets.length / 8 > this.parts.queueMilliseconds) return false;
    queue.push(octets, performance.now());
    queue.mark('', sound);
    return true;
  }

  /** Empties the queue. Returns the marks that waited in it. */
  clear(): PlayedMark[] {
    return this.queue.clear();
  }

  press(digits: string, milliseconds: number | undefined): void {
    this.digits.write(digits, milliseconds);
  }

  /** What the caller hears in a tick of the call's phase. */
  speak(rtp: RtpLeg, { frames, skipped, now }: Tick): void {
    if (skipped > 0) rtp.skip(skipped);
    if (!this.isQuiet) for (let frame = 0; frame < frames; frame++) this.speakFrame(rtp, now);
  }

  /** What the bot hears in it. */
  hear({ frames, skipped, now }: Tick): void {
    const { jitter } = this;
    for (let frame = 0; frame < skipped; frame++) jitter.take(this.frame, now);
    for (let frame = 0; frame < frames; frame++) this.hearFrame(now);
    if (jitter.catchesUp()) this.hearFrame(now);
  }

  private hearFrame(now: number): void {
    const heard = this.jitter.take(this.frame, now);
    if (this.isMuted && heard !== 'silence') this.frame.fill(silenceOf[this.codec]);
    this.parts.toBot(this.frame, now);
  }

  private speakFrame(rtp: RtpLeg, now: number): void {
    const { digits, queue } = this;
    if (digits.isBusy) {
      const event = digits.next();
      if (event !== undefined) {
        rtp.sendEvent(event.payload, event.isMarked, event.offset);
        return;
      }
    }
    const mayTalk = this.isCallerHeard || now >= this.talksFrom;
    const isAudio = mayTalk && queue.take(rtp.frame, now);
    if (!isAudio) this.fillSilence(rtp.frame);
    rtp.sendFrame(now);
    for (const mark of queue.dueMarks()) this.parts.reached(mark);
  }

  private fillSilence(frame: Uint8Array): void {
    const { codec, toneName } = this;
    if (toneName === undefined) {
      frame.fill(silenceOf[codec]);
      return;
    }
    const frames = toneFrames(toneName, codec);
    frame.set(frames[this.toneFrame++ % frames.length]!);
  }

  private newQueue(): PlayoutQueue {
    const { queueMilliseconds: maximumMilliseconds } = this.parts;
    return new PlayoutQueue({ codec: this.codec, maximumMilliseconds });
  }
}
