import { MediaRefused } from '../media/media-session.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { allow, capabilityHeaders, contactHeaders } from '../sip/capabilities.js';
import type { ReceivedRequest, ReceivedResponse, ResponseSender } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { sessionAgreedIn, sessionTimerHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import { mapInDialogFailure } from './status-map.js';

/** Above the 32 s after which the engine itself answers for a silent peer. */
export const exchangeBoundMilliseconds = 35_000;

/**
 * The other side has accepted and changed its session already, so an answer that cannot be used leaves no session to go
 * back to: the call ends rather than go on in the clear.
 */
export async function checkedAnswer(call: Call, side: MediaSide, sdp: string): Promise<string | undefined> {
  try {
    return await call.media!.answer(sdp);
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error;
    call.end(
      { reason: 'media_failed', by: 'edge', detail: `The ${side}'s answer in the call: ${error.detail}` },
      { reason: sipReason(488, 'Not acceptable answer') },
    );
    return undefined;
  }
}

/** The other side said no. A dialog that it does not know any more, or that is silent, ends the call (RFC 3261 §14.1). */
export function passRefusal(
  call: Call,
  side: MediaSide,
  answer: ReceivedResponse,
  response: ResponseSender,
): void {
  const retryAfter = answer.get('Retry-After');
  const headers =
    retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? { 'Retry-After': retryAfter } : {};
  response.send(mapInDialogFailure(answer.status), cleanPhrase(answer.reason), { headers });
  if (answer.status !== 481 && answer.status !== 408) return;
  call.end(
    {
      ...call.hangUpBy(side),
      detail: `The ${side} answered ${answer.status} to a request inside the call: its dialog is gone.`,
    },
    { reason: sipReason(answer.status, 'Dialog is gone') },
  );
}

/** Of a 2xx to a re-INVITE or UPDATE of one side; what it says of the session timer is in force from then on. */
export function answerHeaders(call: Call, side: MediaSide, request: ReceivedRequest): Record<string, string> {
  // What the peer's 422 or Min-SE has made longer once stays so.
  const { sessionExpiresSeconds } = call.deps.settings.call;
  const preferred = Math.max(sessionExpiresSeconds, call.state.sessions[side]?.seconds ?? 0);
  const timer = sessionTimerHeaders(request, preferred);
  call.setSession(side, sessionAgreedIn(timer) ?? call.state.sessions[side]);
  return { Allow: allow, Supported: capabilityHeaders.Supported!, ...contactHeaders(request), ...timer };
}
