import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { SessionAudio } from '../media/session-audio.js';
import type { InfoDigit } from '../sip/dtmf-info.js';

/** Between two digits; RFC 4733 §2.5.1.2 leaves it to the sender, telephones need at least 40 ms. */
const pauseMilliseconds = 60;

/** Queued digits; people do not type further ahead. */
const maximumWaiting = 32;

/**
 * Plays digits received by INFO to a side as RTP events, one after the other. Resolves when rtpengine has started this one;
 * rejects if it cannot.
 */
export class DigitPlayer {
  private readonly last: Record<MediaSide, Promise<void>> = {
    trunk: Promise.resolve(),
    agent: Promise.resolve(),
  };
  private waiting = 0;
  private toTrunk = false;

  /** @param audio undefined: the call has ended */
  constructor(private readonly audio: () => Pick<SessionAudio, 'playDigit'> | undefined) {}

  /** Digits of an order, or of the API, are being sent to the trunk. */
  get isSending(): boolean {
    return this.toTrunk;
  }

  /** Marks the digits as being sent until the work is done. */
  async sending<Result>(work: () => Promise<Result>): Promise<Result> {
    this.toTrunk = true;
    try {
      return await work();
    } finally {
      this.toTrunk = false;
    }
  }

  async play(to: MediaSide, { digit, milliseconds }: InfoDigit): Promise<void> {
    if (this.waiting >= maximumWaiting) throw new Error('Too many digits are waiting to be played.');
    const before = this.last[to];
    this.waiting += 1;
    const begun = before.then(() => this.begin(to, digit, milliseconds)).finally(() => (this.waiting -= 1));
    this.last[to] = begun.then(
      () => sleep(milliseconds + pauseMilliseconds),
      () => {},
    );
    await begun;
  }

  private async begin(to: MediaSide, digit: string, milliseconds: number): Promise<void> {
    const audio = this.audio();
    if (audio === undefined) throw new Error('The call has ended.');
    if (!(await audio.playDigit(to, digit, milliseconds))) throw new Error('There is no audio stream.');
  }
}
