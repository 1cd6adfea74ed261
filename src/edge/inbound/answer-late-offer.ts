import { established } from '../call/established.js';
import { fail } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { sdpOf } from '../sip/message-reading.js';
import type { OfferedDialog, ReceivedRequest } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { sendAnswer } from './answer.js';
import type { InboundCall } from './inbound-call.js';

/**
 * The caller's INVITE had no offer: the agent's 200 brings one, our 200 offers SRTP to the caller, the caller's ACK answers
 * it and the answer goes to the agent in our ACK (RFC 3261 §13.2.1).
 */
export async function answerLateOffer(call: InboundCall, offered: OfferedDialog): Promise<void> {
  if (call.media === undefined) return;
  const offer = await call.media.offer('agent', offered.sdp);
  if (call.hasEnded) return;
  call.describeSide('agent', { remote: offered.sdp });
  await sendAnswer(call, offer, () => {
    call.dialogs.trunk?.once('ack', (ack: ReceivedRequest) => {
      acknowledged(call, offered, ack).catch((error: unknown) => fail(call, error));
    });
  });
}

async function acknowledged(call: InboundCall, offered: OfferedDialog, ack: ReceivedRequest): Promise<void> {
  if (call.hasEnded || call.media === undefined) return;
  const sdp = sdpOf(ack);
  if (sdp === undefined) {
    call.end(
      { reason: 'media_failed', by: 'edge', detail: "The caller's ACK had no SDP answer to the offer." },
      { reason: sipReason(488, 'No answer in ACK') },
    );
    return;
  }
  const answer = await call.media.answer(sdp);
  if (call.hasEnded) return;
  call.describeSide('trunk', { remote: sdp });
  call.describeSide('agent', { local: answer });
  const dialog = await offered.ack(answer);
  call.setDialog('agent', dialog);
  call.setSession('agent', sessionAgreedBy(dialog.res));
  attachInDialog(call, 'agent', dialog);
  if (call.hasEnded) dialog.destroy({ headers: {} }, () => {});
  else established(call);
}
