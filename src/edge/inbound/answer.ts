import { established } from '../call/established.js';
import { attachInDialog } from '../call/in-dialog.js';
import { bye } from '../call/tear-down.js';
import { MediaRefused } from '../media/media-refused.js';
import { capabilityHeaders, contactHeaders } from '../sip/capabilities.js';
import { type Dialog, failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedIn, sessionTimerHeaders } from '../sip/session-timer.js';
import type { InboundCall } from './inbound-call.js';

/** The agent answered the caller's offer: checks the answer and sends our 200 to the caller. */
export async function answer(call: InboundCall, agent: Dialog): Promise<void> {
  await call.earlyMedia;
  // Without an offer from the caller, a description that rang answers nothing, and the 200 had to bring the agent's offer.
  const isOffered = call.state.descriptions.trunk.remote !== undefined;
  const sdp = isOffered ? call.agentAnswer.answerOf(agent.res) : undefined;
  if (call.hasEnded || call.media === undefined) return;
  if (sdp === undefined)
    throw new MediaRefused('305 demarc "No answer"', 'The agent answered 200 without SDP.');
  const body = await call.media.answer(sdp);
  if (call.hasEnded) return;
  call.describeSide('agent', { remote: sdp });
  await sendAnswer(call, body, () => established(call));
}

/** Sends 200 to the caller once no PRACK is outstanding. `then` runs when the caller's dialog exists. */
export async function sendAnswer(call: InboundCall, media: string, then: () => void): Promise<void> {
  await call.provisionals.settled();
  if (call.hasEnded) return;
  const { request, response, deps } = call;
  // An answer sent in a reliable response stays the answer.
  const body = call.provisionals.answer ?? media;
  const timer = sessionTimerHeaders(request, deps.settings.call.sessionExpiresSeconds);
  call.setSession('trunk', sessionAgreedIn(timer));
  const headers = { ...call.answerHeaders, ...capabilityHeaders, ...contactHeaders(request), ...timer };
  call.describeSide('trunk', { local: body });
  deps.engine.answer(request, response, { localSdp: body, headers }, (error, dialog) => {
    if (dialog === undefined) {
      if (call.hasEnded) return;
      // CANCEL or the loss of the caller's connection came first.
      const detail = `200 was not sent: ${failureText(error)}`;
      call.end({ reason: 'caller_cancelled', by: 'caller', detail }, { reason: sipReason(487, 'Cancelled') });
      return;
    }
    if (call.hasEnded) {
      // The call ended before the engine sent the 200; RFC 3261 §15: no BYE before the ACK.
      dialog.once('ack', () => void bye(call, dialog, { reason: sipReason(487, 'Call ended') }));
      return;
    }
    call.setDialog('trunk', dialog);
    attachInDialog(call, 'trunk', dialog);
    dialog.once('ack', () => call.acknowledge());
    call.answer();
    then();
  });
}
