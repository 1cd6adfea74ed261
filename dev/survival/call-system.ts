import type { SipPeer } from '../../src/testkit/sip-peer.js';
import type { TonePhone } from '../tone/tone-phone.js';

/** What held calls need of the system that carries them. */
export interface CallSystem {
  /** A trunk with one TLS connection. */
  caller(): Promise<SipPeer>;
  /** A new number, whose calls come from that trunk and go to it; its digits. */
  number(trunk: SipPeer): Promise<string>;
  /** Orders a call from the number to the trunk. Resolves with its id. */
  order(number: string): Promise<string>;
  /** Ends a call by the API; absent: its peers end all. */
  end?(callId: string): Promise<void>;
  /** Calls of other kinds. @param hertzOf a frequency that no other call has, by number from 0 */
  furtherCalls?(hertzOf: (index: number) => number): Promise<readonly TonePhone[]>;
  /** How many of the calls with these Call-IDs have one complete record. */
  records(
    callIds: readonly string[],
  ): Promise<{ readonly complete: number; readonly problems: readonly string[] }>;
  /** A trunk at the address where the calls continue after the event; absent: where they were, so that requests wait meanwhile. */
  readonly laterCaller?: (() => Promise<SipPeer>) | undefined;
  /** A trunk for the call that is begun after the event, where connections of before cannot be used; absent: as before. */
  readonly newCaller?: (() => Promise<SipPeer>) | undefined;
  /** Rejects when ended calls have left something anywhere. */
  ended(): Promise<void>;
}
