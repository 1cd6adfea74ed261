import { randomInt } from 'node:crypto';
import type { CodecPolicy } from '../../contract/number.js';
import { LocalDescription, narrowed } from '../../sdp/local-description.js';
import { offeredSuites, type SrtpSuite, srtpSuite } from '../../sdp/srtp-key.js';
import { readAgentOffer } from './agent-offer.js';
import { type AnswerCheck, checkAnswer, type OfferedAudio } from './answer-check.js';
import { eventsAtCodecClock } from './event-clock.js';
import type { MediaEgress } from './media-egress.js';
import { MediaRefused } from './media-refused.js';
import { type Profile, sourceFlags, suiteFlags } from './ng-parameters.js';
import { offeredCodecs } from './offered-codecs.js';
import type { PlainSource, SourceCommand } from './plain-source.js';
import { type MediaSide, otherSide } from './rtp-statistics.js';
import { type AcceptedOffer, readTrunkOffer, type SrtpPolicy } from './trunk-offer.js';

/** The trunk's signaling, as its media is judged by it. */
export interface TrunkSignaling {
  /** Address of its peer; empty: unknown. */
  readonly sourceAddress: string;
  /** Whether it comes over a connection from the address, which cannot be forged. */
  isPeerAddress(address: string): boolean;
}

/** A party of a media session. */
export interface MediaParty {
  readonly profile: Profile;
  /** The description sent to it in an earlier session. */
  readonly local?: LocalDescription;
  /** True: the egress policy checks its media address. Absent: true for trunks, and for parties that use SRTP. */
  readonly isForeign?: boolean;
  /** Of the trunk's side. */
  readonly signaling?: TrunkSignaling | undefined;
  /** Setting of the number: whether it may send plain RTP from another address than it describes. Absent: the edge's setting. */
  readonly isSymmetric?: boolean | undefined;
}

/** What an `offer` command says. */
export interface OfferCommand {
  readonly parameters: Record<string, unknown>;
  /** Payload types of the answerer are its own then; a codec is not converted. */
  readonly isPassed: boolean;
  /** Flags for what rtpengine inserts into the stream itself; also those of the `answer` command. */
  readonly injection: readonly string[];
  /** The offerer's description, before what its source requires. */
  readonly described: string;
}

/** Lets rtpengine insert DTMF; it then inspects every packet. */
export const injectsEvents = 'inject-DTMF';

/** What is known of sides of plain RTP that may send from another address than they describe. */
export interface SourceLearning {
  /** Whether a side may, where its number does not decide. */
  isSymmetric(side: MediaSide): boolean;
  /** Undefined: an rtpengine cannot learn a source safely. */
  sourceOf(side: MediaSide): PlainSource | undefined;
}

const noLearning: SourceLearning = { isSymmetric: () => false, sourceOf: () => undefined };
const sides = ['trunk', 'agent'] as const;
const untrusted: TrunkSignaling = { sourceAddress: '', isPeerAddress: () => false };

/** What holds for every exchange of a session: its two parties, and what they may agree on. */
export class Terms {
  readonly profiles: Readonly<Record<MediaSide, Profile>>;
  readonly local: Readonly<Record<MediaSide, LocalDescription>>;
  /** For a party whose descriptions may name any address. The agent's side: false when the operator configured the agent. */
  readonly isForeign: Record<MediaSide, boolean>;
  /** Of sides whose packets may come from another address than they describe. */
  readonly sources: Partial<Readonly<Record<MediaSide, PlainSource>>>;
  /** Sides that may send from elsewhere, though rtpengine cannot learn it: their described addresses hold. */
  readonly unlearned: readonly MediaSide[];
  /** Settings of the number. */
  private readonly symmetry: Readonly<Record<MediaSide, boolean | undefined>>;
  readonly signaling: TrunkSignaling;

  constructor(
    { trunk, agent }: Readonly<Record<MediaSide, MediaParty>>,
    readonly codecs: CodecPolicy,
    /** True: digits can be played, for which rtpengine decodes the audio. */
    readonly playsDigits: boolean,
    private readonly egress: MediaEgress,
    learning: SourceLearning = noLearning,
    private readonly srtp: SrtpPolicy = {},
  ) {
    const sessionId = randomInt(1, 2 ** 47);
    this.profiles = { trunk: trunk.profile, agent: agent.profile };
    this.isForeign = {
      trunk: trunk.isForeign ?? true,
      agent: agent.isForeign ?? agent.profile === 'RTP/SAVP',
    };
    this.local = {
      trunk: trunk.local ?? new LocalDescription(sessionId),
      agent: agent.local ?? new LocalDescription(sessionId + 1),
    };
    this.signaling = trunk.signaling ?? untrusted;
    this.symmetry = { trunk: trunk.isSymmetric, agent: agent.isSymmetric };
    const found = sides
      .filter((side) => this.isSymmetric(side, learning))
      .map((side) => [side, learning.sourceOf(side)] as const);
    this.sources = Object.fromEntries(found.filter(([, source]) => source !== undefined));
    this.unlearned = found.filter(([, source]) => source === undefined).map(([side]) => side);
  }

