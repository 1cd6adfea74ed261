import { mediaIdOf } from '../call/offer-in-dialog.js';
import { MediaRefused } from '../media/media-refused.js';
import { MediaSession } from '../media/media-session.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import type { MediaParty } from '../media/terms.js';
import { hasSameMedia, mediaPartyAt, type TrunkServer } from '../routing/targets.js';
import { flowing, partyOf } from './join.js';
import type { Transfer } from './transfer.js';

/** The media session of a present and the new party, one per kind of media (SRTP or RTP). */
export class TargetOffer {
  session: MediaSession | undefined;
  text = '';
  private party: MediaParty | undefined;

  /** @param from the present party */
  constructor(
    private readonly transfer: Transfer,
    private readonly from: MediaSide,
    private readonly codecs: MediaSession['codecs'],
  ) {}

  readonly offerFor = async (server: TrunkServer): Promise<string> => {
    const party = mediaPartyAt(server);
    if (this.party !== undefined && hasSameMedia(this.party, party)) return this.text;
    const { from } = this;
    const { call } = this.transfer;
    const described = call.state.descriptions[from].remote;
    if (described === undefined) {
      throw new MediaRefused('305 demarc "No description"', 'The call has no media.');
    }
    this.release();
    this.party = party;
    const id = mediaIdOf(call);
    this.transfer.mediaId = id;
    call.noteTransferState();
    const parties = { [otherSide(from)]: party, [from]: partyOf(call, from) };
    this.session = new MediaSession(id, call.deps.pool, { codecs: this.codecs, parties });
    this.text = await this.session.offer(from, flowing(described));
    return this.text;
  };

  release(): void {
    void this.session?.release();
  }
}
