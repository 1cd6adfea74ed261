import type { AdmissionSettings } from '../../config/edge-settings.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Logger } from '../log.js';
import type { TrunkStore } from '../trunk/trunk-store.js';
import type { Admission, CheckTrunkOffer, InboundRequest } from './admission.js';

export type { Admission, CheckTrunkOffer, InboundRequest, Refusal } from './admission.js';

export interface AdmissionParts {
  readonly settings: AdmissionSettings;
  readonly trunks: Pick<TrunkStore, 'find'>;
  /** Opens the digest passwords of a number. */
  readonly secrets: SecretBox;
  readonly checkTrunkOffer: CheckTrunkOffer;
  /** True once the edge is being taken out of use. */
  readonly isDraining: () => boolean;
  /** `host:port` of every listener as the engine advertises it; an inbound Via that names one is a loop. */
  readonly ownHostPorts: () => Iterable<string>;
  readonly log: Logger;
}

/** Decides on every INVITE from a trunk, before anything is allocated for it. */
export class AdmissionChain {
  constructor(private readonly parts: AdmissionParts) {}

  async admit(_request: InboundRequest): Promise<Admission> {
    throw new Error(`not yet: ${this.parts.settings.sourcePolicy}`);
  }
}
