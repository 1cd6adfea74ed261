import type { ControlDeps } from '../http/api-server.js';
import type { Carrier } from './carriers/carrier.js';
import type { DocumentStorage } from './documents/document-storage.js';
import type { Letters } from './signing/letters.js';

/** What every part of the area works with. */
export interface PortingDeps extends ControlDeps {
  readonly carrier: Carrier;
  readonly documents: DocumentStorage;
  readonly letters: Letters;
  /** Carries out what is due at the carrier at once, instead of within a second. */
  wake(): void;
}
