/** One cadence of 20 ms for all calls, in four phases, so that not all of them send at once. */

export const phaseCount = 4;
export const frameMilliseconds = 20;
const stepMilliseconds = frameMilliseconds / phaseCount;
/** More would be a burst that the next jitter buffer drops. */
const mostFramesAtOnce = 3;
const buckets = 200;
const windowMilliseconds = 5_000;

/** What one phase has to do. */
export interface Tick {
  readonly phase: number;
  /** 1; after a stall up to 3. */
  readonly frames: number;
  /** Frames whose time has passed: nothing is sent for them, but RTP time passes. */
  readonly skipped: number;
  /** Monotonic milliseconds. */
  readonly now: number;
}

export interface PhaseClock {
  now(): number;
  after(milliseconds: number, callback: () => void): { cancel(): void };
}

/**
 * Deadlines are multiples from one monotonic origin: a timer that is set again after its work would drift. Measures how late the
 * ticks are, by which a process judges whether it can carry more calls.
 */
export class Phases {
  private origin = 0;
  /** Of the last step that was done, from the origin. */
  private step = -1;
  private timer: { cancel(): void } | undefined;
  private isRunning = false;
  private readonly tick = { phase: 0, frames: 0, skipped: 0, now: 0 };
  private readonly lateness = [new Uint32Array(buckets), new Uint32Array(buckets)];
  private windowEnds = 0;
  skippedFrames = 0;

  constructor(
    private readonly act: (tick: Tick) => void,
    private readonly clock: PhaseClock,
  ) {}

  /** Without effect while it runs. */
  start(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.origin = this.clock.now();
    this.step = -1;
    for (const counts of this.lateness) counts.fill(0);
    this.windowEnds = this.origin + windowMilliseconds;
    this.wait();
  }

  stop(): void {
    this.isRunning = false;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Milliseconds within which 99 of 100 ticks of the last five to ten seconds were done. */
  get latenessP99(): number {
    let total = 0;
    for (const counts of this.lateness) for (const count of counts) total += count;
    let left = total / 100;
    for (let bucket = buckets - 1; bucket > 0; bucket--) {
      left -= this.lateness[0]![bucket]! + this.lateness[1]![bucket]!;
      if (left < 0) return bucket;
    }
    return 0;
  }

  private wait(): void {
    if (!this.isRunning) return;
    const due = this.origin + (this.step + 1) * stepMilliseconds;
    this.timer = this.clock.after(Math.max(0, due - this.clock.now()), () => this.run());
  }

  private run(): void {
    const now = this.clock.now();
    const last = Math.floor((now - this.origin) / stepMilliseconds);
    const first = this.step + 1;
    if (last >= first) this.measure(now - (this.origin + first * stepMilliseconds), now);
    // Each phase once, the one that is latest first.
    for (let step = first; step <= Math.min(last, first + phaseCount - 1); step++) {
      const due = Math.floor((last - step) / phaseCount) + 1;
      const { tick } = this;
      tick.phase = step % phaseCount;
      tick.frames = Math.min(due, mostFramesAtOnce);
      tick.skipped = due - tick.frames;
      tick.now = now;
      this.skippedFrames += tick.skipped;
      this.act(tick);
    }
    this.step = Math.max(this.step, last);
    this.wait();
  }

  private measure(milliseconds: number, now: number): void {
    if (now >= this.windowEnds) {
      this.lateness.reverse();
      this.lateness[0]!.fill(0);
      this.windowEnds = now + windowMilliseconds;
    }
    const counts = this.lateness[0]!;
    const bucket = Math.min(buckets - 1, Math.floor(milliseconds));
    counts[bucket] = counts[bucket]! + 1;
  }
}
