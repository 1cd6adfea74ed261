import {
  maximumIntervalRaises,
  maximumSessionSeconds,
  minimumSessionSeconds,
  parseSessionExpires,
} from '../../sip/session-expires.js';
import { splitList } from '../../sip/text.js';
import { supportedWithoutReliability } from './capabilities.js';
import { headerOf } from './message-reading.js';
import type { ReceivedResponse, SipMessage } from './messages.js';

/** What both sides of a dialog have agreed to (RFC 4028 §3). */
export interface AgreedSession {
  readonly seconds: number;
  /** True: the engine refreshes for us. */
  readonly isOurs: boolean;
}

/**
 * Headers of a 2xx to an INVITE or UPDATE (RFC 4028 §9). The engine arms its timer by them: it refreshes when the refresher
 * is `uas`, and ends the session when the peer is the refresher and does not refresh. Where the peer names no refresher it
 * becomes the refresher itself. A peer that knows the extension but asks for no timer gets one that we refresh; a peer that
 * does not know it gets none, unless a proxy on the way asked for it.
 */
export function sessionTimerHeaders(request: SipMessage, preferredSeconds: number): Record<string, string> {
  const header = headerOf(request, 'Session-Expires') ?? headerOf(request, 'x');
  const isSupported = namesTimer(request);
  if (header === undefined) {
    return isSupported ? { 'Session-Expires': `${preferredSeconds};refresher=uas` } : {};
  }
  const asked = parseSessionExpires(header);
  if (asked === undefined || asked.interval === 0) return {};
  const least = Math.max(
    minimumSessionSeconds,
    Math.min(maximumSessionSeconds, Number.parseInt(headerOf(request, 'Min-SE') ?? '', 10) || 0),
  );
  const agreed = Math.max(least, Math.min(asked.interval, preferredSeconds));
  // Only the UAC itself may name a refresher (RFC 4028 §8.1), so it knows the extension even where it does not say so.
  const isPeers = asked.refresher === 'uac' || (isSupported && asked.refresher !== 'uas');
  const refresher = isPeers ? 'uac' : 'uas';
  return {
    'Session-Expires': `${agreed};refresher=${refresher}`,
    // RFC 4028 §9: required when the peer is to refresh.
    ...(isPeers ? { Require: 'timer' } : {}),
  };
}

/** What a 2xx to our INVITE agreed to; without a refresher it is us (RFC 4028 §7.2). */
export function sessionAgreedBy(response: SipMessage): AgreedSession | undefined {
  return readAgreement(headerOf(response, 'Session-Expires') ?? headerOf(response, 'x'), 'uac');
}

/** What the headers of our own 2xx agreed to. */
export const sessionAgreedIn = (headers: Readonly<Record<string, string>>): AgreedSession | undefined =>
  readAgreement(headers['Session-Expires'], 'uas');

/**
 * Headers of our re-INVITE: without them it would switch the timer off (RFC 4028 §7.4). The refresher does not change.
 */
export function reinviteHeaders(session: AgreedSession | undefined): Record<string, string> {
  const Supported = supportedWithoutReliability;
  if (session === undefined) return { Supported };
  const refresher = session.isOurs ? 'uac' : 'uas';
  return { Supported, 'Session-Expires': `${session.seconds};refresher=${refresher}` };
}

/**
 * The session interval that the edge's INVITE proposes. The refresher is left for the peer to choose (RFC 4028 §7.1). A 422
 * raises the interval, for one more INVITE (§7.3).
 */
export class SessionProposal {
  private minimum: number | undefined;
  private rounds = 0;

  constructor(private seconds: number) {}

  headers(): Record<string, string> {
    return {
      'Session-Expires': String(this.seconds),
      ...(this.minimum === undefined ? {} : { 'Min-SE': String(this.minimum) }),
    };
  }

  /** Takes a final response. False: not a 422, or one that another INVITE cannot satisfy. */
  accept(response: Pick<ReceivedResponse, 'status' | 'get'>): boolean {
    if (response.status !== 422 || ++this.rounds > maximumIntervalRaises) return false;
    const minimum = Number.parseInt(response.get('Min-SE') ?? '', 10);
    if (!(minimum > this.seconds) || minimum > maximumSessionSeconds) return false;
    this.minimum = minimum;
    this.seconds = minimum;
    return true;
  }
}

function readAgreement(value: string | undefined, ours: 'uac' | 'uas'): AgreedSession | undefined {
  const agreed = parseSessionExpires(value);
  if (agreed === undefined) return undefined;
  const seconds = Math.min(maximumSessionSeconds, agreed.interval);
  return { seconds, isOurs: (agreed.refresher ?? 'uac') === ours };
}

const namesTimer = (message: SipMessage): boolean =>
  ['Supported', 'Require'].some((name) =>
    splitList(headerOf(message, name) ?? '').some((tag) => tag.trim().toLowerCase() === 'timer'),
  );
