import type { Logger } from '../../base/log.js';
import type { EdgeSettings } from '../../config/edge-settings.js';
import type { Admission, AdmissionChain } from '../admission/chain.js';
import type { RefusalBudget } from '../admission/refusal-budget.js';
import type { InboundCall } from '../inbound/inbound-call.js';
import type { MediaWatch } from '../media/media-watch.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { RtpenginePool } from '../media/rtpengine-pool.js';
import type { EdgeMetrics } from '../metrics.js';
import type { CallStream } from '../record/call-stream.js';
import type { TargetGuard } from '../routing/target-guard.js';
import type { EngineLink, ReceivedRequest, ResponseSender } from '../sip/engine-link.js';
import type { TraceCollector } from '../trace/trace-collector.js';
import type { Call } from './call.js';
import type { CallTable } from './call-table.js';

type InDialog = (call: Call, side: MediaSide, request: ReceivedRequest, response: ResponseSender) => void;

/** An INVITE that is to take the place of a party of a call (RFC 3891). */
export interface Replacement {
  /** The number whose rules of admission hold: that of the call. */
  readonly number: string;
  /** Of the admitted INVITE; ends its call when it comes to nothing. */
  run(
    newcomer: InboundCall,
    offer: string | undefined,
    admission: Extract<Admission, { admitted: true }>,
  ): Promise<void>;
}

/** What a party can ask for about transfers. */
export interface TransferVerbs {
  /** What a Replaces header means, or the refusal that it is owed. */
  replacement(value: string): Replacement | { readonly status: number; readonly detail: string };
  readonly refer: InDialog;
  readonly notify: InDialog;
  readonly subscribe: InDialog;
  /** SUBSCRIBE with `Expires: 0`. */
  unsubscribed(call: Call, side: MediaSide): void;
}

/** What every call works with; one set a process. */
export interface CallParts {
  readonly settings: Pick<EdgeSettings, 'edgeId' | 'call' | 'drain'>;
  readonly engine: EngineLink;
  readonly admission: Pick<AdmissionChain, 'admit'>;
  readonly pool: RtpenginePool;
  /** Which of many calls that find no media are worth a record. */
  readonly mediaFailures: RefusalBudget;
  readonly watch: MediaWatch;
  /** WAV file that a caller hears when the agent is lost; undefined: the call ends at once. */
  readonly agentLostAnnouncement: Buffer | undefined;
  readonly traces: Pick<
    TraceCollector,
    'expect' | 'take' | 'peek' | 'forget' | 'recorded' | 'wasAnswered' | 'port'
  >;
  readonly stream: Pick<CallStream, 'publish'>;
  readonly metrics: EdgeMetrics;
  readonly table: CallTable;
  readonly transfers: TransferVerbs;
  /** Absent: every server of a number may be called. */
  readonly guardTarget: TargetGuard;
  readonly log: Logger;
}
