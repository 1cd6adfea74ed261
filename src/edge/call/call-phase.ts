/**
 * How far a call has come.
 * - `offered`: an INVITE was received or an order claimed; admission decides
 * - `admitted`: it holds its slot within the limits
 * - `inviting`: our INVITE to the agent or to a server of the trunk is pending
 * - `early`: the called side rings
 * - `answered`: the trunk's INVITE has its 200, sent or received
 * - `confirmed`: both legs are joined and the trunk's 200 is acknowledged
 * - `ending`: BYE, CANCEL or the refusal is on its way, the media session is being deleted
 * - `ended`: its legs are released and its record is written
 *
 * Offer/answer exchanges and transfers run beside these, in an answered call: `OfferAnswer`, `Call.transfer`.
 */
export type CallPhase =
  | 'offered'
  | 'admitted'
  | 'inviting'
  | 'early'
  | 'answered'
  | 'confirmed'
  | 'ending'
  | 'ended';

export const callPhases = [
  'offered',
  'admitted',
  'inviting',
  'early',
  'answered',
  'confirmed',
  'ending',
  'ended',
] as const satisfies readonly CallPhase[];

/** From which phases a call may enter each. */
export const predecessors: Readonly<Record<CallPhase, readonly CallPhase[]>> = {
  offered: [],
  admitted: ['offered'],
  inviting: ['admitted'],
  early: ['inviting'],
  // From `admitted`: an INVITE with Replaces is answered without inviting an agent.
  answered: ['admitted', 'inviting', 'early'],
  confirmed: ['answered'],
  ending: ['offered', 'admitted', 'inviting', 'early', 'answered', 'confirmed'],
  ended: ['ending'],
};

/** An event that the call's state does not allow: a programming error, never the peer's. */
export class CallStateError extends Error {
  constructor(
    readonly callId: string,
    readonly from: string,
    readonly to: string,
  ) {
    super(`A call cannot go from ${from} to ${to}.`);
    this.name = 'CallStateError';
  }
}
