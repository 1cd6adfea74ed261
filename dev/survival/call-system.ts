import type { SipPeer } from '../../src/testkit/sip-peer.js';

/** What held calls need of the system that carries them. */
export interface CallSystem {
  /** A trunk with one TLS connection. */
  caller(): Promise<SipPeer>;
  /** A new number, whose calls come from that trunk and go to it; its digits. */
  number(trunk: SipPeer): Promise<string>;
  /** Orders a call from the number to the trunk. */
  order(number: string): Promise<void>;
  /** How many of the calls with these Call-IDs have one complete record. */
  records(
    callIds: readonly string[],
  ): Promise<{ readonly complete: number; readonly problems: readonly string[] }>;
  /** A trunk at the address where the calls continue after the event; absent: where they were, so that requests wait meanwhile. */
  laterCaller?(): Promise<SipPeer>;
  /** Rejects when ended calls have left something anywhere. */
  ended(): Promise<void>;
}
