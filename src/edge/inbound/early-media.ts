import { MediaRefused } from '../media/media-refused.js';
import type { ReceivedResponse } from '../sip/messages.js';
import type { InboundCall } from './inbound-call.js';

/** The engine sends 100 itself; 199 concerns forks that the caller does not see. */
const relayed = new Set([180, 181, 182, 183]);

/** Relays the agent's provisional response to the caller, with early media if it has a description. */
export async function relayProvisional(call: InboundCall, response: ReceivedResponse): Promise<void> {
  const sdp = call.agentAnswer.note(response);
  if (!relayed.has(response.status) || !call.provisionals.isPossible) return;
  // Without an offer from the caller a description here would be an offer, which an unreliable response cannot carry.
  if (sdp === undefined || call.state.descriptions.trunk.remote === undefined) {
    await call.earlyMedia;
    call.sendProvisional(response.status, {});
    return;
  }
  // In order: a later response waits for the description of an earlier one.
  await call.afterEarlyMedia(() => relayEarlyMedia(call, response.status, sdp));
}

async function relayEarlyMedia(call: InboundCall, status: number, sdp: string): Promise<void> {
  if (call.hasEnded || call.media === undefined || call.dialogs.agent !== undefined) return;
  try {
    const body = await call.media.answer(sdp);
    call.describeSide('agent', { remote: sdp });
    call.describeSide('trunk', { local: body });
    call.sendProvisional(status, { body });
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error;
    // Only the final answer is binding; the status is still relayed.
    call.log.warn({ detail: error.detail }, "The agent's early media is invalid.");
    call.sendProvisional(status, {});
  }
}
