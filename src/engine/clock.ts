export type { Clock, Timer } from '../base/clock.js';

/** RFC 3261 §17.1.1.1 and table 4; milliseconds. All other timers are derived from these. */
export interface SipTimers {
  readonly t1: number;
  readonly t2: number;
  readonly t4: number;
}

export const standardTimers: SipTimers = { t1: 500, t2: 4000, t4: 5000 };
