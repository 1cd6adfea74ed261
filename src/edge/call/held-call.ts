import { type HeldCall, type HeldLeg, heldCallVersion } from '../../contract/held-call.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { describeDialog } from '../sip/describe-dialog.js';
import type { Call } from './call.js';

/**
 * An answered call as a document that another process can restore. Undefined: the call is not answered, or is ending; it
 * does not outlive its process. Changes nothing and waits for nothing.
 */
export function describeCall(call: Call): HeldCall | undefined {
  const { state, media } = call;
  const samples = call.samples?.all;
  const { phase, answeredAt } = state;
  if (answeredAt === null || (phase !== 'answered' && phase !== 'confirmed')) return undefined;
  return {
    version: heldCallVersion,
    call_id: state.id,
    direction: state.direction,
    phase,
    is_ordered: call.isOrdered,
    organization: state.organization,
    number: state.number,
    from: state.from,
    to: state.to,
    source: { ...state.source },
    agent_uri: state.agentUri,
    ...(state.testRunId === null ? {} : { test_run_id: state.testRunId }),
    sip_call_ids: { trunk: state.trunkSipCallId, agent: state.agentSipCallId },
    earlier_sip_call_ids: [...state.earlierTrunkSipCallIds],
    other_agent_sip_call_ids: [...state.otherAgentSipCallIds],
    attempts: [...state.attempts],
    started_at: state.startedAt,
    ringing_at: state.ringingAt,
    answered_at: answeredAt,
    sip_status: state.sipStatus,
    sip_reason: state.sipReason,
    legs: { trunk: describeLeg(call, 'trunk'), agent: describeLeg(call, 'agent') },
    media: media?.describe() ?? null,
    next_media_id: state.nextMediaId,
    // The agent has another session's description: the successor gives it the one of the call's own.
    is_modifying: call.exchange.isOpen || media?.isUnsettled === true || call.transfer?.isApart === true,
    is_transferring: call.transfer !== undefined,
    open_transfer: openTransferOf(call),
    shared_slots: [...state.sharedSlots],
    transfers: [...state.transfers],
    agent_metadata: state.agentMetadata,
    header_mappings: [...state.trunkMappings],
    maximum_seconds: state.maximumSeconds,
    deadline: state.deadline === null ? null : { ...state.deadline },
    adoptions: [...state.adoptions],
    ...(samples === undefined ? {} : { samples }),
    media_moves: [...state.mediaMoves],
  };
}

function openTransferOf({ transfer }: Call): HeldCall['open_transfer'] {
  const description = transfer?.description ?? null;
  return description === null
    ? null
    : {
        ...description,
        media_id: transfer?.mediaId ?? null,
        subscription: transfer?.owedNotify ?? null,
      };
}

/** Null: it has no dialog. */
export function describeLeg(call: Call, side: MediaSide): HeldLeg {
  const { state } = call;
  const dialog = call.dialogs[side];
  if (dialog === undefined) return null;
  const { remote, local } = state.descriptions[side];
  const document = describeDialog(dialog, {
    owesAck: call.legs.owesAck[side],
    session: state.sessions[side],
    remoteDescription: remote,
    localDescription: local,
    isNewParty: state.newParties[side],
  });
  return side === 'trunk' ? { ...document, allow: call.trunkAllow ?? null } : document;
}
