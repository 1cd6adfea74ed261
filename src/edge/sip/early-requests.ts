import { capabilityHeaders } from './capabilities.js';
import { hasForeignBody, sdpOf } from './message-reading.js';
import type { ReceivedRequest, ResponseSender } from './messages.js';

/** Whose offer is open before the INVITE's final response, as long as no reliable response has brought the answer. */
type OpenOffer = 'ours' | 'theirs';

/**
 * UPDATE before the call is answered. Without a description it refreshes; an offer in it is refused while another one is open: 491
 * if that is ours, 500 with Retry-After if it is the sender's (RFC 3311 §5.2).
 * @returns false: its offer is for the caller to answer
 */
export function refuseEarlyUpdate(
  update: ReceivedRequest,
  response: ResponseSender,
  open: OpenOffer | undefined,
): boolean {
  if (hasForeignBody(update)) {
    response.send(415, undefined, { headers: { Accept: 'application/sdp' } });
  } else if (sdpOf(update) === undefined) {
    response.send(200, undefined, { headers: { ...capabilityHeaders } });
  } else if (open === 'ours') {
    response.send(491, undefined, {});
  } else if (open === 'theirs') {
    const seconds = String(1 + Math.floor(Math.random() * 9));
    response.send(500, undefined, { headers: { 'Retry-After': seconds } });
  } else return false;
  return true;
}

/**
 * PRACK for a provisional response of the edge, which the engine has matched (RFC 3262 §3). `ProvisionalResponses` is
 * notified separately. A new offer in it is refused before the call is answered: it would start a third session within a
 * second.
 */
export function answerPrack(prack: ReceivedRequest, response: ResponseSender): void {
  response.send(sdpOf(prack) === undefined ? 200 : 488, undefined, {});
}
