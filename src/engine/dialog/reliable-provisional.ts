import type { SipRequest } from '../../sip/message.js';
import type { Clock, SipTimers, Timer } from '../clock.js';

/** A response queued behind an unacknowledged provisional one. */
type Waiting = () => void;

/**
 * Reliable provisional responses of one INVITE, RFC 3262 §3: numbered, repeated at T1, 2·T1, 4·T1 … until their PRACK, one
 * at a time; responses behind an unacknowledged one wait. After 64·T1 without PRACK, `expired`.
 */
export class ReliableProvisionals {
  private sequence: number;
  private unacknowledged: number | undefined;
  private waiting: Waiting[] = [];
  private timer: Timer | undefined;
  private interval = 0;
  private deadline = 0;

  /** `firstSequence`: RSeq of the first one, below 2**31. */
  constructor(
    private readonly clock: Clock,
    private readonly timers: SipTimers,
    firstSequence: number,
    private readonly expired: () => void,
  ) {
    this.sequence = firstSequence - 1;
  }

  get isWaiting(): boolean {
    return this.unacknowledged !== undefined;
  }

  /** The RSeq for the next reliable response; taken even when that response has to wait. */
  nextSequence(): number {
    this.sequence += 1;
    return this.sequence;
  }

  /** Starts repeating a response that was just sent. */
  sent(rseq: number, repeat: () => void): void {
    this.unacknowledged = rseq;
    this.interval = this.timers.t1;
    this.deadline = this.clock.now() + 64 * this.timers.t1;
    this.arm(repeat);
  }

  /** Holds a response back until the one before it is acknowledged. */
  enqueue(send: Waiting): void {
    this.waiting.push(send);
  }

  /** True when the PRACK acknowledges the outstanding response (RAck: RSeq, CSeq number, method). */
  matches(prack: SipRequest, inviteSequence: number): boolean {
    if (this.unacknowledged === undefined) return false;
    const [rseq, sequence, method] = (prack.headers.get('RAck') ?? '').split(/[ \t]+/);
    return Number(rseq) === this.unacknowledged && Number(sequence) === inviteSequence && method === 'INVITE';
  }

  /** The outstanding response is acknowledged: the next may go. */
  acknowledged(): void {
    this.stopTimer();
    this.unacknowledged = undefined;
    while (this.unacknowledged === undefined) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  stop(): void {
    this.stopTimer();
    this.unacknowledged = undefined;
    this.waiting = [];
  }

  private arm(repeat: () => void): void {
    const left = this.deadline - this.clock.now();
    this.timer = this.clock.after(Math.max(0, Math.min(this.interval, left)), () => {
      this.timer = undefined;
      if (this.clock.now() >= this.deadline - 1) {
        this.expired();
        return;
      }
      repeat();
      this.interval *= 2;
      this.arm(repeat);
    });
  }

  private stopTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
