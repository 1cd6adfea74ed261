import type { ReceivedResponse } from '../call/engine-link.js';

/** The leg that wants a call to the trunk, as the trunk's leg sees it. */
export interface AgentSide {
  /** Its description; the trunk is offered what media makes of it. */
  readonly offer: string;
  /** Of the message that the call began with: what the header mappings read. */
  header(name: string): string | undefined;
  /** A provisional response of the trunk other than 100. */
  provisional(response: ReceivedResponse): void;
  /** In the turn of the trunk's 200. */
  answered(): void;
  /** Joins the two with what the trunk's 200 describes; the call is established then, or has ended. */
  join(sdp: string | undefined): Promise<void>;
}
