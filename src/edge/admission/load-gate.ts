import { FairRate } from './fair-rate.js';

export interface LoadSettings {
  /** A setup may spend this long inside of us; above it fewer calls are admitted. 0: never fewer. */
  readonly setupDelayMilliseconds: number;
  /** So many calls a second are admitted however busy the machine is. */
  readonly minimumCallsPerSecond: number;
}

/** How often the limit is adapted. */
const windowMilliseconds = 100;
/** One late window is a pause, as for garbage collection; so many in a row are overload. */
const overloadedWindows = 2;
/** So few setups under way are no queue: where they take long all the same, fewer calls would help nobody. */
const queueLength = 8;
/** In overload the limit becomes this part of the setups that were completed, less the longer they took, so that the queue drains. */
const decrease = { most: 0.9, least: 0.3 };
/** Once the queue is gone, the limit goes on from this part of what was completed in overload. */
const recovery = 0.85;
const increase = 1.04;
/** With so many windows in a row that had no excess delay and did not reach the limit, there is none any more. */
const calmWindows = 50;
/** The rate of completed setups is averaged over so many windows. */
const rateWindows = 5;
/** Most calls that may come at once, in seconds of the limit: a burst waits in our own queue. */
const burstSeconds = 0.1;

/**
 * Sheds load before it becomes delay. Each window of 100 ms it compares the longest typical delay inside of us (engine's queue, event
 * loop, rtpengine) with what is allowed: above it the limit on admitted calls falls below what is completed, otherwise it rises
 * slowly (AIMD). The limit is shared fairly among organizations. Without excess delay, and
 * without a queue, there is no limit.
 */
export class LoadGate {
  private readonly rates: FairRate;
  /** Calls a second; undefined: no limit. */
  private limitNow: number | undefined;
  private delays: number[] = [];
  private loopDelay = 0;
  private refusedNow = 0;
  private underWay = 0;
  private mostUnderWay = 0;
  private readonly completed: number[] = [];
  /** Setups a second in the last overloaded window. */
  private capacity = 0;
  private calm = 0;
  private late = 0;
  private shedCount = 0;

  constructor(
    private readonly settings: LoadSettings,
    now: () => number,
  ) {
    this.rates = new FairRate(1, now);
  }

  /** Calls a second that are admitted now; undefined: no limit. */
  get limit(): number | undefined {
    return this.limitNow;
  }

  /** Calls refused for load since the start. */
  get shed(): number {
    return this.shedCount;
  }

  /** True while a call that can wait should. */
  get isOverloaded(): boolean {
    return this.limitNow !== undefined && this.rates.wait('', this.rateOf(this.limitNow)) > 0;
  }

  /** 0: the call of this organization may enter; else the seconds until it might. */
  take(organization: string): number {
    const limit = this.limitNow;
    const wait = limit === undefined ? 0 : this.rates.take('', organization, this.rateOf(limit));
    if (wait === 0) return 0;
    this.refusedNow++;
    this.shedCount++;
    return wait;
  }

  /** A setup begins. To be told once how long it took inside of us; without a time when it came to nothing. */
  begin(): (delayMilliseconds?: number) => void {
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    let isUnderWay = true;
    return (delayMilliseconds) => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.underWay--;
      if (delayMilliseconds !== undefined) this.delays.push(Math.max(0, delayMilliseconds));
    };
  }

  /** A delay of the event loop, in milliseconds. */
  observeLoop(delayMilliseconds: number): void {
    this.loopDelay = Math.max(this.loopDelay, delayMilliseconds);
  }

  /** The end of a window. */
  adapt(): void {
    const { setupDelayMilliseconds: allowed, minimumCallsPerSecond } = this.settings;
    const delay = Math.max(this.loopDelay, typical(this.delays));
    const wasLimited = this.refusedNow > 0;
    const isQueue = this.mostUnderWay >= queueLength;
    this.mostUnderWay = this.underWay;
    this.completed.push(this.delays.length);
    if (this.completed.length > rateWindows) this.completed.shift();
    this.delays = [];
    this.loopDelay = 0;
    this.refusedNow = 0;
    if (allowed === 0) return;
    this.late = delay > allowed && isQueue ? this.late + 1 : 0;
    if (this.late > 0) {
      this.calm = 0;
      if (this.late < overloadedWindows) return;
      this.capacity = this.rate;
      const part = Math.min(decrease.most, Math.max(decrease.least, allowed / delay));
      this.limitNow = Math.max(minimumCallsPerSecond, this.rate * part);
    } else if (this.limitNow !== undefined) {
      this.calm = wasLimited ? 0 : this.calm + 1;
      const next = Math.max(this.limitNow * increase, this.capacity * recovery);
      this.limitNow = this.calm >= calmWindows ? undefined : next;
    }
  }

  /** Starts adapting by the clock, with the event loop's delay. Returns what ends it. */
  run(): () => void {
    let due = performance.now() + windowMilliseconds;
    const timer = setInterval(() => {
      const now = performance.now();
      this.observeLoop(now - due);
      due = now + windowMilliseconds;
      this.adapt();
    }, windowMilliseconds);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Setups a second completed lately. */
  private get rate(): number {
    const calls = this.completed.reduce((sum, count) => sum + count, 0);
    return (calls * 1_000) / (windowMilliseconds * Math.max(1, this.completed.length));
  }

  private rateOf(perSecond: number): { perSecond: number; burst: number } {
    return {
      perSecond,
      burst: Math.max(this.settings.minimumCallsPerSecond / 2, perSecond * burstSeconds, 1),
    };
  }
}

/** The 80th percentile: one slow call is no overload. 0 of fewer than three. */
function typical(delays: readonly number[]): number {
  if (delays.length < 3) return 0;
  return delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.8)]!;
}
