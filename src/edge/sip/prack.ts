import type { ReceivedRequest, ResponseSender } from './engine-link.js';
import { sdpOf } from './sip-body.js';

/**
 * PRACK for a provisional response of ours, which the engine has matched (RFC 3262 §3). `ProvisionalResponses` hears of it
 * by itself. A new offer in it is not taken before the call is answered: its session would be the third in a second.
 */
export function acknowledged(prack: ReceivedRequest, response: ResponseSender): void {
  response.send(sdpOf(prack) === undefined ? 200 : 488, undefined, {});
}
