import type { CodecPolicy } from '../../contract/number.js';
import { established } from '../call/established.js';
import { fail } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { holdExchanges, OfferRefused, offerIn } from '../call/offer-in-dialog.js';
import { sendAnswer } from '../inbound/answer.js';
import type { InboundCall } from '../inbound/inbound-call.js';
import { MediaSession } from '../media/media-session.js';
import { callMovedParties } from '../media/moved-parties.js';
import { otherSide } from '../media/rtp-statistics.js';
import type { AcceptedOffer } from '../media/trunk-offer.js';
import { failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { partyOf } from './join.js';
import { isSettled, type KnownDialog } from './known-dialog.js';
import { Transfer } from './transfer.js';

interface NewcomerOffer {
  /** Undefined: the INVITE has none. */
  readonly sdp: string | undefined;
  /** As admission has read it. */
  readonly offer: AcceptedOffer | undefined;
  readonly codecs: CodecPolicy;
}

/**
 * An admitted INVITE replaces one party of another call (RFC 3891): the remaining party moves to the new call as its agent, the
 * other one gets BYE. If the party does not move, the INVITE is refused and the call continues.
 */
export async function replace(
  newcomer: InboundCall,
  { call, side }: KnownDialog,
  { sdp: newOffer, offer, codecs }: NewcomerOffer,
): Promise<void> {
  const stayingSide = otherSide(side);
  if (newOffer === undefined) {
    refuse(newcomer, 488, 'An INVITE with Replaces needs an offer.');
    return;
  }
  if (!isSettled(call)) {
    refuse(newcomer, 491, 'The dialog to be replaced is being changed.');
    return;
  }
  const transfer = new Transfer({ call, side, requestedBy: side, target: newcomer.state.from });
  transfer.mode = 'replaced';
  transfer.otherCallId = newcomer.state.id;
  transfer.newSipCallId = newcomer.state.trunkSipCallId;
  const party = call.dialogs[stayingSide]!;
  const staying = partyOf(call, stayingSide);
  const media = new MediaSession(newcomer.state.id, newcomer.deps.pool, {
    codecs,
    signaling: newcomer,
    parties: { agent: staying },
  });
  newcomer.useMedia(media);
  let close = (): void => {};
  try {
    const offered = await media.offer('trunk', newOffer, offer);
    close = await holdExchanges(call);
    if (transfer.isOver || newcomer.hasEnded) throw new OfferRefused({ status: 487, reason: 'Cancelled' });
    const sdp = await offerIn(call, stayingSide, offered);
    const body = await media.answer(sdp);
    if (call.hasEnded) throw new OfferRefused({ status: 481, reason: 'The call has ended' });
    newcomer.describeSide('agent', { remote: sdp, local: offered });
    newcomer.identifyAgent({ agentSipCallId: party.sip.callId, agentUri: call.state.agentUri });
    newcomer.deps.traces.expect(newcomer.state.id, party.sip.callId, 'agent');
    call.legs.releaseDialog(stayingSide);
    newcomer.setDialog('agent', party);
    newcomer.setSession('agent', call.state.sessions[stayingSide]);
    party.removeAllListeners();
    attachInDialog(newcomer, 'agent', party);
    transfer.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
    call.end(
      {
        reason: 'transferred',
        by: side === 'agent' ? 'agent' : call.party,
        detail: `Replaced by call ${newcomer.state.id}.`,
      },
      { reason: sipReason(200, 'Replaced') },
    );
    if (newcomer.hasEnded) party.destroy({ headers: {} }, () => {});
    else await sendAnswer(newcomer, body, () => established(newcomer));
    void callMovedParties(media);
  } catch (error) {
    transfer.finish({
      status: 'failed',
      reason: 'media_failed',
      sipStatus: 488,
      isOurs: true,
      detail: failureText(error),
    });
    if (error instanceof OfferRefused) refuse(newcomer, 480, error.message);
    else fail(newcomer, error);
  } finally {
    close();
  }
}

/** Refuses an INVITE with Replaces. */
export function refuse(call: InboundCall, status: number, detail: string, reason?: string): void {
  call.end({ reason: 'refused_bad_request', by: 'edge', detail }, { answer: { status, reason } });
}
