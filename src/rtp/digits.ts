import { digitOf } from './telephone-event.js';

/** Telephone events in RTP (RFC 4733). */

const samplesPerTick = 160;
const endBit = 0x80;
/** -10 dBm0. */
const volume = 10;
/** The last packet of an event is sent three times (§2.5.1.4). */
const endPackets = 3;
const defaultMilliseconds = 120;
const pauseTicks = 4;
const longPauseTicks = 50;
const codes = '0123456789*#ABCD';

/** Digits that a peer presses, each once. */
export class DigitReader {
  /** All packets of one event carry the timestamp of its start (§2.3.3). */
  private timestamp: number | undefined;

  read(payload: Buffer, timestamp: number): string | undefined {
    if (timestamp === this.timestamp) return undefined;
    const digit = digitOf(payload);
    if (digit !== undefined) this.timestamp = timestamp;
    return digit;
  }
}

/** What to send in place of a frame; `pause`: nothing but the audio between two digits. */
export interface EventPacket {
  readonly payload: Uint8Array;
  readonly isMarked: boolean;
  /** Samples since the start of the event. */
  readonly offset: number;
}

interface Press {
  readonly code: number;
  readonly ticks: number;
}

/** Digits that are sent to a peer, one tick after another. `w` and `,` wait for a second. */
export class DigitWriter {
  private readonly queue: (Press | { readonly pause: number })[] = [];
  private current: Press | undefined;
  private tick = 0;
  private pause = 0;

  get isBusy(): boolean {
    return this.current !== undefined || this.pause > 0 || this.queue.length > 0;
  }

  /** @param milliseconds of each digit, at least 40 */
  write(digits: string, milliseconds = defaultMilliseconds): void {
    const ticks = Math.max(2, Math.round(milliseconds / 20));
    for (const digit of digits) {
      const code = codes.indexOf(digit.toUpperCase());
      if (code >= 0) this.queue.push({ code, ticks });
      else if (digit === 'w' || digit === ',') this.queue.push({ pause: longPauseTicks });
    }
  }

  /** The packet of this tick; undefined: none. */
  next(): EventPacket | undefined {
    if (this.pause > 0) {
      this.pause--;
      return undefined;
    }
    if (this.current === undefined) {
      const following = this.queue.shift();
      if (following === undefined) return undefined;
      if ('pause' in following) {
        this.pause = following.pause - 1;
        return undefined;
      }
      this.current = following;
      this.tick = 0;
    }
    const { code, ticks } = this.current;
    this.tick++;
    const isEnd = this.tick >= ticks;
    const duration = Math.min(this.tick, ticks) * samplesPerTick;
    const payload = Uint8Array.of(code, (isEnd ? endBit : 0) | volume, duration >> 8, duration & 0xff);
    const packet = { payload, isMarked: this.tick === 1, offset: (this.tick - 1) * samplesPerTick };
    if (this.tick === ticks + endPackets - 1) {
      this.current = undefined;
      this.pause = pauseTicks;
    }
    return packet;
  }
}
