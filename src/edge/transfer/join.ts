import { directionOfLine } from '../../sdp/sdp.js';
import type { Call } from '../call/call.js';
import { attachInDialog } from '../call/in-dialog.js';
import { holdExchanges, offerIn } from '../call/offer-in-dialog.js';
import { watchMedia } from '../call/watch-media.js';
import { MediaRefused } from '../media/media-refused.js';
import type { MediaSession } from '../media/media-session.js';
import { callMovedParties } from '../media/moved-parties.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { type Dialog, failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import type { AgreedSession } from '../sip/session-timer.js';
import { TransferorsLeg } from './leaving-leg.js';
import type { Transfer } from './transfer.js';

/** A description without the hold that the transferor may have put on before it asked for the transfer. */
export const flowing = (sdp: string): string =>
  sdp
    .split(/\r?\n/)
    .filter((line) => directionOfLine(line) === undefined)
    .join('\r\n');

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
 * hears the transferor as before. Throws `OfferRefused` or `MediaRefused` if it does not agree; the call is then unchanged.
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

/** The profile and descriptions of a side, to continue in another session. */
export const partyOf = (call: Call, side: MediaSide) => call.media!.partyOf(side);
