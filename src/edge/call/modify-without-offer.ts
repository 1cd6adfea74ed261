import { MediaRefused } from '../media/media-refused.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { sdpOf } from '../sip/message-reading.js';
import type { Acknowledge, Dialog, ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { reinviteHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import { answerHeaders, checkedAnswer, exchangeBoundMilliseconds, passRefusal } from './exchange.js';

/**
 * A re-INVITE without a description asks us for an offer (RFC 3261 §14.2). We ask the other side the same way; its offer
 * goes into our 200, and the answer from the ACK goes to the other side in ours.
 */
export async function modifyWithoutOffer(
  call: Call,
  from: MediaSide,
  farDialog: Dialog,
  request: ReceivedRequest,
  response: ResponseSender,
): Promise<void> {
  const to = otherSide(from);
  const { response: offered, acknowledge } = await requestInDialog(
    farDialog,
    { method: 'INVITE', headers: reinviteHeaders(call.state.sessions[to]), noAck: true },
    exchangeBoundMilliseconds,
  );
  if (offered.status >= 300) {
    if (call.hasEnded) response.send(481, undefined, {});
    else passRefusal(call, to, offered, response);
    return;
  }
  const sdp = sdpOf(offered);
  try {
    if (call.hasEnded || sdp === undefined)
      throw new MediaRefused('305 demarc "No offer"', 'The 200 had no SDP offer.');
    const body = await call.media!.offer(to, sdp);
    const ack = nextAck(call.dialogs[from]!);
    response.send(200, undefined, { headers: answerHeaders(call, from, request), body });
    call.exchange.awaitAck(from);
    const acknowledged = await ack;
    call.exchange.finish(from);
    await finish(call, from, { sdp, body, answer: sdpOf(acknowledged ?? request), acknowledge });
  } catch (error) {
    // The 200 must be acknowledged with a description in any case; the current one changes nothing.
    keepAsItWas(call, to, acknowledge);
    throw error;
  }
}

interface Finish {
  /** The other side's offer as received, and as sent to the requester. */
  readonly sdp: string;
  readonly body: string;
  /** The requester's answer. */
  readonly answer: string | undefined;
  readonly acknowledge: Acknowledge | undefined;
}

async function finish(
  call: Call,
  from: MediaSide,
  { sdp, body, answer, acknowledge }: Finish,
): Promise<void> {
  const to = otherSide(from);
  const local = answer === undefined || call.hasEnded ? undefined : await checkedAnswer(call, from, answer);
  if (local === undefined) {
    await call.media!.rollback();
    keepAsItWas(call, to, acknowledge);
    return;
  }
  acknowledge?.({ body: local });
  call.describeSide(to, { remote: sdp, local });
  call.describeSide(from, { remote: answer, local: body });
}

function keepAsItWas(call: Call, side: MediaSide, acknowledge: Acknowledge | undefined): void {
  const { local } = call.state.descriptions[side];
  acknowledge?.(local === undefined ? {} : { body: local });
}

/** The dialog's next ACK; undefined when the dialog ends first (the engine ends it when no ACK comes). */
function nextAck(dialog: Dialog): Promise<ReceivedRequest | undefined> {
  return new Promise((resolve) => {
    const settle = (ack: ReceivedRequest | undefined): void => {
      dialog.off('ack', settle);
      dialog.off('destroy', ended);
      resolve(ack);
    };
    const ended = (): void => settle(undefined);
    dialog.on('ack', settle);
    dialog.on('destroy', ended);
  });
}
