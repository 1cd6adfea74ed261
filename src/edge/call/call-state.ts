import type { OwnText } from '../../base/own-text.js';
import type { AgentMetadata } from '../../contract/agent-metadata.js';
import type { AttemptRecord, EndedBy, EndReason } from '../../contract/call-record.js';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { TransferRecord } from '../../contract/transfer.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { AgreedSession } from '../sip/session-timer.js';
import type { CallPhase } from './call-phase.js';

/** How a call ended, decided once. */
export interface Ending {
  readonly reason: EndReason;
  readonly by: EndedBy;
  /** For the record: what an operator should know or do. */
  readonly detail?: string | undefined;
}

/** Last session descriptions of one side: received from it, and sent to it. They hold SRTP keys; never logged. */
export interface Descriptions {
  readonly remote: string | undefined;
  readonly local: string | undefined;
}

/** Deadlines that end a call. */
export type DeadlineKind =
  | 'agent_response'
  | 'agent_answer'
  | 'trunk_progress'
  | 'trunk_answer'
  | 'maximum_duration';

/** Everything that the record and another process need from a call, as plain data. Only `Call` changes it. */
export interface CallState {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly phase: CallPhase;
  readonly from: string;
  readonly to: string;
  /** The peer of the trunk's leg: the source of an inbound call, the last server of an outbound one. */
  readonly source: { readonly address: string; readonly port: number; readonly protocol: string };
  /** Of the last attempt. */
  readonly trunkSipCallId: string;
  readonly earlierTrunkSipCallIds: readonly string[];
  readonly attempts: readonly AttemptRecord[];
  readonly agentSipCallId: string | null;
  /** Agents of a group that rang and did not get the call. */
  readonly otherAgentSipCallIds: readonly string[];
  readonly organization: string | null;
  readonly number: string | null;
  readonly agentUri: string | null;
  /** Of the agent test that the call is; null: of none. */
  readonly testRunId: string | null;
  /** drachtio's ids of the dialogs. */
  readonly trunkDialogId: string | null;
  readonly agentDialogId: string | null;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly ringingAt: number | null;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
  readonly sipStatus: number | null;
  readonly sipReason: string | null;
  readonly ending: Ending | null;
  /** Admitted: the call gets a record even if this process is killed. */
  readonly isAdmitted: boolean;
  /** Refused only with a digest challenge: the caller is expected to come again. */
  readonly isChallenged: boolean;
  /** Refused in a flood: no log line and no record. */
  readonly isUnrecorded: boolean;
  /** True: a transfer has replaced the first party of that side. */
  readonly newParties: Readonly<Record<MediaSide, boolean>>;
  /** Transfers that have an outcome, in order. */
  readonly transfers: readonly TransferRecord[];
  /** What the agent noted of the call, for its record. */
  readonly agentMetadata: AgentMetadata;
  readonly descriptions: Readonly<Record<MediaSide, Descriptions>>;
  /** Session timers in force (RFC 4028). */
  readonly sessions: Readonly<Record<MediaSide, AgreedSession | undefined>>;
  /** How the agent's variables become headers for the trunk. */
  readonly trunkMappings: readonly HeaderMapping[];
  /** From the answer on. */
  readonly maximumSeconds: number;
  /** Unix milliseconds; null: nothing is awaited. */
  readonly deadline: { readonly kind: DeadlineKind; readonly at: number } | null;
  /** Of the replacement for a lost media session, or null. */
  readonly nextMediaId: string | null;
  /** Edges that held the call before, and when each was replaced (Unix milliseconds). */
  readonly adoptions: readonly { readonly at: number; readonly edge_id: string }[];
  /** When both sides got a media description of another node, or of the restarted one. */
  readonly mediaMoves: readonly MediaMove[];
  /** Its slots within limits that all edges share. */
  readonly sharedSlots: readonly SharedSlot[];
}

/** The call's media node was lost. */
export interface MediaMove {
  /** Unix milliseconds; when both sides had their new description. */
  readonly at: number;
  readonly from: string | null;
  readonly to: string;
  /** From the discovery of the loss. */
  readonly milliseconds: number;
}

/** What is known of a call when it begins. */
export type CallBeginning = Pick<
  CallState,
  'id' | 'direction' | 'from' | 'to' | 'source' | 'trunkSipCallId'
> &
  Partial<Pick<CallState, 'number' | 'organization' | 'agentUri' | 'agentSipCallId'>> & {
    /** Offers that came with the call. */
    readonly trunkOffer?: string | undefined;
    readonly agentOffer?: string | undefined;
  };

/** What most calls never have, once for all of them. */
const none: readonly never[] = [];
const noParties = { trunk: false, agent: false } as const;
const noSessions = { trunk: undefined, agent: undefined } as const;
const noMetadata: AgentMetadata = {};

export function initialState(
  { trunkOffer, agentOffer, ...beginning }: CallBeginning,
  maximumSeconds: number,
): CallState {
  return {
    agentSipCallId: null,
    organization: null,
    number: null,
    agentUri: null,
    testRunId: null,
    ...beginning,
    phase: 'offered',
    earlierTrunkSipCallIds: none,
    otherAgentSipCallIds: none,
    attempts: none,
    trunkDialogId: null,
    agentDialogId: null,
    startedAt: Date.now(),
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    sipStatus: null,
    sipReason: null,
    ending: null,
    isAdmitted: false,
    isChallenged: false,
    isUnrecorded: false,
    newParties: noParties,
    transfers: none,
    agentMetadata: noMetadata,
    descriptions: {
      trunk: { remote: trunkOffer, local: undefined },
      agent: { remote: agentOffer, local: undefined },
    },
    sessions: noSessions,
    trunkMappings: none,
    maximumSeconds,
    deadline: null,
    nextMediaId: null,
    adoptions: none,
    mediaMoves: none,
    sharedSlots: none,
  };
}

/** Copies the texts that are parts of messages, which they would keep in memory as long as the call. */
export function keepApart(
  state: { -readonly [Field in keyof CallState]: CallState[Field] },
  own: OwnText,
): void {
  state.from = own(state.from);
  state.to = own(state.to);
  state.trunkSipCallId = own(state.trunkSipCallId);
  if (state.agentSipCallId !== null) state.agentSipCallId = own(state.agentSipCallId);
  const { address, port, protocol } = state.source;
  state.source = { address: own(address), port, protocol };
  const { trunk, agent } = state.descriptions;
  state.descriptions = { trunk: ownDescriptions(trunk, own), agent: ownDescriptions(agent, own) };
}

const ownDescriptions = ({ remote, local }: Descriptions, own: OwnText): Descriptions => ({
  remote: remote === undefined ? undefined : own(remote),
  local,
});
