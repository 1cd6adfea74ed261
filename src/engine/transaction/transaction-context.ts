import type { Clock, SipTimers } from '../clock.js';
import type { Transport } from '../transport/flow.js';
import type { TransactionLimits } from './limits.js';
import type { TransactionLayerUser } from './transaction.js';

/** Since start; for metrics. */
export interface TransactionStatistics {
  /** Retransmitted requests received, and answers or ACKs repeated in response. */
  retransmissionsReceived: number;
  /** Requests and final responses sent again by a timer. */
  retransmissionsSent: number;
  /** Malformed requests that were answered, and malformed responses and ACKs that were dropped. */
  malformed: number;
  /** Responses that match no transaction. */
  strayResponses: number;
  /** Merged requests answered 482 (RFC 3261 §8.2.2.2). */
  merged: number;
  /** Requests of either side refused for load. */
  overloaded: number;
  /** Requests of scanners, refused or ignored. */
  screened: number;
  /** Requests that the layer above did not answer within the bound. */
  unanswered: number;
}

/** What all transactions of a layer share. */
export interface TransactionContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly limits: TransactionLimits;
  readonly user: TransactionLayerUser;
  readonly statistics: TransactionStatistics;
  /** Unique ids, for the layers above. */
  newId(): string;
  newBranch(): string;
  newTag(): string;
}

/** Timers B, F, H, J, L, M and what else lasts 64·T1 (RFC 3261 table 4, RFC 6026 §7). */
export const transactionTimeout = (timers: SipTimers): number => 64 * timers.t1;

/** Clock rounding must not make a deadline appear to be in the future when its timer fires. */
export const isDue = (clock: Clock, deadline: number): boolean => clock.now() >= deadline - 1;

/** A transaction was used in a way its state does not allow: a defect of the program, not a fault of the network. */
export class TransactionStateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransactionStateError';
  }
}
