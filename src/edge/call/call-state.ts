import type { AttemptRecord, EndedBy, EndReason } from '../../contract/call-record.js';
import type { TransferRecord } from '../../contract/transfer.js';

/** How a call ended, decided once. */
export interface Ending {
  readonly reason: EndReason;
  readonly by: EndedBy;
  /** For the record: what a person should know or do. */
  readonly detail?: string | undefined;
}

/** Everything about a call that its record and another process would need; plain data. */
export interface CallState {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  /** The far side of the trunk's leg: where an inbound call came from, where an outbound one went last. */
  source: { readonly address: string; readonly port: number; readonly protocol: string };
  /** Of the last attempt, when there were several. */
  trunkSipCallId: string;
  earlierTrunkSipCallIds: string[];
  readonly attempts: AttemptRecord[];
  agentSipCallId: string | null;
  /** Of agents that rang as well and did not get the call. */
  otherAgentSipCallIds: string[];
  organization: string | null;
  number: string | null;
  agentUri: string | null;
  /** drachtio's ids of the dialogs. */
  trunkDialogId: string | null;
  agentDialogId: string | null;
  /** Unix milliseconds. */
  readonly startedAt: number;
  ringingAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  sipStatus: number | null;
  sipReason: string | null;
  ending: Ending | null;
  /** True: a transfer has put somebody else into the place of that side's first party. */
  readonly newParties: { trunk: boolean; agent: boolean };
  /** Transfers that have an outcome, in order. */
  readonly transfers: TransferRecord[];
  /** Last descriptions of each side: what it told us, and what we told it. Hold SRTP keys; never logged. */
  readonly descriptions: Record<'trunk' | 'agent', { remote: string | undefined; local: string | undefined }>;
}
