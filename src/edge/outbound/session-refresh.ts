import type { Call } from '../call/call.js';
import { exchangeBoundMilliseconds } from '../call/exchange.js';
import { allow } from '../sip/capabilities.js';
import { failureText } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { reinviteHeaders, sessionAgreedBy } from '../sip/session-timer.js';

/** Earlier than the engine, which refreshes at half the interval, without credentials. */
const part = 0.4;
/** However short a session the trunk's 200 agrees to; RFC 4028 §4 allows none below 90 s. */
const shortestMilliseconds = 4_000;
/** An exchange of descriptions is open; or the refresh was refused, and is tried again before the interval is over. */
const retryMilliseconds = 5_000;

/** A call that can do something later. */
type DelayingCall = Call & { after(milliseconds: number, act: () => void): void };

/**
 * Refreshes the session with a trunk that requires credentials (RFC 4028 §10): the engine refreshes sessions too, but
 * cannot answer challenges. Each of these restarts the engine's own timer.
 */
export function refreshSession(call: DelayingCall): void {
  const session = call.state.sessions.trunk;
  if (session?.isOurs !== true) return;
  call.after(Math.max(shortestMilliseconds, part * session.seconds * 1_000), () => attempt(call));
}

function attempt(call: DelayingCall): void {
  refresh(call).then(
    (isDone) => {
      if (call.hasEnded) return;
      if (isDone) refreshSession(call);
      else call.after(retryMilliseconds, () => attempt(call));
    },
    (error: unknown) => {
      // The engine still tries its own refresh, and ends the session if that fails.
      call.log.warn({ error: failureText(error) }, 'Refreshing the session failed.');
    },
  );
}

/** False: retry soon. */
async function refresh(call: DelayingCall): Promise<boolean> {
  const { trunk } = call.dialogs;
  const { local } = call.state.descriptions.trunk;
  if (call.hasEnded || trunk?.connected !== true) return true;
  const takesUpdate = /(^|,)\s*UPDATE\s*(,|$)/i.test(trunk.res.get('Allow') ?? '');
  if (!takesUpdate && (call.exchange.isOpen || local === undefined)) return false;
  // RFC 4028 §7.4: nothing of the session changes; an UPDATE needs no description for that.
  const request = takesUpdate ? { method: 'UPDATE' } : { method: 'INVITE', body: local! };
  const close = takesUpdate ? undefined : call.exchange.begin();
  try {
    const headers = { ...reinviteHeaders(call.state.sessions.trunk), Allow: allow };
    const { response } = await requestInDialog(trunk, { ...request, headers }, exchangeBoundMilliseconds);
    if (response.status >= 300) {
      call.log.info({ status: response.status }, 'A session refresh was refused.');
      return false;
    }
    call.setSession('trunk', sessionAgreedBy(response) ?? call.state.sessions.trunk);
    return true;
  } finally {
    close?.();
  }
}
