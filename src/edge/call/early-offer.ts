import { tagOf } from '../../sip/address.js';
import { MediaRefused } from '../media/media-refused.js';
import type { MediaSession } from '../media/media-session.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { capabilityHeaders } from '../sip/capabilities.js';
import type { EarlyAnswer } from '../sip/early-answer.js';
import { refuseEarlyUpdate } from '../sip/early-requests.js';
import { sdpOf } from '../sip/message-reading.js';
import { failureText, type ReceivedRequest, type ResponseSender } from '../sip/messages.js';
import type { ProvisionalResponses } from '../sip/provisional-responses.js';
import type { Call } from './call.js';
import { refusedAsTooFrequent } from './exchange.js';

/** A call whose INVITE we answer with provisional responses. */
interface Provisional extends Call {
  readonly provisionals: ProvisionalResponses;
}

/**
 * UPDATE of the calling side before its INVITE has a final response. Once a reliable response of the edge has brought the answer, a new
 * offer is legal (RFC 3311 §5.1): rtpengine takes it, and the called side keeps its session.
 */
export function updateFromCaller(
  call: Provisional,
  side: MediaSide,
  update: ReceivedRequest,
  response: ResponseSender,
): void {
  const open = call.provisionals.answer === undefined ? 'theirs' : undefined;
  if (refuseEarlyUpdate(update, response, open)) return;
  renegotiate(call, side, { update, response }, async (media, sdp) => {
    const answer = await media.reoffer(sdp);
    // Repeated in the 200.
    call.provisionals.answer = answer;
    call.describeSide(side, { remote: sdp, local: answer });
    return answer;
  });
}

/**
 * UPDATE of the called side before its final response. Once a reliable response of its has answered our offer, it may make one
 * (RFC 3311 §5.1). It counts as a renewed answer to ours, so that nothing changes for the calling side.
 * @param early its answers so far
 */
export function updateFromCallee(
  call: Call,
  side: MediaSide,
  early: EarlyAnswer,
  update: ReceivedRequest,
  response: ResponseSender,
): void {
  const tag = tagOf(update.get('From') ?? '') ?? '';
  const open = early.isBound(tag) ? undefined : 'ours';
  if (refuseEarlyUpdate(update, response, open)) return;
  renegotiate(call, side, { update, response }, async (media, sdp) => {
    const { answer, described } = await media.answerReoffer(side, sdp);
    early.renew(tag, described);
    call.describeSide(side, { remote: described, local: answer });
    return answer;
  });
}

interface Exchange {
  readonly update: ReceivedRequest;
  readonly response: ResponseSender;
}

/** After early media that is being relayed; the 200 waits for it. Whatever fails, the session stays as it is. */
function renegotiate(
  call: Call,
  side: MediaSide,
  { update, response }: Exchange,
  answerWith: (media: MediaSession, sdp: string) => Promise<string>,
): void {
  if (refusedAsTooFrequent(call, response)) return;
  const close = call.exchange.modify();
  const exchange = call.afterEarlyMedia(async () => {
    const { media } = call;
    if (call.hasEnded || media === undefined) {
      response.send(481, undefined, {});
      return;
    }
    try {
      const body = await answerWith(media, sdpOf(update) ?? '');
      response.send(200, undefined, { headers: { ...capabilityHeaders }, body });
      call.log.info({ by: side, media: media.summary }, 'Early session modified.');
    } catch (error) {
      refuse(call, response, error);
    }
  });
  void exchange.finally(close);
}

function refuse(call: Call, response: ResponseSender, error: unknown): void {
  if (response.finalResponseSent) return;
  if (error instanceof MediaRefused) {
    call.log.info({ detail: error.detail }, 'Refused a new offer before the answer.');
    response.send(488, undefined, { headers: { Warning: error.warning } });
    return;
  }
  call.log.warn({ error: failureText(error) }, 'Modifying the early session failed.');
  response.send(500, undefined, { headers: { 'Retry-After': '5' } });
}
