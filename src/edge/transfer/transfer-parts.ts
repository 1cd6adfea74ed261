import type { SecretBox } from '../../contract/secret.js';
import type { CallTable } from '../call/call-table.js';
import type { EngineLink } from '../call/engine-link.js';
import type { FailoverStates } from '../outbound/failover/failover-states.js';
import type { OutboundPlaces } from '../outbound/pacing/outbound-places.js';
import type { TrunkStore } from '../trunk/trunk-store.js';

/** What transfers work with; one set a process. */
export interface TransferParts {
  readonly engine: EngineLink;
  readonly table: CallTable;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly places: Pick<OutboundPlaces, 'enter'>;
  readonly secrets: SecretBox;
  readonly failover: Pick<FailoverStates, 'order' | 'failed' | 'answered'>;
}
