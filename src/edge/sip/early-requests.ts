import { capabilityHeaders } from './capabilities.js';
import { sdpOf } from './message-reading.js';
import type { ReceivedRequest, ResponseSender } from './messages.js';

/**
 * UPDATE before the call is answered. Our provisional answers are never reliable, so an offer in it comes while ours is
 * still open: 500 with Retry-After (RFC 3311 §5.2).
 */
export function earlyUpdate(update: ReceivedRequest, response: ResponseSender): void {
  if (sdpOf(update) === undefined) response.send(200, undefined, { headers: { ...capabilityHeaders } });
  else
    response.send(500, undefined, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * 9)) } });
}

/**
 * PRACK for a provisional response of ours, which the engine has matched (RFC 3262 §3). `ProvisionalResponses` is
 * notified separately. A new offer in it is refused before the call is answered: it would start a third session within a
 * second.
 */
export function answerPrack(prack: ReceivedRequest, response: ResponseSender): void {
  response.send(sdpOf(prack) === undefined ? 200 : 488, undefined, {});
}
