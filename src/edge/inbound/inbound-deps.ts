import type { Admission, AdmissionChain } from '../admission/chain.js';
import type { CallDeps } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import type { Sightings } from '../sightings/sightings.js';
import type { InboundCall } from './inbound-call.js';

/** An INVITE that is to replace one side of another call (RFC 3891). */
export interface Replacement {
  /** The number whose admission rules apply: that of the other call. */
  readonly number: string;
  /** Runs once the INVITE is admitted; ends its call if the replacement fails. */
  run(
    newcomer: InboundCall,
    offer: string | undefined,
    admission: Extract<Admission, { admitted: true }>,
  ): Promise<void>;
}

export interface Replacements {
  /** The replacement that a Replaces header asks for, or why it is refused. */
  replacement(value: string): Replacement | { readonly status: number; readonly detail: string };
}

/** Dependencies of inbound calls besides those of every call. */
export interface InboundDeps {
  readonly calls: CallDeps;
  readonly table: CallTable;
  readonly admission: Pick<AdmissionChain, 'admit'>;
  readonly replacements: Replacements;
  readonly sightings: Pick<Sightings, 'answered'>;
}
