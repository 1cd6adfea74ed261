import type { CallProgress, OrderedPhase } from '../../contract/commands.js';
import type { SecretBox } from '../../contract/secret.js';
import type { AdmissionChain } from '../admission/chain.js';
import type { CallDeps } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import type { FailoverStates } from '../routing/failover-states.js';
import type { TrunkTarget } from '../routing/targets.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { AgentCredentials } from './agent-credentials.js';
import type { OutboundPlaces } from './pacing/outbound-places.js';

/** Dependencies of outbound calls besides those of every call. */
export interface OutboundDeps {
  readonly calls: CallDeps;
  readonly table: CallTable;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly admission: Pick<AdmissionChain, 'enterPaced' | 'refuseWhileBusy'>;
  readonly places: Pick<OutboundPlaces, 'enter'>;
  readonly agents: Pick<AgentCredentials, 'refusal'>;
  readonly secrets: SecretBox;
  readonly failover: Pick<FailoverStates, 'order' | 'failed' | 'answered'>;
  readonly defaultAgentUri: string;
  /** True once the edge is draining. */
  readonly isDraining: () => boolean;
  /** Called for each server that answers a call: it is up, even if it ignores probes. */
  readonly answeredBy: (target: TrunkTarget) => void;
}

/** Receives the progress of an ordered call. */
export type ReportProgress = (phase: OrderedPhase, progress?: CallProgress) => void;
