import type { SipTimers } from '../clock.js';

/** Bounds of the transaction layer. Times in milliseconds. */
export interface TransactionLimits {
  /** Unanswered requests from the network at one time (and refused INVITEs without ACK); above it 503 with Retry-After. */
  readonly serverTransactions: number;
  /** Pending sent requests at one time; above it the engine answers 503 itself. */
  readonly clientTransactions: number;
  /** Ended transactions remembered to absorb retransmissions, on each side; above it the newest are not remembered. */
  readonly lingering: number;
  /** Retry-After of requests that are refused for load. */
  readonly retryAfterSeconds: number;
  /** After this a request that its user never answered gets 408: the guard against a leak above, not a ring timer. */
  readonly unanswered: number;
  /** Timer C: an INVITE with a provisional but no final is cancelled (RFC 3261 §16.6 item 11: more than 3 minutes). */
  readonly noFinal: number;
  /** How long a silent target is given while others are left; INVITE (whose 100 is due within 200 ms), other methods. */
  readonly inviteShare: number;
  readonly otherShare: number;
}

/** 20 000 live transactions are about 100 MB at worst; a lingering one is about 1 kB, an answered outgoing INVITE about 3 kB. Shares are 4·T1 and 16·T1. */
export function defaultLimits(timers: SipTimers): TransactionLimits {
  return {
    serverTransactions: 20_000,
    clientTransactions: 20_000,
    lingering: 200_000,
    retryAfterSeconds: 5,
    unanswered: 600_000,
    noFinal: 185_000,
    inviteShare: 4 * timers.t1,
    otherShare: 16 * timers.t1,
  };
}
