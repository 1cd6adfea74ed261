import { mediaIdOf, OfferRefused } from '../call/offer-in-dialog.js';
import { MediaRefused } from '../media/media-refused.js';
import { MediaSession } from '../media/media-session.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import type { MediaParty } from '../media/terms.js';
import { hasSameMedia, mediaPartyAt, type TrunkServer } from '../routing/targets.js';
import { failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { sessionAgreedBy } from '../sip/session-timer.js';
import { callTarget, type TargetCall } from './call-target.js';
import { flowing, join, partyOf } from './join.js';
import type { Outcome, Transfer } from './transfer.js';
import type { TransferDeps } from './transfer-deps.js';

/** Calls the target and joins it with the remaining party. Always ends the transfer; never rejects. */
export async function bridge(
  deps: TransferDeps,
  transfer: Transfer,
  to: Omit<TargetCall, 'offerFor'>,
): Promise<void> {
  transfer.mode = 'bridge';
  const { call } = transfer;
  const place = await deps.places.enter(to.document);
  if (place.ok && (call.hasEnded || transfer.isOver)) {
    place.release();
    return;
  }
  if (!place.ok) {
    const { status, detail } = place.refusal;
    transfer.finish({ status: 'failed', reason: 'limit', sipStatus: status, isOurs: true, detail });
    return;
  }
  transfer.release = place.release;
  const offering = new Offering(transfer, to.document.outbound_policy?.codecs ?? to.document.codecs);
  try {
    const offerFor = (server: TrunkServer): Promise<string> => offering.offerFor(server);
    const dialog = await callTarget(deps, transfer, { ...to, offerFor });
    const { session, offer } = offering;
    if (dialog === undefined || session === undefined || transfer.isOver) return;
    const sdp = transfer.newcomerAnswer;
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No answer"', 'The target answered without SDP.');
    await session.answer(sdp);
    await join(transfer, { dialog, sdp, offer, session, timer: sessionAgreedBy(dialog.res) });
    if (call.hasEnded || transfer.isOver) return;
    call.holdSlot(place.release, place.shared);
    transfer.finish({ status: 'completed', reason: 'completed', sipStatus: 200, sipReason: 'OK' });
  } catch (error) {
    transfer.finish(failureOf(error));
  } finally {
    if (call.media !== offering.session) {
      void transfer.endNewcomer(sipReason(200, 'Transfer failed'));
      offering.release();
    }
  }
}

/** The media session of the remaining and the new party, one per kind of media (SRTP or RTP). */
class Offering {
  session: MediaSession | undefined;
  offer = '';
  private party: MediaParty | undefined;

  constructor(
    private readonly transfer: Transfer,
    private readonly codecs: MediaSession['codecs'],
  ) {}

  async offerFor(server: TrunkServer): Promise<string> {
    const party = mediaPartyAt(server);
    if (this.party !== undefined && hasSameMedia(this.party, party)) return this.offer;
    const { call, side, remaining } = this.transfer;
    const described = call.state.descriptions[remaining].remote;
    if (described === undefined) {
      throw new MediaRefused('305 demarc "No description"', 'The call has no media.');
    }
    this.release();
    this.party = party;
    const id = mediaIdOf(call);
    this.transfer.mediaId = id;
    call.noteTransferState();
    this.session = new MediaSession(id, call.deps.pool, {
      codecs: this.codecs,
      parties: {
        [side]: party,
        [remaining]: partyOf(call, remaining),
      },
    });
    this.offer = await this.session.offer(remaining, flowing(described));
    return this.offer;
  }

  release(): void {
    void this.session?.release();
  }
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
