import type { OpenTransfer } from '../../contract/call-look.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { ConsultationStage } from '../../contract/transfer.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import type { Ending } from './call-state.js';

/** What admission grants to a call. */
export interface Grant {
  readonly number: string;
  readonly organization: string;
  /** Absent: the service's own bound. */
  readonly maximumSeconds?: number | undefined;
  /** Absent: no agent test. */
  readonly testRunId?: string | undefined;
  /** Gives back the slot when the call ends. */
  readonly release: () => void;
  /** Where all edges share the limit: what another process needs to hold it. */
  readonly shared?: SharedSlot | undefined;
}

export interface EndOptions {
  /** Sent to a caller whose INVITE has no final answer yet. */
  readonly answer?: FinalAnswer;
  /** Reason header value for the BYE or CANCEL of the legs that are still up. */
  readonly reason?: string | undefined;
  /** For the BYE to the trunk. */
  readonly trunkHeaders?: Readonly<Record<string, string>>;
  /** The connection to the engine is gone: nothing can be sent. */
  readonly engineIsGone?: boolean;
}

/** A transfer of one side until it has an outcome. */
export interface OngoingTransfer {
  /** For the live view; null once it has its outcome. */
  readonly description: OpenTransfer | null;
  /** rtpengine's call-id of its media session; null: it has none yet. */
  readonly mediaId: string | null;
  /** The transferor's subscription while it waits for the outcome. */
  readonly owedNotify: { readonly side: MediaSide; readonly id: string | null } | null;
  /** Of a warm transfer. */
  readonly stage?: ConsultationStage | null;
  /** True: the agent talks to the target, so that the call's own media session is not what it has. */
  readonly isApart?: boolean;
  /** One side has hung up. True: the call continues without it until the transfer has an outcome. */
  partyLeft(side: MediaSide, ending: Ending): boolean;
  /** The call has ended: ends the pending transfer; resolves when that is done. */
  callEnded(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void>;
  /** The connection to the engine was lost, and is back with the call's dialogs, but no other. */
  connectionLost(): void;
}

/** The dialog of a replaced side until it has ended. */
export interface LeavingLeg {
  end(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void>;
}
