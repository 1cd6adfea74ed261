import { DemarcError } from '../../errors.js';
import type { Caller } from '../http/api-server.js';
import type { Audience } from './summaries.js';

type StreamOwner = Pick<Caller, 'keyId' | 'organizationId'>;

/** Open tabs of one key; more is a page that leaks connections. */
const streamsPerKey = 30;
const maximumStreams = 2_000;
/** A twentieth of a process: the dashboards of other organizations have the rest. */
const streamsOfOrganization = maximumStreams / 20;

/** The limit that one more stream would exceed; undefined: none. */
export function streamLimit(
  open: readonly StreamOwner[],
  { keyId, organizationId }: StreamOwner,
): string | undefined {
  const ofKey = open.filter((caller) => caller.keyId === keyId).length;
  if (ofKey >= streamsPerKey) return `${streamsPerKey} event streams of this key are open`;
  const ofOrganization = open.filter((caller) => caller.organizationId === organizationId).length;
  if (ofOrganization >= streamsOfOrganization)
    return `${streamsOfOrganization} event streams of this organization are open`;
  return open.length >= maximumStreams ? `${maximumStreams} event streams are open` : undefined;
}

/** Throws `DemarcError` `OPERATOR_ONLY`. */
export function audienceOf(
  caller: Pick<Caller, 'organizationId' | 'isOperator'>,
  wanted: Audience['scope'],
): Audience {
  if (wanted === 'fleet' && !caller.isOperator) throw new DemarcError('OPERATOR_ONLY');
  return { organizationId: caller.organizationId, isOperator: caller.isOperator, scope: wanted };
}
