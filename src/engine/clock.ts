/** Time as the protocol layers see it. Injected, so that 32 seconds pass in a millisecond in tests. */
export interface Clock {
  /** Monotonic milliseconds: for intervals only. */
  now(): number;
  /** Calls back once after `milliseconds`. */
  after(milliseconds: number, callback: () => void): Timer;
}

export interface Timer {
  /** Forgets the callback; harmless when it was called already. */
  cancel(): void;
}

/** RFC 3261 §17.1.1.1 and table 4; milliseconds. All other timers are derived from these. */
export interface SipTimers {
  readonly t1: number;
  readonly t2: number;
  readonly t4: number;
}

export const standardTimers: SipTimers = { t1: 500, t2: 4000, t4: 5000 };
