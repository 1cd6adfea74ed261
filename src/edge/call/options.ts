import { allow, capabilityHeaders, unsupportedIn } from '../sip/capabilities.js';
import type { ReceivedRequest, ResponseSender } from '../sip/messages.js';
import type { CallDeps } from './call.js';

/**
 * OPTIONS outside a dialog: answers as an INVITE would be, so 503 while draining (RFC 3261 §11.2).
 * @returns the status
 */
export function options(
  deps: Pick<CallDeps, 'settings'>,
  isReady: () => boolean,
  request: ReceivedRequest,
  response: ResponseSender,
): number {
  const answer = (status: number, headers: Record<string, string>): number => {
    response.send(status, undefined, { headers });
    return status;
  };
  const unsupported = unsupportedIn(request.get('Require'));
  if (unsupported !== undefined) return answer(420, { Unsupported: unsupported });
  if (isReady()) return answer(200, { ...capabilityHeaders });
  return answer(503, { 'Retry-After': String(deps.settings.drain.retryAfterSeconds) });
}

/** Methods not supported outside a dialog; without a handler the engine would answer 503. */
export const refusedMethods = ['register', 'message', 'subscribe', 'notify', 'publish', 'refer'] as const;

/** RFC 3261 §8.2.1. */
export function refuseMethod(_request: ReceivedRequest, response: ResponseSender): number {
  response.send(405, undefined, { headers: { Allow: allow } });
  return 405;
}
