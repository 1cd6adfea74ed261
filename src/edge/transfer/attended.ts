import type { CodecPolicy } from '../../contract/number.js';
import type { Call } from '../call/call.js';
import { holdExchanges, mediaIdOf, OfferRefused, offerIn } from '../call/offer-in-dialog.js';
import { MediaSession } from '../media/media-session.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import type { Dialog } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { failureOf } from './bridge.js';
import { flowing, join, partyOf } from './join.js';
import type { KnownDialog } from './known-dialog.js';
import { Transfer } from './transfer.js';

/**
 * The transferor has two calls and leaves both: the other call's party takes its place in this one (RFC 5589 §7). The other
 * call ends; its party's dialog continues here. Always ends the transfer; never rejects.
 */
export async function joinCalls(
  transfer: Transfer,
  { call: targetCall, side: transferorsSide }: KnownDialog,
  codecs: CodecPolicy,
): Promise<void> {
  const { call, side, remaining } = transfer;
  transfer.mode = 'attended';
  transfer.otherCallId = targetCall.state.id;
  const partySide = otherSide(transferorsSide);
  const party = targetCall.dialogs[partySide]!;
  transfer.newSipCallId = party.sip.callId;
  // Blocks other transfers of that call meanwhile.
  const counterpart = new Transfer({
    call: targetCall,
    side: transferorsSide,
    requestedBy: transferorsSide,
    target: transfer.target,
  });
  counterpart.mode = 'attended';
  counterpart.otherCallId = call.state.id;
  const session = new MediaSession(mediaIdOf(call), call.deps.pool, {
    codecs,
    parties: { [remaining]: partyOf(call, remaining), [side]: partyOf(targetCall, partySide) },
  });
  transfer.mediaId = session.id;
  call.noteTransferState();
  const before = targetCall.state.descriptions[partySide].local;
  let hasMoved = false;
  let close = (): void => {};
  try {
    const offer = await session.offer(remaining, flowing(call.state.descriptions[remaining].remote!));
    close = await holdExchanges(targetCall);
    if (transfer.isOver || counterpart.isOver)
      throw new OfferRefused({ status: 481, reason: 'One of the calls has ended' });
    const sdp = await offerIn(targetCall, partySide, offer);
    hasMoved = true;
    await session.answer(sdp);
    if (transfer.isOver || counterpart.isOver)
      throw new OfferRefused({ status: 481, reason: 'One of the calls has ended' });
    await join(transfer, { dialog: party, sdp, offer, session, timer: targetCall.state.sessions[partySide] });
    if (call.media !== session) return;
    expectTrace(call, targetCall, party);
    targetCall.legs.releaseDialog(partySide);
    transfer.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
    counterpart.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
    targetCall.end(
      {
        reason: 'transferred',
        by: transferorsSide === 'agent' ? 'agent' : targetCall.party,
        detail: `Joined with call ${call.state.id}.`,
      },
      { reason: sipReason(200, 'Transferred') },
    );
  } catch (error) {
    const outcome = failureOf(error);
    transfer.finish(outcome);
    counterpart.finish(outcome);
  } finally {
    close();
    if (call.media !== session) {
      counterpart.finish({ status: 'failed', reason: 'call_ended', sipStatus: 487, isOurs: true });
      // Back to its previous peer.
      if (hasMoved && !targetCall.hasEnded && before !== undefined) {
        await moveBack(targetCall, partySide, partyOf(targetCall, partySide).local?.again(before) ?? before);
      }
      void session.release();
    }
  }
}

async function moveBack(targetCall: Call, side: MediaSide, description: string): Promise<void> {
  await offerIn(targetCall, side, description).catch((error: unknown) => {
    targetCall.log.warn(
      { error: String(error) },
      'Reconnecting a transferred side to its original call failed.',
    );
  });
}

/** The dialog's messages belong to the record of the call that it joins. */
function expectTrace(call: Call, targetCall: Call, party: Dialog): void {
  const isOutbound = party === targetCall.dialogs.trunk && targetCall.state.direction === 'outbound';
  const isOfTrunk = party === targetCall.dialogs.trunk;
  call.noteSipCallId(party.sip.callId);
  call.deps.traces.expect(
    call.state.id,
    party.sip.callId,
    'trunk',
    isOfTrunk && !isOutbound ? 'peer' : 'edge',
  );
}
