import { sampleRate } from '../../../rtp/g711-decoding.js';
import type { StereoPiece } from '../../api/call-audio.js';

const leadSeconds = 0.2;
const mostSeconds = 1;

/** Plays what arrives a moment later, so that an uneven network does not interrupt it. */
export class CallSound {
  private readonly context = new AudioContext({ sampleRate });
  /** Seconds of the context's clock. */
  private playsUntil = 0;

  play({ left, right }: StereoPiece): void {
    const { context } = this;
    const now = context.currentTime;
    if (this.playsUntil < now) this.playsUntil = now + leadSeconds;
    // What a stalled network delivers at once would delay all that follows.
    if (this.playsUntil > now + mostSeconds) return;
    const buffer = context.createBuffer(2, left.length, sampleRate);
    buffer.copyToChannel(left, 0);
    buffer.copyToChannel(right, 1);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    source.start(this.playsUntil);
    this.playsUntil += left.length / sampleRate;
  }

  close(): void {
    void this.context.close();
  }
}
