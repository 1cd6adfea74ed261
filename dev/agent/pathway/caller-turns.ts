import { encode, packetMilliseconds, samplesPerPacket } from '../../../src/rtp/g711.js';
import { HeardAudio } from '../../../src/rtp/heard-audio.js';

export interface CallerEvents {
  /** The caller begins to speak, or presses a key. */
  readonly began: () => void;
  /** A turn is over; samples at 8000 Hz. */
  readonly said: (samples: Int16Array) => void;
  /** Keys until `#` or a pause. */
  readonly pressed: (keys: string) => void;
}

/** Longer pauses end the keys of a turn. */
const keysFrames = 2_000 / packetMilliseconds;

/** Divides what the caller says and presses into turns. Its clock is that of the caller's frames, so that a stall of this process ends no turn. */
export class CallerTurns {
  private readonly heard: HeardAudio;
  private frames = 0;
  private keys = '';
  private keysUntil = 0;

  constructor(
    private readonly events: CallerEvents,
    endOfTurnMilliseconds: number,
  ) {
    this.heard = new HeardAudio(
      'PCMU',
      0,
      { endOfTurnMilliseconds },
      { began: () => events.began(), turn: ({ samples }) => events.said(samples) },
    );
  }

  /** The caller is speaking, or in the middle of keys. */
  get isActive(): boolean {
    return this.heard.isSpeaking || this.keys !== '';
  }

  /** @param samples 20 ms at 8000 Hz */
  frame(samples: Int16Array): void {
    const number = this.frames++;
    const at = number * packetMilliseconds;
    const timestamp = (number * samplesPerPacket) >>> 0;
    const packet = { payloadType: 0, isMarked: false, sequence: number & 0xffff, timestamp, source: 1 };
    this.heard.packet({ ...packet, payload: encode('PCMU', samples) }, at);
    this.heard.advance(at + packetMilliseconds);
    if (this.keys !== '' && this.frames >= this.keysUntil) this.endKeys();
  }

  key(key: string): void {
    if (this.keys === '') this.events.began();
    this.keys += key;
    this.keysUntil = this.frames + keysFrames;
    if (key === '#') this.endKeys();
  }

  private endKeys(): void {
    const { keys } = this;
    this.keys = '';
    this.events.pressed(keys);
  }
}
