import type { VoiceCallReport } from '../../../contract/voice-call.js';
import { AgentFailure, LimitFailure, RunFailure } from '../conversation/channel.js';

/** Why a call was not answered: by the agent, or by the edge, which did not ask it. */
export function failureOf({
  detail,
  sip_status: status,
  ended_by: by,
  edge_refusal: refusal,
}: Pick<VoiceCallReport, 'detail' | 'sip_status' | 'ended_by' | 'edge_refusal'>): RunFailure {
  if (refusal === 'refused_limit')
    return new LimitFailure(`A limit of Demarc refused the call: ${detail}`, status);
  // With 403 earlier edges refuse the token of the test.
  const isOfEdge = refusal !== null || status === 403;
  const why = isOfEdge ? `${detail}; see the detail of the call's record` : detail;
  const message = `The agent was not reached: ${why ?? 'the call ended'}`;
  const isOfAgent = (by === 'refused' && !isOfEdge) || by === 'no_answer';
  return isOfAgent ? new AgentFailure(message, { sipStatus: status }) : new RunFailure(message);
}
