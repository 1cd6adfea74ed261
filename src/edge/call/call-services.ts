import type { Logger } from '../../base/log.js';
import type { EdgeSettings } from '../../config/edge-settings.js';
import type { CallRecord, EndReason } from '../../contract/call-record.js';
import type { SecretBox } from '../../contract/secret.js';
import type { TransferRecord } from '../../contract/transfer.js';
import type { RefusalBudget } from '../admission/refusal-budget.js';
import type { Listenings } from '../listening/listenings.js';
import type { MediaWatch } from '../media/media-watch.js';
import type { NodeWatch } from '../media/node-watch.js';
import type { RtpenginePool } from '../media/rtpengine-pool.js';
import type { QualityWatch } from '../quality/quality-watch.js';
import type { TurnWatch } from '../quality/turn-watch.js';
import type { CallStream } from '../record/call-stream.js';
import type { TargetGuard } from '../routing/target-guard.js';
import type { EngineLink } from '../sip/engine-link.js';
import type { StreamServices } from '../streams/invite-stream.js';
import type { TraceCollector } from '../trace/trace-collector.js';
import type { CallStateError } from './call-phase.js';
import type { CallState } from './call-state.js';
import type { RequestGate } from './request-gate.js';

/** What came of moving the media of a call to another node, or to the restarted one. */
export const mediaMoveResults = ['moved', 'trunk_refused', 'agent_refused', 'no_node', 'failed'] as const;
export type MediaMoveResult = (typeof mediaMoveResults)[number];

/** Counters of calls. */
export interface CallMetrics {
  callAnswered(state: CallState): void;
  callRefused(reason: EndReason, status: number): void;
  callEnded(record: CallRecord): void;
  /** The node of an answered call was lost. */
  mediaMoved(result: MediaMoveResult): void;
  transferEnded(transfer: Pick<TransferRecord, 'mode' | 'reason'>): void;
}

/** The services that all calls of a process share. */
export interface CallServices {
  readonly settings: Pick<EdgeSettings, 'edgeId' | 'call' | 'drain' | 'rtpengine'>;
  readonly engine: EngineLink;
  readonly pool: RtpenginePool;
  readonly gate: RequestGate;
  /** Decides which calls without media get a record when many fail at once. */
  readonly mediaFailures: RefusalBudget;
  readonly watch: MediaWatch;
  readonly nodes: NodeWatch;
  readonly quality: Pick<QualityWatch, 'counted' | 'looked' | 'stop'>;
  readonly turns: Pick<TurnWatch, 'looked' | 'stop'>;
  readonly listenings: Pick<Listenings, 'begin' | 'end' | 'listenersOf' | 'size' | 'stop'>;
  /** WAV file that the trunk hears when the agent is lost; undefined: the call ends at once. */
  readonly agentLostAnnouncement: Buffer | undefined;
  readonly traces: Pick<
    TraceCollector,
    'expect' | 'take' | 'peek' | 'copy' | 'receiveCopy' | 'forget' | 'recorded' | 'wasAnswered' | 'port'
  >;
  readonly stream: Pick<CallStream, 'publish'>;
  readonly metrics: CallMetrics;
  readonly guardTarget: TargetGuard;
  /** Signs the tokens of calls, and seals the orders to media-stream processes. */
  readonly secrets: Pick<SecretBox, 'hasKey' | 'sign' | 'seal'>;
  readonly streams: StreamServices;
  /** Reports an event that the call's state does not allow; the event has no effect. */
  readonly illegalState: (error: CallStateError) => void;
  readonly log: Logger;
}
