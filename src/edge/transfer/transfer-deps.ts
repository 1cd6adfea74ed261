import type { SecretBox } from '../../contract/secret.js';
import type { NamedDialog } from '../../sip/replaces.js';
import type { CallTable } from '../call/call-table.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { OutboundPlaces } from '../outbound/pacing/outbound-places.js';
import type { FailoverStates } from '../routing/failover-states.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { EngineLink } from '../sip/engine-link.js';

/** A dialog that a transferor names. */
export interface SoughtDialog {
  readonly dialog: NamedDialog;
  /** The side that it must be of, and the owner of its call. */
  readonly side: MediaSide;
  readonly organization: string;
}

/** `refused`: it is a dialog of this system that may not, or cannot, be brought here. `unknown`: no dialog of this system. */
export type WhereDialog = 'here' | 'refused' | 'unknown';

/** The other edges on the same engine. */
export interface OtherEdges {
  /** Has the call of that dialog moved to this edge, where another one has it. Never rejects. */
  bring(sought: SoughtDialog): Promise<WhereDialog>;
}

/** Dependencies of transfers; one set per process. */
export interface TransferDeps {
  readonly engine: EngineLink;
  readonly table: CallTable;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly places: Pick<OutboundPlaces, 'enter'>;
  readonly secrets: SecretBox;
  readonly failover: Pick<FailoverStates, 'order' | 'failed' | 'answered'>;
}
