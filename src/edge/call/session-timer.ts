import type { SipMessage } from './engine-link.js';

/** RFC 4028 §4: no session interval is shorter. */
const minimumSeconds = 90;

/**
 * Headers of a 2xx to an INVITE or UPDATE that asks for a session timer (RFC 4028 §9). The engine arms its timer by
 * them: it refreshes when the refresher is `uas`, and ends the session when the peer is and does not. Where the peer names
 * no refresher it becomes the refresher itself. No timer is imposed on a peer that asked for none.
 */
export function sessionTimerHeaders(request: SipMessage, maximumSeconds: number): Record<string, string> {
  const asked = request.get('Session-Expires') ?? request.get('x');
  if (asked === undefined) return {};
  const [interval, ...parameters] = asked.split(';');
  const seconds = Number.parseInt(interval!, 10);
  if (!(seconds > 0)) return {};
  const least = Math.max(minimumSeconds, Number.parseInt(request.get('Min-SE') ?? '', 10) || 0);
  const agreed = Math.max(least, Math.min(seconds, maximumSeconds));
  const refresher = parameters.some((one) => one.trim().toLowerCase() === 'refresher=uas') ? 'uas' : 'uac';
  return {
    'Session-Expires': `${agreed};refresher=${refresher}`,
    // RFC 4028 §9: required when the peer is to refresh.
    ...(refresher === 'uac' ? { Require: 'timer' } : {}),
  };
}
