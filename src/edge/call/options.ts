import { allow, capabilityHeaders, unsupportedIn } from '../sip/capabilities.js';
import type { ReceivedRequest, ResponseSender } from '../sip/messages.js';
import type { CallDeps } from './call.js';

/** OPTIONS outside a dialog: answers as an INVITE would be, so 503 while draining (RFC 3261 §11.2). */
export function options(
  deps: Pick<CallDeps, 'settings'>,
  isReady: () => boolean,
  request: ReceivedRequest,
  response: ResponseSender,
): void {
  const unsupported = unsupportedIn(request.get('Require'));
  if (unsupported !== undefined) response.send(420, undefined, { headers: { Unsupported: unsupported } });
  else if (isReady()) {
    response.send(200, undefined, { headers: { ...capabilityHeaders } });
  } else {
    const headers = { 'Retry-After': String(deps.settings.drain.retryAfterSeconds) };
    response.send(503, undefined, { headers });
  }
}

/** Methods not supported outside a dialog; without a handler the engine would answer 503. */
export const refusedMethods = ['register', 'message', 'subscribe', 'notify', 'publish', 'refer'] as const;

/** RFC 3261 §8.2.1. */
export function refuseMethod(_request: ReceivedRequest, response: ResponseSender): void {
  response.send(405, undefined, { headers: { Allow: allow } });
}
