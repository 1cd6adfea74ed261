import type { Clock, SipTimers, Timer } from '../clock.js';

/**
 * Repeats a 2xx to INVITE until its ACK: T1, doubled up to T2, on every transport, because the ACK is end to end
 * (RFC 3261 §13.3.1.4). After 64·T1 without it, `expired`.
 */
export class SuccessSupervision {
  private timer: Timer | undefined;
  private interval: number;
  private readonly deadline: number;

  constructor(
    private readonly clock: Clock,
    private readonly timers: SipTimers,
    private readonly repeat: () => void,
    private readonly expired: () => void,
  ) {
    this.interval = timers.t1;
    this.deadline = clock.now() + 64 * timers.t1;
    this.arm();
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private arm(): void {
    const left = this.deadline - this.clock.now();
    this.timer = this.clock.after(Math.max(0, Math.min(this.interval, left)), () => this.fire());
  }

  private fire(): void {
    this.timer = undefined;
    // Clock rounding must not make the deadline appear to be in the future.
    if (this.clock.now() >= this.deadline - 1) {
      this.expired();
      return;
    }
    this.repeat();
    this.interval = Math.min(this.interval * 2, this.timers.t2);
    this.arm();
  }
}
