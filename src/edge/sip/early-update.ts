import { capabilityHeaders } from './capabilities.js';
import type { ReceivedRequest, ResponseSender } from './engine-link.js';
import { sdpOf } from './sip-body.js';

/**
 * UPDATE before the call is answered. Our provisional answers are never reliable, so an offer in it comes while ours is
 * still open: 500 with Retry-After (RFC 3311 §5.2).
 */
export function earlyUpdate(update: ReceivedRequest, response: ResponseSender): void {
  if (sdpOf(update) === undefined) response.send(200, undefined, { headers: { ...capabilityHeaders } });
  else
    response.send(500, undefined, { headers: { 'Retry-After': String(1 + Math.floor(Math.random() * 9)) } });
}
