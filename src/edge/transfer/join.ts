import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../call/call.js';
import { watchMedia } from '../call/established.js';
import { exchangeBoundMilliseconds } from '../call/exchange.js';
import { attachInDialog } from '../call/in-dialog.js';
import { MediaRefused, type MediaSession } from '../media/media-session.js';
import { callMovedParties } from '../media/moved-parties.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { directionOfLine } from '../media/sdp.js';
import { sdpOf } from '../sip/message-reading.js';
import { type Dialog, failureText, type ReceivedResponse } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { type AgreedSession, reinviteHeaders } from '../sip/session-timer.js';
import { TransferorsLeg } from './leaving-leg.js';
import type { Transfer } from './transfer.js';

/** Both sides may start an exchange at once; each retries after a pause (RFC 3261 §14.1). */
const attempts = 3;
const pauseMilliseconds = 700;

/** The remaining party refused to move to the new party: the call is unchanged. */
export class JoinRefused extends Error {
  constructor(readonly response: Pick<ReceivedResponse, 'status' | 'reason'>) {
    super(`The other party answered the re-INVITE ${response.status} ${response.reason}.`);
    this.name = 'JoinRefused';
  }
}

/** A description without the hold that the transferor may have put on before it asked for the transfer. */
export const flowing = (sdp: string): string =>
  sdp
    .split(/\r?\n/)
    .filter((line) => directionOfLine(line) === undefined)
    .join('\r\n');

/** Offers a description in a call's dialog; resolves with the answer. Throws `JoinRefused`. */
export async function offerIn(call: Call, side: MediaSide, offer: string): Promise<string> {
  const dialog = call.dialogs[side];
  if (dialog === undefined) throw new JoinRefused({ status: 481, reason: 'The party is gone' });
  for (let attempt = 1; ; attempt++) {
    const { response } = await requestInDialog(
      dialog,
      { method: 'INVITE', headers: reinviteHeaders(call.state.sessions[side]), body: offer },
      exchangeBoundMilliseconds,
    );
    if (response.status === 491 && attempt < attempts) {
      await sleep(pauseMilliseconds * (1 + Math.random()));
      continue;
    }
    if (response.status >= 300) throw new JoinRefused(response);
    const answer = sdpOf(response);
    if (answer === undefined) throw new JoinRefused({ status: 488, reason: 'No answer in the 200' });
    return answer;
  }
}

/** Waits until no exchange is open, and blocks new ones until the result is called. */
export async function holdExchanges(call: Call): Promise<() => void> {
  await call.acknowledged.promise;
  const end = performance.now() + exchangeBoundMilliseconds;
  while (call.exchange.isOpen && !call.hasEnded && performance.now() < end) await sleep(50);
  return call.exchange.begin();
}

export interface Newcomer {
  readonly dialog: Dialog;
  /** Its answer to `offer`, which came from `session` and was accepted there. */
  readonly sdp: string;
  readonly offer: string;
  readonly session: MediaSession;
  /** Its session timer. */
  readonly timer: AgreedSession | undefined;
}

/**
 * Moves the remaining party to the session of the new one, which replaces the transferor. Until it agrees, the remaining party
 * hears the transferor as before. Throws `JoinRefused` or `MediaRefused` if it does not agree; the call is then unchanged.
 */
export async function join(transfer: Transfer, newcomer: Newcomer): Promise<void> {
  const { sdp, offer, session } = newcomer;
  const { call, side, remaining } = transfer;
  const close = await holdExchanges(call);
  try {
    if (transfer.isOver) return;
    transfer.isJoining = true;
    const offered = await session.offer(side, sdp);
    const answer = await offerIn(call, remaining, offered);
    // The party has moved: from here on the transfer cannot be undone.
    try {
      await session.answer(answer);
    } catch (error) {
      const why = error instanceof MediaRefused ? error.detail : failureText(error);
      const detail = `The ${remaining}'s answer to the transfer: ${why}`;
      call.end({ reason: 'media_failed', by: 'edge', detail }, { reason: sipReason(488, 'Not acceptable') });
    }
    if (call.hasEnded) return;
    call.describeSide(remaining, { remote: answer, local: offered });
    call.describeSide(side, { remote: sdp, local: offer });
    replaceParty(transfer, newcomer);
  } finally {
    transfer.isJoining = false;
    close();
  }
}

function replaceParty(transfer: Transfer, { dialog, session, timer }: Newcomer): void {
  const { call, side } = transfer;
  const transferor = call.dialogs[side];
  call.moveMedia(session);
  transfer.newcomer = undefined;
  call.replaceParty(side, dialog, timer);
  dialog.removeAllListeners();
  attachInDialog(call, side, dialog);
  if (transferor !== undefined) new TransferorsLeg(call, transferor, transfer.subscription);
  watchMedia(call);
  void callMovedParties(session);
  call.log.info({ side, media: session.summary }, 'The transfer target has joined the call.');
  if (dialog.connected) return;
  call.end({ ...call.hangUpBy(side), detail: 'The transfer target hung up at once.' });
}

/** A unique id for a further media session of a call. */
export const mediaIdOf = (call: Call): string => `${call.state.id}-${randomBytes(4).toString('hex')}`;

/** The profile and descriptions of a side, to continue in another session. */
export const partyOf = (call: Call, side: MediaSide) => call.media!.partyOf(side);
