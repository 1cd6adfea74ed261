import type { SipRequest, SipResponse } from '../../sip/message.js';
import {
  maximumIntervalRaises,
  maximumSessionSeconds,
  parseSessionExpires,
} from '../../sip/session-expires.js';
import type { ApplicationMessage } from './application.js';
import type { Dialog } from './dialog.js';
import { endDialog } from './dialog-end.js';
import type { Environment } from './environment.js';
import { SessionRefresh } from './session-refresh.js';

/** What both sides agreed in a 2xx (RFC 4028). */
export interface Session {
  /** Seconds. */
  readonly interval: number;
  readonly isOursToRefresh: boolean;
  /** To be added to the 2xx. */
  readonly headers: readonly (readonly [string, string])[];
}

function written(application: ApplicationMessage, name: string): string | undefined {
  return application.known.find(([header]) => header === name)?.[1];
}

/** True when the request wants a session shorter than we allow: 422 with Min-SE (RFC 4028 §9). */
export function wantsTooShortSession(environment: Environment, request: SipRequest): boolean {
  const asked = parseSessionExpires(request.headers.get('Session-Expires'));
  return asked !== undefined && asked.interval < environment.settings.minimumSessionExpires;
}

/**
 * The session that our 2xx to an INVITE or UPDATE agrees to (wire protocol §9.6): what the application wrote, else what the peer
 * asked for when it named the refresher.
 */
export function incomingSession(
  environment: Environment,
  request: SipRequest,
  answer: ApplicationMessage,
): Session | undefined {
  if (request.method !== 'INVITE' && request.method !== 'UPDATE') return undefined;
  const own = parseSessionExpires(written(answer, 'Session-Expires'));
  if (own !== undefined) {
    // Without a refresher neither side owes the refresh, so a missing one must not end the call.
    if (own.refresher === undefined) return undefined;
    return { interval: own.interval, isOursToRefresh: own.refresher === 'uas', headers: [] };
  }
  const asked = parseSessionExpires(request.headers.get('Session-Expires'));
  if (asked?.refresher === undefined) return undefined;
  const interval = Math.max(environment.settings.minimumSessionExpires, asked.interval);
  const isOurs = asked.refresher === 'uas';
  const headers: [string, string][] = [['Session-Expires', `${interval};refresher=${asked.refresher}`]];
  // RFC 4028 §9: with the UAC as refresher the 2xx requires the extension, which only a UAC that named it can have.
  const peerSupports = request.headers.list('Supported').some((tag) => tag.toLowerCase() === 'timer');
  if (!isOurs && peerSupports && written(answer, 'Require') === undefined) headers.push(['Require', 'timer']);
  return { interval, isOursToRefresh: isOurs, headers };
}

/**
 * The session that the peer's 2xx to our INVITE or UPDATE agrees to. Without a refresher it is ours. Shorter than allowed, it
 * would make us refresh without a pause (RFC 4028 §4: 90 s at least).
 */
export function outgoingSession(environment: Environment, response: SipResponse): Session | undefined {
  const agreed = parseSessionExpires(response.headers.get('Session-Expires'));
  if (agreed === undefined) return undefined;
  const interval = Math.max(environment.settings.minimumSessionExpires, agreed.interval);
  return { interval, isOursToRefresh: agreed.refresher !== 'uas', headers: [] };
}

/**
 * Restarts the session timer of a dialog: a refresh at half the time, or BYE when the peer's refresh does not come.
 * A 2xx that agrees to nothing leaves the timer as it is, because peers forget the header in a mere hold.
 */
export function armSession(
  environment: Environment,
  dialog: Dialog,
  session: Session | undefined,
  /** Of the interval until our refresh. */
  share = 1 / 2,
): void {
  if (session === undefined || dialog.isEnded) return;
  cancelSession(dialog);
  const { clock, identifiers } = environment;
  if (!session.isOursToRefresh) {
    dialog.timers.push(
      clock.after(session.interval * 1000, () => endDialog(environment, dialog, 'session_expired')),
    );
    return;
  }
  // Spread over ten seconds, so that calls set up in one burst are not refreshed in one.
  const jitter = (identifiers.fraction() - 0.5) * Math.min(10_000, session.interval * 100);
  const milliseconds = session.interval * 1_000;
  const running: RunningSession = {
    interval: session.interval,
    deadline: clock.now() + milliseconds - Math.min(32_000, milliseconds / 3),
    raises: 0,
  };
  dialog.timers.push(clock.after(milliseconds * share + jitter, () => refresh(environment, dialog, running)));
}

/**
 * The session timer of a restored dialog. When the last refresh was is unknown: ours comes after a quarter of the time, before
 * the peer's half is over; the peer's has its whole time again.
 */
export function resumeSession(environment: Environment, dialog: Dialog, session: Session): void {
  armSession(environment, dialog, session, 1 / 4);
}

function cancelSession(dialog: Dialog): void {
  for (const timer of dialog.timers) timer.cancel();
  dialog.timers = [];
}

interface RunningSession {
  /** Seconds. */
  readonly interval: number;
  /** When the session is given up without a refresh: RFC 4028 §10 asks for BYE 32 s or a third of the interval early. */
  readonly deadline: number;
  /** How often the peer has demanded a longer interval. */
  readonly raises: number;
}

/** A peer that refuses for now is asked again at a tenth of the interval, but not less often than this. */
const retryMilliseconds = 10_000;
/** Minimum, however soon the peer asks for a retry. */
const shortestRetryMilliseconds = 1_000;

function refresh(environment: Environment, dialog: Dialog, running: RunningSession): void {
  const { clock, identifiers, timers } = environment;
  const { interval, deadline, raises } = running;
  dialog.timers = [];
  const again = (milliseconds: number): void => {
    if (dialog.isEnded) return;
    dialog.timers.push(clock.after(milliseconds, () => refresh(environment, dialog, running)));
  };
  const giveUp = (): void => endDialog(environment, dialog, 'session_expired');
  /** Milliseconds. */
  const againWithin = (wait: number): void => {
    const left = deadline - clock.now();
    if (left <= 0) giveUp();
    else again(Math.min(left, wait));
  };
  if (dialog.ownInvite !== undefined || dialog.peerInvite !== undefined) {
    again(2 * timers.t2);
    return;
  }
  new SessionRefresh(environment, dialog, interval, {
    refreshed: (response) =>
      armSession(
        environment,
        dialog,
        outgoingSession(environment, response) ?? { interval, isOursToRefresh: true, headers: [] },
      ),
    // RFC 3261 §14.1: the dialog's initiator waits 2.1 to 4 s, the other side 0 to 2 s.
    glare: () =>
      againWithin(
        dialog.role === 'uac' ? 2100 + identifiers.fraction() * 1900 : identifiers.fraction() * 2000,
      ),
    tooShort: (minimum) => {
      if (minimum > maximumSessionSeconds || raises >= maximumIntervalRaises) giveUp();
      else refresh(environment, dialog, { ...running, interval: minimum, raises: raises + 1 });
    },
    notAllowed: () => refresh(environment, dialog, running),
    refused: (retryAfter) =>
      againWithin(
        Math.max(shortestRetryMilliseconds, retryAfter ?? Math.min(retryMilliseconds, interval * 100)),
      ),
    failed: giveUp,
  }).send();
}
