/** Time as protocol logic sees it. Injected, so that 32 seconds pass in a millisecond in tests. */
export interface Clock {
  /** Monotonic milliseconds: for intervals only. */
  now(): number;
  /** Calls back once after `milliseconds`. */
  after(milliseconds: number, callback: () => void): Timer;
}

export interface Timer {
  /** Cancels the callback; no effect once it was called. */
  cancel(): void;
}
