import type { SecretBox } from '../../contract/secret.js';
import type { CallTable } from '../call/call-table.js';
import type { OutboundPlaces } from '../outbound/pacing/outbound-places.js';
import type { FailoverStates } from '../routing/failover-states.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { EngineLink } from '../sip/engine-link.js';

/** Dependencies of transfers; one set per process. */
export interface TransferDeps {
  readonly engine: EngineLink;
  readonly table: CallTable;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly places: Pick<OutboundPlaces, 'enter'>;
  readonly secrets: SecretBox;
  readonly failover: Pick<FailoverStates, 'order' | 'failed' | 'answered'>;
}