  /** True: both directions are off at rtpengine until it knows where a side's packets come from. */
  get isLearning(): boolean {
    return Object.values(this.sources).some(({ isOpen }) => isOpen);
  }

  /** One side's party, for a move to another session, where its descriptions continue from the one sent here. */
  partyOf(side: MediaSide): MediaParty {
    return {
      profile: this.profiles[side],
      local: this.local[side],
      isForeign: this.isForeign[side],
      isSymmetric: this.symmetry[side],
      ...(side === 'trunk' ? { signaling: this.signaling } : {}),
    };
  }

  /** A number decides for its agent, also for a customer's; the edge's setting is for the operator's own agents. */
  private isSymmetric(side: MediaSide, learning: SourceLearning): boolean {
    if (this.profiles[side] === 'RTP/SAVP') return false;
    return this.symmetry[side] ?? ((side === 'trunk' || !this.isForeign.agent) && learning.isSymmetric(side));
  }

  /** Reads a side's offer by the policy for that side. Throws `MediaRefused`. */
  readOffer(from: MediaSide, sdp: string): AcceptedOffer {
    const egress = this.egressOf(from);
    const offer =
      this.profiles[from] === 'RTP/SAVP'
        ? readTrunkOffer(sdp, this.codecs, egress, {
            suites: this.suites,
            // A call that has begun so stays so.
            takesOptimistic: this.srtp.takesOptimistic === true || this.local[from].isOptimistic,
          })
        : readAgentOffer(sdp, this.codecs, egress);
    if (!offer.ok) throw new MediaRefused(offer.warning, offer.detail);
    this.take(from, offer);
    return offer;
  }

  /** Descriptions for the side say RTP/AVP or RTP/SAVP as its last offer does. */
  take(from: MediaSide, { isOptimistic = false }: AcceptedOffer): void {
    this.local[from].isOptimistic = isOptimistic;
  }

  /** Whether a side's answer matches the audio line that it was offered. */
  checkAnswer(from: MediaSide, sdp: string, offered: OfferedAudio): AnswerCheck {
    const { isOptimistic } = this.local[from];
    return checkAnswer(sdp, offered, this.profiles[from], this.egressOf(from), isOptimistic);
  }

  private get suites(): readonly SrtpSuite[] {
    return this.srtp.suites ?? [srtpSuite];
  }

  /** Parameters of the `offer` command, without the tag of a known answerer. */
  offerCommand(from: MediaSide, offer: AcceptedOffer): OfferCommand {
    const { audio, codec, convertsEvents } = offeredCodecs(offer.audio, this.codecs);
    const injection = convertsEvents || this.playsDigits ? [injectsEvents] : [];
    const own = narrowed({ ...offer, audio });
    const raw = codec === undefined ? own : eventsAtCodecClock(own, audio);
    const described = this.describe(from, raw);
    const parameters: Record<string, unknown> = {
      'from-tag': from,
      sdp: described.sdp,
      'transport-protocol': this.profiles[otherSide(from)],
      ICE: 'remove',
      DTLS: 'off',
      'rtcp-mux': ['demux'],
      replace: ['origin'],
      SDES: this.suitesFor(from),
      ...(codec === undefined ? {} : { codec }),
      flags: [...described.flags, ...injection],
    };
    return { parameters, isPassed: codec === undefined, injection, described: raw };
  }

  /** A side's description for rtpengine, with the flags for its source. */
  describe(side: MediaSide, sdp: string): SourceCommand {
    const [own, opposite] = [this.sources[side], this.sources[otherSide(side)]];
    const described = own?.command(sdp) ?? { sdp, flags: sourceFlags[this.profiles[side]] };
    return opposite === undefined ? described : { ...described, sdp: opposite.ofOtherSide(described.sdp) };
  }

  /** The `SDES` list of an exchange: a party that offers chooses among all allowed suites, one that answers gets the offered ones. */
  suitesFor(offerer: MediaSide): readonly string[] {
    return suiteFlags(this.profiles[offerer] === 'RTP/SAVP' ? this.suites : offeredSuites(this.suites));
  }

  private egressOf(side: MediaSide): MediaEgress {
    return this.isForeign[side] ? this.egress : undefined;
  }
}
