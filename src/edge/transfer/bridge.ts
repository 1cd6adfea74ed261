import type { CodecPolicy, NumberDocument } from '../../contract/number.js';
import type { Place } from '../admission/call-limits.js';
import { OfferRefused } from '../call/offer-in-dialog.js';
import { MediaRefused } from '../media/media-refused.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { callTarget, type TargetCall } from './call-target.js';
import { join } from './join.js';
import { TargetOffer } from './target-offer.js';
import type { Outcome, Transfer } from './transfer.js';
import type { TransferDeps } from './transfer-deps.js';

type GrantedPlace = Extract<Place, { readonly ok: true }>;

/** Calls the target and joins it with the remaining party. Always ends the transfer; never rejects. */
export async function bridge(
  deps: TransferDeps,
  transfer: Transfer,
  to: Omit<TargetCall, 'offerFor'>,
): Promise<void> {
  transfer.mode = 'bridge';
  const { call } = transfer;
  const place = await placeFor(deps, transfer, to.document);
  if (place === undefined) return;
  const offer = new TargetOffer(transfer, transfer.remaining, codecsOf(to.document));
  try {
    const { offerFor } = offer;
    const dialog = await callTarget(deps, transfer, { ...to, offerFor });
    const { session, text } = offer;
    if (dialog === undefined || session === undefined || transfer.isOver) return;
    const sdp = answerOf(transfer);
    await session.answer(sdp);
    await join(transfer, { dialog, sdp, offer: text, session, timer: sessionAgreedBy(dialog.res) });
    if (call.hasEnded || transfer.isOver) return;
    call.holdSlot(place.release, place.shared);
    transfer.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
  } catch (error) {
    transfer.finish(failureOf(error));
  } finally {
    if (call.media !== offer.session) {
      void transfer.endNewcomer(sipReason(200, 'Transfer failed'));
      offer.release();
    }
  }
}

/** A slot for the new leg, which the transfer releases if it fails. Undefined: there is none, and the transfer has ended. */
export async function placeFor(
  deps: TransferDeps,
  transfer: Transfer,
  document: NumberDocument,
): Promise<GrantedPlace | undefined> {
  const place = await deps.places.enter(document);
  if (!place.ok) {
    const { status, detail } = place.refusal;
    transfer.finish({ status: 'failed', reason: 'limit', sipStatus: status, isOurs: true, detail });
    return undefined;
  }
  if (transfer.call.hasEnded || transfer.isOver) {
    place.release();
    return undefined;
  }
  transfer.release = place.release;
  return place;
}

export const codecsOf = ({ outbound_policy: policy, codecs }: NumberDocument): CodecPolicy =>
  policy?.codecs ?? codecs;

/** The target's description. Throws `MediaRefused` if its 200 had none. */
export function answerOf({ newcomerAnswer }: Transfer): string {
  if (newcomerAnswer !== undefined) return newcomerAnswer;
  throw new MediaRefused('305 demarc "No answer"', 'The target answered without SDP.');
}

/** The outcome of a transfer that failed with an error. */
export function failureOf(error: unknown): Outcome {
  if (error instanceof OfferRefused) {
    const { status } = error.response;
    const sipStatus = status === 488 || status === 606 ? 488 : 500;
    return { status: 'failed', reason: 'media_failed', sipStatus, isOurs: true, detail: error.message };
  }
  if (error instanceof MediaRefused) {
    return { status: 'failed', reason: 'media_failed', sipStatus: 488, isOurs: true, detail: error.detail };
  }
  const isKnown = error instanceof MediaUnavailable;
  return {
    status: 'failed',
    reason: isKnown ? 'media_failed' : 'internal_error',
    sipStatus: isKnown ? 503 : 500,
    isOurs: true,
    detail: failureText(error),
  };
}
