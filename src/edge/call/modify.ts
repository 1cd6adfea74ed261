import { MediaRefused } from '../media/media-refused.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { hasForeignBody, sdpOf } from '../sip/message-reading.js';
import { type Dialog, failureText, type ReceivedRequest, type ResponseSender } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { reinviteHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import {
  answerHeaders,
  checkedAnswer,
  exchangeBoundMilliseconds,
  passRefusal,
  refusedAsTooFrequent,
} from './exchange.js';
import { modifyWithoutOffer } from './modify-without-offer.js';

/**
 * A re-INVITE or UPDATE of one side: hold, resume, another codec or address. A description that changes nothing is a
 * session refresh and is answered at once (RFC 4028 §7.4); anything else is offered to the other side. Whatever fails, the
 * running session stays as it is (RFC 3261 §14.1).
 */
export function modify(
  call: Call,
  from: MediaSide,
  request: ReceivedRequest,
  response: ResponseSender,
  method: 'INVITE' | 'UPDATE',
): void {
  const farDialog = call.dialogs[otherSide(from)];
  if (call.hasEnded) {
    response.send(481, undefined, {});
    return;
  }
  const sdp = sdpOf(request);
  const description = call.state.descriptions[from];
  const isApart = call.transfer?.isApart === true;
  const remainder = call.exchange.remainder(from, method);
  if (hasForeignBody(request)) {
    response.send(415, undefined, { headers: { Accept: 'application/sdp' } });
  } else if (sdp === undefined && method === 'UPDATE') {
    response.send(200, undefined, { headers: answerHeaders(call, from, request) });
  } else if (
    sdp !== undefined &&
    sdp === description.remote &&
    description.local !== undefined &&
    !call.exchange.isOpen &&
    !(isApart && from === 'agent')
  ) {
    response.send(200, undefined, { headers: answerHeaders(call, from, request), body: description.local });
  } else if (remainder !== undefined) {
    // For the requester, the exchange before is over (RFC 3264 §4).
    remainder
      .then(() => modify(call, from, request, response, method))
      .catch((error: unknown) => refuse(call, response, error));
  } else if (call.exchange.isOpen || farDialog === undefined || isApart) {
    // An exchange is open, or the agent talks to a transfer target: the requester retries (RFC 3261 §14.1).
    response.send(491, undefined, {});
  } else if (!refusedAsTooFrequent(call, response)) {
    const close = call.exchange.modify();
    const exchange = call.legs.acknowledged.promise.then(() =>
      sdp === undefined
        ? modifyWithoutOffer(call, from, farDialog, request, response)
        : relayOffer(call, from, sdp, { farDialog, request, response }),
    );
    exchange.catch((error: unknown) => refuse(call, response, error)).finally(close);
  }
}

interface Exchange {
  readonly farDialog: Dialog;
  readonly request: ReceivedRequest;
  readonly response: ResponseSender;
}

async function relayOffer(
  call: Call,
  from: MediaSide,
  sdp: string,
  { farDialog, request, response }: Exchange,
): Promise<void> {
  const media = call.media!;
  const to = otherSide(from);
  const offer = await media.offer(from, sdp);
  const { response: answer } = await requestInDialog(
    farDialog,
    { method: 'INVITE', headers: reinviteHeaders(call.state.sessions[to]), body: offer },
    exchangeBoundMilliseconds,
  );
  if (call.hasEnded) {
    response.send(481, undefined, {});
    return;
  }
  call.exchange.finish(to);
  if (answer.status >= 300) {
    await media.rollback();
    passRefusal(call, to, answer, response);
    return;
  }
  const described = sdpOf(answer);
  const body = described === undefined ? undefined : await checkedAnswer(call, to, described);
  if (body === undefined) {
    response.send(500, undefined, {});
    return;
  }
  call.describeSide(from, { remote: sdp, local: body });
  call.describeSide(to, { remote: described, local: offer });
  response.send(200, undefined, { headers: answerHeaders(call, from, request), body });
  call.log.info({ by: from, media: media.summary, flowing: media.isFlowing }, 'Session modified.');
}

async function refuse(call: Call, response: ResponseSender, error: unknown): Promise<void> {
  await call.media?.rollback();
  if (response.finalResponseSent) return;
  if (call.hasEnded) {
    response.send(481, undefined, {});
  } else if (error instanceof MediaRefused) {
    call.log.info({ detail: error.detail }, 'Refused a new offer in the call.');
    response.send(488, undefined, { headers: { Warning: error.warning } });
  } else {
    const isKnown = error instanceof MediaUnavailable;
    call.log.warn({ error: failureText(error) }, 'Modifying the session failed.');
    response.send(500, undefined, { headers: isKnown ? { 'Retry-After': '5' } : {} });
  }
}
