import type { NumberDocument } from '../../contract/number.js';
import { DemarcError } from '../../errors.js';
import type { Refusal } from '../admission/admission.js';
import type { Place } from '../admission/call-limits.js';
import { refuse } from '../admission/refusal.js';
import { MediaSession } from '../media/media-session.js';
import { mediaPartyAt, type OutboundRoute, routeOf, type TrunkServer } from '../routing/targets.js';
import { codecsFor, symmetryFor } from '../streams/invite-stream.js';
import type { OutboundCall } from './outbound-call.js';
import type { OutboundDeps } from './outbound-deps.js';

export interface Prepared {
  readonly document: NumberDocument;
  readonly route: OutboundRoute;
  /** In the order in which they are tried. */
  readonly servers: readonly TrunkServer[];
}

interface Conditions {
  /** Required owner of the number; absent: any. */
  readonly organization?: string;
  /** Refuses a caller that may not use the number; an unknown number is undefined. */
  readonly authorize?: (document: NumberDocument | undefined) => Refusal | undefined;
  /** Takes the call's slot. */
  readonly enter: (document: NumberDocument) => Place | Promise<Place>;
}

/** Finds the route of a call and takes its slot. Undefined: the call was refused and has ended. */
export async function prepare(
  deps: OutboundDeps,
  call: OutboundCall,
  { organization: owner, enter, authorize }: Conditions,
): Promise<Prepared | undefined> {
  const found = await findNumber(deps, call);
  if (found === undefined || call.hasEnded) return undefined;
  const { document } = found;
  const unproven = authorize?.(document);
  if (unproven !== undefined) {
    call.noteRefusal({ isChallenged: unproven.isChallenge === true });
    end(call, unproven);
    return undefined;
  }
  if (document === undefined) {
    end(call, unknownNumber(`+${call.command.number} has no configuration.`));
    return undefined;
  }
  const route = routeOf(document);
  if (document.organization !== (owner ?? document.organization) || route === undefined) {
    end(call, unknownNumber(`+${call.command.number} has no outbound direction.`));
    return undefined;
  }
  call.assign(document.organization);
  const place = await enter(document);
  if (call.hasEnded) {
    if (place.ok) place.release();
    return undefined;
  }
  if (!place.ok) {
    end(call, place.refusal);
    return undefined;
  }
  const { number, organization } = document;
  const { max_duration_seconds: maximumSeconds } = document.outbound_policy?.limits ?? document.limits;
  const { release, shared } = place;
  call.admit({ number, organization, maximumSeconds, release, shared });
  const servers = await deps.failover.order(document.number, route);
  if (call.hasEnded) return undefined;
  return { document, route, servers };
}

interface AgentsMedia {
  /** True: the operator did not configure the agent. */
  readonly isForeign: boolean;
  readonly playsDigits: boolean;
  /** Undefined: the agent has called. */
  readonly agentUri?: string;
}

/** The media session for the first server of the trunk. */
export function useMedia(
  { calls }: OutboundDeps,
  call: OutboundCall,
  { document, servers }: Prepared,
  { isForeign, playsDigits, agentUri = '' }: AgentsMedia = { isForeign: false, playsDigits: false },
): void {
  const [first] = servers as readonly [TrunkServer];
  const media = new MediaSession(call.state.id, calls.pool, {
    codecs: codecsFor(document.outbound_policy?.codecs ?? document.codecs, [agentUri]),
    group: document.organization,
    playsDigits,
    signaling: call,
    parties: {
      trunk: mediaPartyAt(first),
      agent: { profile: 'RTP/AVP', isForeign, isSymmetric: symmetryFor(first.isSymmetric, [agentUri]) },
    },
  });
  call.useMedia(media);
}

const unknownNumber = (detail: string): Refusal =>
  refuse('not_a_calling_number', 'refused_unknown_number', { detail });

const end = (call: OutboundCall, { endReason, detail, status, reason, headers }: Refusal): void =>
  call.end({ reason: endReason, by: 'edge', detail }, { answer: { status, reason, headers } });

/** Undefined: the call has ended. */
async function findNumber(
  { trunks, calls }: OutboundDeps,
  call: OutboundCall,
): Promise<{ readonly document: NumberDocument | undefined } | undefined> {
  try {
    return { document: await trunks.find(call.command.number) };
  } catch (error) {
    if (!(error instanceof DemarcError) || error.code !== 'configuration_unavailable') throw error;
    const retryAfter = calls.settings.drain.retryAfterSeconds;
    end(call, refuse(error.code, 'refused_unavailable', { detail: error.message, retryAfter }));
    return undefined;
  }
}
