import type { ReceivedResponse } from '../sip/messages.js';

/** Answers the trunk's own offer, in the ACK of its 200. */
export type Acknowledge = (answer: string) => Promise<void>;

/** The calling leg, as the trunk's leg sees it. */
export interface AgentSide {
  /** Its description; the trunk is offered what media makes of it. Absent: the trunk is asked for an offer. */
  readonly offer: string | undefined;
  /** Of the INVITE to the trunk; absent: the call begins with us. */
  readonly maxForwards?: number;
  /** Of the message that the call began with: what the header mappings read. */
  header(name: string): string | undefined;
  /** The trunk has the INVITE: it sent a provisional response, 100 or another one. Absent: no other edge begins this call again. */
  reached?(): void;
  /** A provisional response of the trunk other than 100. */
  provisional(response: ReceivedResponse): void;
  /** In the turn of the trunk's 200. */
  answered(): void;
  /**
   * Joins the two with what the trunk's 200 describes; the call is established in the end, unless it ends. `acknowledge`:
   * the 200 brought an offer, because there was none in our INVITE.
   */
  join(sdp: string | undefined, acknowledge?: Acknowledge): Promise<void>;
}
