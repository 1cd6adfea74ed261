import { transferTargetHeader } from '../../contract/transfer.js';
import type { Place } from '../admission/call-limits.js';
import { holdExchanges, mediaIdOf, OfferRefused, offerIn, offerTo } from '../call/offer-in-dialog.js';
import { holdMusic } from '../media/hold-music.js';
import { MediaSession } from '../media/media-session.js';
import type { Dialog } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { answerOf, codecsOf, failureOf, placeFor } from './bridge.js';
import { callTarget, type TargetCall } from './call-target.js';
import { flowing, join, partyOf } from './join.js';
import { TargetOffer } from './target-offer.js';
import type { TransferDeps } from './transfer-deps.js';
import type { WarmTransfer } from './warm-transfer.js';

/**
 * Puts the caller on hold, calls the target and connects it with the agent; later with the caller, in place of the agent. Always ends
 * the transfer; never rejects.
 */
export async function consult(
  deps: TransferDeps,
  transfer: WarmTransfer,
  to: Omit<TargetCall, 'offerFor'>,
): Promise<void> {
  const { call } = transfer;
  const place = await placeFor(deps, transfer, to.document);
  if (place === undefined) return;
  const offer = new TargetOffer(transfer, 'agent', codecsOf(to.document));
  let stopWatch = (): void => {};
  try {
    const { audio } = call.media!;
    if (!audio.isOnHold) await audio.hold(holdMusic());
    call.changed();
    const { offerFor } = offer;
    const dialog = await callTarget(deps, transfer, { ...to, offerFor });
    const { session } = offer;
    if (dialog === undefined || session === undefined || transfer.isOver) return;
    stopWatch = watchNodes(transfer, session);
    await connectAgent(transfer, session);
    await transfer.joinDue;
    stopWatch();
    if (!transfer.isOver) await connectCaller(transfer, dialog, session, place);
  } catch (error) {
    transfer.finish(failureOf(error));
  } finally {
    stopWatch();
    void transfer.endNewcomer(sipReason(200, 'Transfer failed'));
    offer.release();
  }
}

/** A node that is lost takes the consultation with it; the call's own session moves to another node. */
function watchNodes(transfer: WarmTransfer, session: MediaSession): () => void {
  const { call } = transfer;
  const lost = (cause: string): void => {
    const detail = `The consultation lost its media: ${cause}`;
    transfer.finish({ status: 'failed', reason: 'media_failed', sipStatus: 503, isOurs: true, detail });
  };
  const stops = [session, call.media!].map((media) => call.deps.nodes.watch(media, lost));
  return () => {
    for (const stop of stops) stop();
  };
}

/** The agent hears the target from now on. An agent that has hung up leaves the target to the caller. */
async function connectAgent(transfer: WarmTransfer, session: MediaSession): Promise<void> {
  const { call } = transfer;
  const sdp = answerOf(transfer);
  await session.answer(sdp, () => false);
  if (!transfer.answered()) return;
  const close = await holdExchanges(call);
  try {
    if (transfer.isOver || call.dialogs.agent === undefined) return;
    const offered = await session.offer('trunk', sdp);
    transfer.isApart = true;
    await call.media!.audio.blockTrunk(true);
    const answer = await offerIn(call, 'agent', offered, { [transferTargetHeader]: transfer.target });
    await session.answer(answer, () => false);
    transfer.connected();
  } catch (error) {
    if (error instanceof OfferRefused) transfer.isApart = false;
    if (call.dialogs.agent !== undefined) throw error;
  } finally {
    close();
  }
}

async function connectCaller(
  transfer: WarmTransfer,
  dialog: Dialog,
  consulted: MediaSession,
  place: Extract<Place, { readonly ok: true }>,
): Promise<void> {
  const { call } = transfer;
  transfer.join();
  const parties = { trunk: partyOf(call, 'trunk'), agent: consulted.partyOf('trunk') };
  const session = new MediaSession(mediaIdOf(call), call.deps.pool, { codecs: consulted.codecs, parties });
  transfer.mediaId = session.id;
  call.noteTransferState();
  const timer = sessionAgreedBy(dialog.res);
  try {
    const offer = await session.offer('trunk', flowing(call.state.descriptions.trunk.remote!));
    const target = { dialog: () => transfer.newcomer, session: () => timer, isOver: () => transfer.isOver };
    const sdp = await offerTo(target, offer);
    await session.answer(sdp);
    if (transfer.isOver) return;
    await join(transfer, { dialog, sdp, offer, session, timer });
    if (call.hasEnded || transfer.isOver) return;
    call.holdSlot(place.release, place.shared);
    transfer.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
  } finally {
    if (call.media !== session) void session.release();
  }
}
