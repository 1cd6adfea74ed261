import type { HeldCall, HeldLeg } from '../../contract/held-call.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { Call } from './call.js';

/**
 * An answered call as a document that another process can restore. Undefined: the call is not answered, or is ending; it
 * does not outlive its process. Changes nothing and waits for nothing.
 */
export function describeCall(call: Call): HeldCall | undefined {
  const { state, media } = call;
  const { phase, answeredAt } = state;
  if (answeredAt === null || (phase !== 'answered' && phase !== 'confirmed')) return undefined;
  return {
    version: 1,
    call_id: state.id,
    direction: state.direction,
    phase,
    organization: state.organization,
    number: state.number,
    from: state.from,
    to: state.to,
    source: { ...state.source },
    agent_uri: state.agentUri,
    earlier_sip_call_ids: [...state.earlierTrunkSipCallIds],
    attempts: [...state.attempts],
    started_at: state.startedAt,
    ringing_at: state.ringingAt,
    answered_at: answeredAt,
    sip_status: state.sipStatus,
    sip_reason: state.sipReason,
    legs: { trunk: legOf(call, 'trunk'), agent: legOf(call, 'agent') },
    media: media?.describe() ?? null,
    is_modifying: call.exchange.isOpen,
    is_transferring: call.transfer !== undefined,
    transfers: [...state.transfers],
    header_mappings: [...state.trunkMappings],
    maximum_seconds: state.maximumSeconds,
    deadline: state.deadline === null ? null : { ...state.deadline },
  };
}

function legOf({ state, dialogs, owesAck }: Call, side: MediaSide): HeldLeg {
  const dialog = dialogs[side];
  if (dialog === undefined) return null;
  const session = state.sessions[side];
  const { remote, local } = state.descriptions[side];
  return {
    sip_call_id: dialog.sip.callId,
    dialog_id: dialog.id,
    local_tag: dialog.sip.localTag,
    remote_tag: dialog.sip.remoteTag,
    remote_target: dialog.remote.uri,
    owes_ack: owesAck[side],
    session_timer: session === undefined ? null : { seconds: session.seconds, is_ours: session.isOurs },
    remote_description: remote ?? null,
    local_description: local ?? null,
    is_new_party: state.newParties[side],
  };
}
