import { MediaRefused } from '../media/media-refused.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { allow, capabilityHeaders, contactHeaders } from '../sip/capabilities.js';
import type { ReceivedRequest, ReceivedResponse, ResponseSender } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { sessionAgreedIn, sessionTimerHeaders } from '../sip/session-timer.js';
import type { Call } from './call.js';
import { mapInDialogFailure } from './status-map.js';

/** Above the 32 s after which the engine itself answers for an unresponsive peer. */
export const exchangeBoundMilliseconds = 35_000;

/** Answers a peer's offer where its side has changed the session too often of late; 488 would be final. */
export function refusedAsTooFrequent(call: Call, response: ResponseSender): boolean {
  const { secondsToWait } = call.exchange;
  if (secondsToWait === 0) return false;
  response.send(500, 'Session Changed Too Often', { headers: { 'Retry-After': String(secondsToWait) } });
  return true;
}

/**
 * The answerer has already changed its session, so an unusable answer leaves no session to return to: the call ends instead
 * of continuing unencrypted.
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

/** Relays a refusal. 481 and 408 mean that the dialog is gone and end the call (RFC 3261 §14.1). */
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

/** Headers of a 2xx to a re-INVITE or UPDATE; its session timer takes effect. */
export function answerHeaders(call: Call, side: MediaSide, request: ReceivedRequest): Record<string, string> {
  // An interval that the peer's 422 or Min-SE has raised stays raised.
  const { sessionExpiresSeconds } = call.deps.settings.call;
  const preferred = Math.max(sessionExpiresSeconds, call.state.sessions[side]?.seconds ?? 0);
  const timer = sessionTimerHeaders(request, preferred);
  call.setSession(side, sessionAgreedIn(timer) ?? call.state.sessions[side]);
  return { Allow: allow, Supported: capabilityHeaders.Supported!, ...contactHeaders(request), ...timer };
}
