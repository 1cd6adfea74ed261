import { randomBytes, randomInt } from 'node:crypto';
import { ownText } from '../../base/own-text.js';
import type { HeldMedia } from '../../contract/held-call.js';
import type { CodecPolicy } from '../../contract/number.js';
import { type Layout, LocalDescription, layoutOf, narrowed } from '../../sdp/local-description.js';
import { inverse, renumber, renumbering } from '../../sdp/payload-types.js';
import { isTelephoneEvent } from '../../sdp/registered-codecs.js';
import {
  answerDirection,
  codecsOf,
  type Direction,
  directionOf,
  type MediaDescription,
  mediaAddress,
  readSession,
  type SessionDescription,
} from '../../sdp/sdp.js';
import { srtpSuite } from '../../sdp/srtp-key.js';
import { type AgentOffer, readAgentOffer } from './agent-offer.js';
import { checkAnswer } from './answer-check.js';
import { blackHole } from './black-hole.js';
import { earlyReoffer } from './early-reoffer.js';
import { holdMusic } from './hold-music.js';
import { endpointOf, type MediaEgress } from './media-egress.js';
import type { NgCommand, NgReply } from './ng-client.js';
import { readCounters } from './ng-counters.js';
import { type Profile, refusedSuites, sourceFlags } from './ng-parameters.js';
import { hasTelephoneEvents, offeredCodecs } from './offered-codecs.js';
import { ReflectionGuard } from './reflection-guard.js';
import {
  type MediaSide,
  type MediaStatistics,
  otherSide,
  readStatistics,
  type SideCodecs,
} from './rtp-statistics.js';
import { type ExchangeTurn, type MediaNode, MediaUnavailable, type RtpenginePool } from './rtpengine-pool.js';
import { type AcceptedOffer, type RefusedOffer, readTrunkOffer, warningOf } from './trunk-offer.js';
import { waveFile } from './wave-file.js';

/** The offer or answer of one side cannot be used: 488 with this Warning to the offerer. */
export class MediaRefused extends Error {
  readonly status = 488;

  constructor(
    readonly warning: string,
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'MediaRefused';
  }
}

type AcceptedAnswer = Extract<ReturnType<typeof checkAnswer>, { readonly ok: true }>;

/** The offer of an exchange as received, and as written for the answerer, with the place of its audio line. */
interface OfferTexts {
  readonly received: string;
  readonly written: string;
  readonly index: number;
}

/** What an exchange's descriptions say. */
interface ParsedOffer {
  readonly offer: AcceptedOffer | AgentOffer;
  /** The audio line that the answerer was offered. */
  readonly offered: MediaDescription;
}

/** A pending exchange, or the one in force. Descriptions are kept as sent to rtpengine, to be sent again. */
interface Exchange {
  readonly offerer: MediaSide;
  texts: OfferTexts;
  /** Undefined: to be read from the texts again. */
  parsed: ParsedOffer | undefined;
  /** Parameters of the `offer` command. */
  offerParameters: Record<string, unknown>;
  readonly offeredDirection: Direction;
  /** The offerer's media lines. */
  readonly layout: Layout;
  answerParameters?: Record<string, unknown>;
  /** Payload types of the answerer are its own then; a codec is not converted. */
  readonly isPassed: boolean;
  /** Also of the `answer` command, for what rtpengine inserts into the stream itself. */
  readonly injection: readonly string[];
  /** DTMF events in RTP (RFC 4733) were agreed with the side. */
  takesEvents: Record<MediaSide, boolean>;
  /** The answerer's description as received, and the one sent to the offerer. */
  answered?: { readonly from: string; readonly to: string };
  /** Of the last answer, from the answerer's view. */
  direction?: Direction;
  trunkCodec?: string | undefined;
  agentCodec?: string | undefined;
}

const injectsEvents = 'inject-DTMF';

/** Five packets of most codecs. */
const momentOfSilence = waveFile([], 0.1);
/** Longer than any call lasts. */
const holdRepetitions = 100_000;

/** A party of a media session. */
export interface MediaParty {
  readonly profile: Profile;
  /** The description sent to it in an earlier session. */
  readonly local?: LocalDescription;
  /** True: the egress policy checks its media address. Absent: true for trunks, and for parties that use SRTP. */
  readonly isForeign?: boolean;
  /** For a trunk moved from another session: `MediaSession.isPeerAddress` of its side there. */
  readonly isPeerAddress?: (address: string) => boolean;
}

export interface MediaSummary {
  readonly node: string;
  readonly trunkCodec: string | null;
  readonly agentCodec: string | null;
  readonly suite: string | null;
  /** Both sides may send. */
  readonly isFlowing: boolean;
}

/** Who gets the copy of a call's audio: the same for every call and process, so that a successor of this process takes it over. */
export const copyTag = 'turns';
/** Digits that follow each other within this time are one sequence. */
const betweenDigitsMilliseconds = 5_000;

/**
 * One call's media at one rtpengine: SRTP towards the trunk, plain RTP towards the agent. Offers and answers go through
 * here one at a time; each is checked before rtpengine and before the other side see it.
 */
export class MediaSession {
  private node: MediaNode | undefined;
  private agreed: Exchange | undefined;
  private open: Exchange | undefined;
  private released = false;
  /** rtpengine's call-id: ours, so that callers cannot collide with each other's. */
  private callId: string;
  /** Of the node, when it took the session; undefined: unknown. */
  private lossesBefore: number | undefined;
  /** A side may have a description of another session, or of an exchange without outcome: both need an offer. */
  isUnsettled = false;
  private firstNode: string | null = null;
  private held: 'music' | 'silence' | undefined;
  /** When the last digit was played, in monotonic milliseconds. */
  private digitAt = Number.NEGATIVE_INFINITY;
  private isAgentSilent = false;
  private announcement: { readonly wav: Buffer; readonly times: number } | undefined;
  /** A tag that rtpengine knows from the first command on. */
  private firstOfferer: MediaSide = 'trunk';
  /** True: digits can be played, for which rtpengine decodes the audio. Set before the first offer. */
  playsDigits = false;
  /**
   * Calls of one group queue for rtpengine, and groups take turns. Set before the first
   * offer.
   */
  group = '';
  /** Address of the trunk's signaling: within a group, sources take turns. */
  source: () => string = () => '';
  /** Whether the trunk's signaling comes over a connection from the address, which cannot be forged. */
  isPeerAddress: (address: string) => boolean;
  private readonly reflectionGuard: ReflectionGuard;
  /** For a party whose descriptions may name any address. The agent's side: false when the operator configured the agent. */
  readonly isForeign: Record<MediaSide, boolean>;
  private readonly local: Record<MediaSide, LocalDescription>;
  private readonly profiles: Readonly<Record<MediaSide, Profile>>;

  constructor(
    id: string,
    private readonly pool: RtpenginePool,
    readonly codecs: CodecPolicy,
    /** False: the trunk's side is plain RTP as well. */
    readonly isTrunkSecure = true,
    /** The parties, if not this call's own trunk and agent. */
    parties: Partial<Record<MediaSide, MediaParty>> = {},
  ) {
    this.callId = id;
    this.reflectionGuard = new ReflectionGuard(
      { query: () => this.count(), blockAgent: (isBlocked) => this.blockAgent(isBlocked) },
      pool.unprovenMilliseconds,
    );
    this.isPeerAddress = parties.trunk?.isPeerAddress ?? (() => false);
    const sessionId = randomInt(1, 2 ** 47);
    const trunk = parties.trunk ?? { profile: isTrunkSecure ? 'RTP/SAVP' : 'RTP/AVP' };
    const agent = parties.agent ?? { profile: 'RTP/AVP' };
    this.profiles = { trunk: trunk.profile, agent: agent.profile };
    this.isForeign = {
      trunk: trunk.isForeign ?? true,
      agent: agent.isForeign ?? agent.profile === 'RTP/SAVP',
    };
    this.local = {
      trunk: trunk.local ?? new LocalDescription(sessionId),
      agent: agent.local ?? new LocalDescription(sessionId + 1),
    };
  }

  /** One side's party, for a move to another session, where its descriptions continue from the one sent here. */
  partyOf(side: MediaSide): MediaParty {
    return {
      profile: this.profiles[side],
      local: this.local[side],
      isForeign: this.isForeign[side],
      ...(side === 'trunk' ? { isPeerAddress: this.isPeerAddress } : {}),
    };
  }

  /** The session as another process needs it, plain data. */
  describe(): HeldMedia {
    const side = (name: MediaSide) => ({
      profile: this.profiles[name],
      session_id: this.local[name].origin.sessionId,
      version: this.local[name].origin.version,
      is_foreign: this.isForeign[name],
    });
    return {
      id: this.id,
      node: this.nodeName,
      codecs: this.codecs,
      group: this.group,
      plays_digits: this.playsDigits,
      first_offerer: this.firstOfferer,
      offerer: this.agreed?.offerer ?? null,
      held: this.held ?? null,
      sides: { trunk: side('trunk'), agent: side('agent') },
    };
  }

  /**
   * The session of another process. rtpengine still has it, so nothing is sent: what was agreed is derived from the descriptions
   * that both sides have. Where that fails, the next offer of a side makes a new agreement.
   */
  static restored(
    held: HeldMedia,
    descriptions: Readonly<Record<MediaSide, { remote?: string | undefined; local?: string | undefined }>>,
    pool: RtpenginePool,
  ): MediaSession {
    const party = (name: MediaSide): MediaParty => {
      const { profile, session_id, version, is_foreign } = held.sides[name];
      const local = LocalDescription.continuing(descriptions[name].local ?? '', version, session_id);
      return { profile, local, isForeign: is_foreign };
    };
    const parties = { trunk: party('trunk'), agent: party('agent') };
    const isTrunkSecure = held.sides.trunk.profile === 'RTP/SAVP';
    const session = new MediaSession(held.id, pool, held.codecs, isTrunkSecure, parties);
    session.group = held.group;
    session.playsDigits = held.plays_digits;
    session.firstOfferer = held.first_offerer;
    session.held = held.held ?? undefined;
    session.node = held.node === null ? undefined : pool.nodeNamed(held.node);
    if (held.offerer !== null) {
      const answerer = otherSide(held.offerer);
      const offer = descriptions[held.offerer];
      const answer = descriptions[answerer];
      session.agree(held.offerer, offer, answer);
    }
    return session;
  }

  /** Records the ports and codecs that rtpengine got for these descriptions. */
  private agree(
    offerer: MediaSide,
    offer: { readonly remote?: string | undefined; readonly local?: string | undefined },
    answer: { readonly remote?: string | undefined; readonly local?: string | undefined },
  ): void {
    if ([offer.remote, offer.local, answer.remote, answer.local].includes(undefined)) return;
    const read = this.readOffer(offerer, offer.remote!);
    if (!read.ok) return;
    const answerer = otherSide(offerer);
    const { parameters, isPassed, injection } = this.offerCommand(offerer, read);
    const offered = readSession(answer.local!)?.media[this.local[answerer].audioIndex];
    if (offered === undefined) return;
    const index = this.local[answerer].audioIndex;
    const exchange: Exchange = {
      offerer,
      texts: { received: offer.remote!, written: answer.local!, index },
      parsed: { offer: read, offered },
      offerParameters: { ...parameters, 'to-tag': answerer },
      offeredDirection: directionOf(read.session, read.audio),
      layout: layoutOf(read.session, read.index),
      isPassed,
      injection,
      takesEvents: { trunk: false, agent: false },
    };
    const check = this.checkAnswer(exchange, answer.remote!);
    if (!check.ok) return;
    exchange.answerParameters = this.answerCommand(exchange, check);
    const own = checkAnswer(offer.local!, { index: read.index, audio: read.audio }, this.profiles[offerer]);
    if (own.ok) this.settle(exchange, check, own.audio, { from: answer.remote!, to: offer.local! });
  }

  /** A session for the same two parties, which is to take the place of this one at another rtpengine, or at a restarted one. */
  successor(id: string): MediaSession {
    const parties = { trunk: this.partyOf('trunk'), agent: this.partyOf('agent') };
    const session = new MediaSession(id, this.pool, this.codecs, this.isTrunkSecure, parties);
    session.playsDigits = this.playsDigits;
    session.group = this.group;
    session.source = this.source;
    return session;
  }

  /** Restores hold music, mute and announcement (from its beginning) of the session before. */
  async continueFrom(before: MediaSession): Promise<void> {
    if (before.isAgentSilent) await this.silenceAgent(true);
    if (before.announcement !== undefined)
      await this.announce(before.announcement.wav, before.announcement.times);
    if (before.held !== undefined) await this.hold(before.held === 'music' ? holdMusic : undefined);
  }

  get id(): string {
    return this.callId;
  }

  /** Who made the offer that is agreed. */
  get offerer(): MediaSide | undefined {
    return this.agreed?.offerer;
  }

  get isNodeDown(): boolean {
    return this.node?.state === 'down';
  }

  /** True: the node was found down since it took the session, or that is unknown. */
  get mayBeLost(): boolean {
    return this.node !== undefined && this.node.losses !== this.lossesBefore;
  }

  /** The node has been asked, and has the session. */
  noteFound(): void {
    this.lossesBefore = this.node?.losses;
  }

  get nodeName(): string | null {
    return this.node?.name ?? null;
  }

  /** True once an answer has been accepted. */
  get isAgreed(): boolean {
    return this.agreed !== undefined;
  }

  /** Of the audio from each side. */
  get sideCodecs(): SideCodecs {
    return { trunk: this.agreed?.trunkCodec ?? null, agent: this.agreed?.agentCodec ?? null };
  }

  /** True while both sides send; the media watch pauses otherwise. */
  get isFlowing(): boolean {
    return this.agreed?.direction === 'sendrecv';
  }

  get summary(): MediaSummary | null {
    if (this.node === undefined) return null;
    return {
      node: this.node.name,
      trunkCodec: this.agreed?.trunkCodec ?? null,
      agentCodec: this.agreed?.agentCodec ?? null,
      suite: this.agreed === undefined || this.profiles.trunk === 'RTP/AVP' ? null : srtpSuite,
      isFlowing: this.isFlowing,
    };
  }

  /**
   * Takes one side's offer; resolves with the offer for the other side. Throws `MediaRefused` when the offer is not
   * acceptable, `MediaUnavailable` when no rtpengine accepts it.
   * @param accepted a trunk's offer that admission has read and accepted by the same policy
   */
  async offer(from: MediaSide, sdp: string, accepted?: AcceptedOffer): Promise<string> {
    const offer = accepted ?? this.readOffer(from, sdp);
    if (!offer.ok) throw new MediaRefused(offer.warning, offer.detail);
    const to = otherSide(from);
    if (this.node === undefined) this.firstOfferer = from;
    const isFirst = this.node === undefined;
    const { parameters: all, isPassed, injection } = this.offerCommand(from, offer);
    const parameters = isFirst ? all : { ...all, 'to-tag': to };
    const reply = await this.exchange('offer', parameters);
    const offered = this.local[to].writeOffer(described(reply));
    const texts = { received: sdp, written: offered, index: this.local[to].audioIndex };
    this.open = {
      offerer: from,
      texts,
      parsed: { offer, offered: offeredAudio(texts) },
      offerParameters: parameters,
      offeredDirection: directionOf(offer.session, offer.audio),
      layout: layoutOf(offer.session, offer.index),
      isPassed,
      injection,
      takesEvents: { trunk: false, agent: false },
    };
    return offered;
  }

  /** Parameters of the `offer` command, without the tag of a known answerer. */
  private offerCommand(from: MediaSide, offer: AcceptedOffer | AgentOffer) {
    const { audio, codec, convertsEvents } = offeredCodecs(offer.audio, this.codecs);
    const injection = convertsEvents || this.playsDigits ? [injectsEvents] : [];
    const parameters: Record<string, unknown> = {
      'from-tag': from,
      sdp: narrowed({ ...offer, audio }),
      'transport-protocol': this.profiles[otherSide(from)],
      ICE: 'remove',
      DTLS: 'off',
      'rtcp-mux': ['demux'],
      replace: ['origin'],
      SDES: refusedSuites,
      ...(codec === undefined ? {} : { codec }),
      flags: [...sourceFlags[this.profiles[from]], ...injection],
    };
    return { parameters, isPassed: codec === undefined, injection };
  }

  /**
   * Takes the answer to the offer last made; resolves with the answer for the offerer. May be called again with a later
   * answer (early media, then 200). Throws `MediaRefused` when the answer does not match the offer.
   * @param isSent whether the offerer gets the result
   */
  async answer(sdp: string, isSent: (answer: string) => boolean = () => true): Promise<string> {
    const exchange = this.open ?? this.agreed;
    if (exchange === undefined) throw new Error('An answer without an offer.');
    if (exchange.answered?.from === sdp) {
      this.accept(exchange);
      return exchange.answered.to;
    }
    const { offerer } = exchange;
    const check = this.checkAnswer(exchange, sdp);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), check.detail);
    const parameters = this.answerCommand(exchange, check);
    const reply = await this.exchange('answer', parameters).catch(async (error: unknown) => {
      if (!(await this.offerElsewhere(exchange, error))) throw error;
      return this.exchange('answer', parameters);
    });
    const answer = this.local[offerer].writeAnswer(
      renumber(described(reply), inverse(this.numbersOf(exchange, check.audio))),
      exchange.layout,
      exchange.offeredDirection,
    );
    const { offer } = this.parsed(exchange);
    const own = this.ownAnswer(answer, offerer, offer);
    exchange.answerParameters = parameters;
    this.settle(exchange, check, own, { from: sdp, to: answer });
    if (!isSent(answer)) this.local[offerer].takeBack();
    const trunks = offerer === 'trunk' ? offer : check;
    this.guard(trunks.session, trunks.audio);
    return answer;
  }

  /**
   * The node has died while the answerer was ringing: makes the offer to another one. The answerer has the address of the first
   * one until it gets an offer inside the call. False: that is not the cause, or no other node takes it.
   */
  private async offerElsewhere(exchange: Exchange, error: unknown): Promise<boolean> {
    const { node, callId } = this;
    const isFirst = this.agreed === undefined || this.agreed === exchange;
    if (!(error instanceof MediaUnavailable) || !isFirst || this.released) return false;
    if (node === undefined || node.state !== 'down') return false;
    const answerer = otherSide(exchange.offerer);
    void this.pool.delete(node, callId, this.firstOfferer);
    this.firstNode = node.name;
    this.node = undefined;
    this.callId = `${callId}-${randomBytes(4).toString('hex')}`;
    const { 'to-tag': _, ...parameters } = exchange.offerParameters;
    const reply = await this.exchange('offer', parameters).catch(() => undefined);
    if (reply === undefined) return false;
    this.firstOfferer = exchange.offerer;
    const written = this.local[answerer].writeOffer(described(reply));
    exchange.texts = { ...exchange.texts, written, index: this.local[answerer].audioIndex };
    exchange.parsed = undefined;
    this.isUnsettled = true;
    return true;
  }

  private checkAnswer(exchange: Exchange, sdp: string) {
    const { offered } = this.parsed(exchange);
    const answerer = otherSide(exchange.offerer);
    const index = this.local[answerer].audioIndex;
    return checkAnswer(sdp, { index, audio: offered }, this.profiles[answerer], this.egressOf(answerer));
  }

  /** Parameters of the `answer` command. */
  private answerCommand(exchange: Exchange, check: AcceptedAnswer): Record<string, unknown> {
    const { offerer, injection } = exchange;
    const answerer = otherSide(offerer);
    return {
      'from-tag': offerer,
      'to-tag': answerer,
      sdp: renumber(narrowed(check), this.numbersOf(exchange, check.audio)),
      'transport-protocol': this.profiles[offerer],
      ICE: 'remove',
      DTLS: 'off',
      replace: ['origin'],
      SDES: refusedSuites,
      flags: [...sourceFlags[this.profiles[answerer]], ...injection],
    };
  }

  /** The exchange is the one in force: `own` is the audio line that we answered with. */
  private settle(
    exchange: Exchange,
    check: AcceptedAnswer,
    own: MediaDescription,
    answered: NonNullable<Exchange['answered']>,
  ): void {
    const { offerer } = exchange;
    exchange.answered = answered;
    exchange.direction = directionOf(check.session, check.audio);
    exchange.takesEvents = {
      ...exchange.takesEvents,
      [offerer]: hasTelephoneEvents(own),
      [otherSide(offerer)]: hasTelephoneEvents(check.audio),
    };
    this.accept(exchange);
    const [offererCodec, answererCodec] = [codecOf(own), codecOf(check.audio)];
    exchange.trunkCodec = offerer === 'trunk' ? offererCodec : answererCodec;
    exchange.agentCodec = offerer === 'trunk' ? answererCodec : offererCodec;
  }

  /**
   * An answer to the agent's open offer that agrees to the stream but lets nothing flow yet; rtpengine does not get it,
   * because the offer still waits for the trunk's answer. Undefined: there is no such offer.
   */
  heldAnswer(): string | undefined {
    if (this.open?.offerer !== 'agent') return undefined;
    const { layout } = this.open;
    const { offer } = this.parsed(this.open);
    this.local.agent.adopt(layout);
    return this.local.agent.writeAnswer(
      blackHole(offer.session, offer.audio, this.codecs),
      layout,
      'inactive',
    );
  }

  /**
   * Takes the agent's answer to an offer that repeated what it was answered before: its address and codecs may have changed.
   * The trunk gets no message, since nothing changes for it. Throws `MediaRefused` when it does not answer that offer.
   */
  async redescribe(sdp: string): Promise<void> {
    const { agreed } = this;
    if (agreed?.answered === undefined || agreed.offerer !== 'agent') throw new Error('Nothing was agreed.');
    const { layout, answered } = agreed;
    const offered = readSession(answered.to)!.media[layout.audioIndex]!;
    const check = checkAnswer(sdp, { index: layout.audioIndex, audio: offered }, this.profiles.agent);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), check.detail);
    const { audio, codec } = offeredCodecs(check.audio, this.codecs);
    agreed.offerParameters = {
      ...agreed.offerParameters,
      'to-tag': 'trunk',
      // A new port of the agent would also change the trunk's port, and the trunk would not learn of it.
      flags: [...sourceFlags[this.profiles.agent], ...agreed.injection, 'port-latching'],
      sdp: narrowed({ ...check, audio }),
      codec: codec ?? {},
    };
    await this.exchange('offer', agreed.offerParameters);
    await this.exchange('answer', agreed.answerParameters!);
    agreed.agentCodec = codecOf(check.audio);
  }

  /**
   * A new offer of the offerer, whose answer it has before the answerer's final response. The answerer gets no message: it keeps
   * its session. Throws `MediaRefused` when the answerer's codec is not offered any more.
   */
  async reoffer(sdp: string): Promise<string> {
    const { agreed } = this;
    const { answered, answerParameters } = agreed ?? {};
    if (agreed === undefined || answered === undefined || this.open !== undefined)
      throw new MediaUnavailable('Nothing was agreed.');
    const { offerer } = agreed;
    const offer = this.readOffer(offerer, sdp);
    if (!offer.ok) throw new MediaRefused(offer.warning, offer.detail);
    const { parameters } = this.offerCommand(offerer, offer);
    // A new port of the offerer would also change that of the answerer, which would not learn of it.
    const flags = [...(parameters.flags as readonly string[]), 'port-latching'];
    const offerParameters = { ...parameters, flags, 'to-tag': otherSide(offerer) };
    const check = this.checkAnswer(agreed, answered.from);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), check.detail);
    this.open = {
      ...agreed,
      texts: { ...agreed.texts, received: sdp },
      parsed: { offer, offered: this.parsed(agreed).offered },
      offerParameters,
      offeredDirection: directionOf(offer.session, offer.audio),
      layout: layoutOf(offer.session, offer.index),
    };
    const next = this.open;
    try {
      await this.exchange('offer', offerParameters);
      const reply = await this.exchange('answer', answerParameters!);
      const numbers = inverse(this.numbersOf(agreed, check.audio));
      const text = renumber(described(reply), numbers);
      const answer = this.local[offerer].writeAnswer(text, next.layout, next.offeredDirection);
      const own = this.ownAnswer(answer, offerer, offer);
      this.settle(next, check, own, { from: answered.from, to: answer });
      const session = readSession(answer)!;
      // The answerer does not learn of a hold; the media watch has to.
      next.direction = answerDirection(directionOf(session, session.media[offer.index]!), 'sendrecv');
      if (offerer === 'trunk') this.guard(offer.session, offer.audio);
      return answer;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /**
   * A new offer of the answerer before its final response: our answer, and the offer as a renewed answer to the one it got. Nothing
   * changes for the offerer, so the codecs that were answered remain. Throws `MediaRefused` when none of them is offered.
   */
  async answerReoffer(
    from: MediaSide,
    sdp: string,
  ): Promise<{ readonly answer: string; readonly described: string }> {
    const exchange = this.open ?? this.agreed;
    if (exchange === undefined || exchange.offerer === from)
      throw new MediaUnavailable('The answerer got no offer.');
    const offer = this.readOffer(from, sdp);
    if (!offer.ok) throw new MediaRefused(offer.warning, offer.detail);
    const { answered } = exchange;
    const before = answered === undefined ? undefined : this.checkAnswer(exchange, answered.from);
    const { written, index } = exchange.texts;
    const kept = before?.ok === true ? before.audio : this.parsed(exchange).offered;
    const renewed = earlyReoffer(offer, { written, index, kept });
    if (renewed === undefined) {
      const detail = 'None of the codecs in use is offered, and the call is not answered yet.';
      throw new MediaRefused(warningOf(305, 'Codec in use is not offered'), detail);
    }
    const { described } = renewed;
    const check = this.checkAnswer(exchange, described);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), check.detail);
    // Before an answer, the final one brings it to rtpengine.
    if (answered !== undefined) await this.renewAnswer(exchange, check, { ...answered, from: described });
    const layout = layoutOf(offer.session, offer.index);
    const direction = directionOf(offer.session, offer.audio);
    const answer = this.local[from].writeAnswer(renewed.answer, layout, direction);
    this.local[from].adopt(layout);
    return { answer, described };
  }

  /** The answerer's address and key have changed; what the offerer was answered holds. */
  private async renewAnswer(
    exchange: Exchange,
    check: AcceptedAnswer,
    answered: NonNullable<Exchange['answered']>,
  ): Promise<void> {
    const parameters = this.answerCommand(exchange, check);
    // A new port of the answerer would also change that of the offerer, which would not learn of it.
    const flags = [...(parameters.flags as readonly string[]), 'port-latching'];
    await this.exchange('answer', { ...parameters, flags });
    exchange.answerParameters = { ...parameters, flags };
    exchange.answered = answered;
    exchange.direction = directionOf(check.session, check.audio);
    if (exchange.offerer === 'agent') this.guard(check.session, check.audio);
  }

  /** True when DTMF events in RTP were agreed with the side. */
  takesEvents(side: MediaSide): boolean {
    return this.agreed?.takesEvents[side] ?? false;
  }

  /**
   * A digit for one side as if the other had pressed it: as telephone events where they were agreed, as tones otherwise.
   * False: the other side has no stream yet to insert it into.
   */
  async playDigit(to: MediaSide, digit: string, milliseconds: number, pause = 0): Promise<boolean> {
    const { agreed } = this;
    if (agreed?.answerParameters === undefined) throw new MediaUnavailable('Nothing was agreed.');
    const isFirst = !this.hasRecentDigits;
    this.digitAt = performance.now();
    if (isFirst) await this.endCopies();
    await this.allowInjection(agreed);
    const parameters = { code: digit, duration: milliseconds, pause };
    const reply = await this.command('play DTMF', { 'from-tag': otherSide(to), ...parameters });
    if (reply.result === 'ok') return true;
    if (/no ssrc|rtp stream/i.test(reply['error-reason'] ?? '')) return false;
    throw new MediaUnavailable(`rtpengine plays no digits: ${reply['error-reason'] ?? reply.result}`);
  }

  /** A digit was played a short time ago, so others may follow. */
  get hasRecentDigits(): boolean {
    return performance.now() - this.digitAt < betweenDigitsMilliseconds;
  }

  /** rtpengine 10.5 plays no digit into a stream that it also copies; an edge that was killed may have left a copy. */
  private async endCopies(): Promise<void> {
    await this.command('unsubscribe', { 'to-tag': copyTag }).catch(() => undefined);
  }

  /** rtpengine plays only where that was enabled; it is enabled late, because rtpengine then inspects every packet. */
  private async allowInjection(agreed: Exchange): Promise<void> {
    const flags = agreed.answerParameters!.flags as readonly string[];
    if (flags.includes(injectsEvents)) return;
    agreed.offerParameters.flags = [...(agreed.offerParameters.flags as readonly string[]), injectsEvents];
    agreed.answerParameters!.flags = [...flags, injectsEvents];
    await this.exchange('offer', { ...agreed.offerParameters, 'to-tag': otherSide(agreed.offerer) });
    await this.exchange('answer', agreed.answerParameters!);
  }

  /**
   * Drops a refused offer and restores the previous agreement in rtpengine, so that the running session continues unchanged
   * (RFC 3261 §14.1). Never throws: the session is still as it was.
   */
  async rollback(): Promise<void> {
    if (this.open === undefined) return;
    this.open = undefined;
    const { agreed } = this;
    if (agreed?.answerParameters === undefined || this.node === undefined) return;
    try {
      await this.exchange('offer', { ...agreed.offerParameters, 'to-tag': otherSide(agreed.offerer) });
      await this.exchange('answer', agreed.answerParameters);
    } catch {
      // The node is down or has lost the call; the media watch will detect that.
    }
  }

  /** Whether the trunk hears silence instead of the agent; digits stay audible. */
  async silenceAgent(isSilent: boolean): Promise<void> {
    this.isAgentSilent = isSilent;
    await this.command(isSilent ? 'silence media' : 'unsilence media', { 'from-tag': 'agent' });
  }

  /**
   * Plays a WAV file to the trunk; audio from the trunk is discarded from now on. Throws `MediaUnavailable` when rtpengine
   * cannot: it is down, or has no encoder for the codec.
   * @returns duration in milliseconds
   */
  async announce(wav: Buffer, times: number): Promise<number> {
    this.announcement = { wav, times };
    await this.command('block media', { 'from-tag': 'trunk' });
    const reply = await this.demand('play media', { 'from-tag': 'trunk', 'repeat-times': times }, wav);
    return (reply.duration ?? 0) * times;
  }

  /**
   * A moment of silence for one side, so that it learns the source of its media. Throws `MediaUnavailable` when rtpengine
   * cannot.
   */
  async playSilence(to: MediaSide): Promise<void> {
    await this.demand('play media', { 'from-tag': to }, momentOfSilence);
  }

  /** True while the two parties do not hear each other. */
  get isOnHold(): boolean {
    return this.held !== undefined;
  }

  /**
   * Separates the two parties: the agent hears silence, the trunk the music in a loop, or silence as well. RTP keeps flowing
   * to both, so that neither considers the call dead. Throws `MediaUnavailable` when rtpengine cannot.
   */
  async hold(music: Buffer | undefined): Promise<void> {
    this.held = music === undefined ? 'silence' : 'music';
    await this.demand('silence media', { 'from-tag': 'trunk' });
    if (music === undefined) await this.demand('silence media', { 'from-tag': 'agent' });
    else {
      await this.demand('block media', { 'from-tag': 'agent' });
      await this.demand('play media', { 'from-tag': 'trunk', 'repeat-times': holdRepetitions }, music);
    }
  }

  /** Ends `hold`. Throws `MediaUnavailable` when rtpengine cannot. */
  async resume(): Promise<void> {
    if (this.held === 'music') {
      await this.demand('stop media', { 'from-tag': 'trunk' });
      await this.demand('unblock media', { 'from-tag': 'agent' });
    } else await this.demand('unsilence media', { 'from-tag': 'agent' });
    await this.demand('unsilence media', { 'from-tag': 'trunk' });
    this.held = undefined;
  }

  /** The address of this process that the node can reach; undefined: there is no node, or no connection to it. */
  get localAddress(): string | undefined {
    return this.node === undefined ? undefined : this.pool.addressTowards(this.node);
  }

  /** A command that must succeed. Throws `MediaUnavailable`. */
  async demand(command: NgCommand, parameters: object, blob?: Buffer): Promise<NgReply> {
    const reply = await this.command(command, parameters, blob);
    if (reply.result === 'ok') return reply;
    throw new MediaUnavailable(`rtpengine ${this.nodeName}: ${reply['error-reason'] ?? reply.result}`);
  }

  private readOffer(
    from: MediaSide,
    sdp: string,
  ): AcceptedOffer | RefusedOffer | ReturnType<typeof readAgentOffer> {
    const read = this.profiles[from] === 'RTP/SAVP' ? readTrunkOffer : readAgentOffer;
    return read(sdp, this.codecs, this.egressOf(from));
  }

  private egressOf(side: MediaSide): MediaEgress {
    return this.isForeign[side] ? this.pool.egress : undefined;
  }

  private guard(session: SessionDescription, audio: MediaDescription): void {
    const address = mediaAddress(session, audio);
    const isKnown = address !== undefined && this.isPeerAddress(address);
    if (!isKnown && !this.released) this.reflectionGuard.describe(endpointOf(session, audio));
  }

  private async blockAgent(isBlocked: boolean): Promise<void> {
    // `resume` ends that of the music.
    if (this.held === 'music' && !isBlocked) return;
    await this.demand(isBlocked ? 'block media' : 'unblock media', { 'from-tag': 'agent' });
  }

  /** rtpengine's view of the call. Throws `MediaUnavailable` when the node is silent. */
  async query(): Promise<NgReply | undefined> {
    if (this.node === undefined || this.released) return undefined;
    return this.pool.command(this.node, 'query', this.callId, {});
  }

  /** Of `query` only the result and what `packetsFrom` reads. Throws `MediaUnavailable` when the node is silent. */
  async count(): Promise<NgReply | undefined> {
    if (this.node === undefined || this.released) return undefined;
    return this.pool.command(this.node, 'query', this.callId, {}, undefined, readCounters);
  }

  /** Ends the session, in the background if the node is down; the totals if it answers. Never throws. */
  async release(): Promise<MediaStatistics | undefined> {
    if (this.released) return undefined;
    this.released = true;
    this.reflectionGuard.stop();
    if (this.node === undefined) return undefined;
    const reply = await this.pool.delete(this.node, this.callId, this.firstOfferer);
    return reply === undefined ? undefined : readStatistics(reply, this.sideCodecs);
  }

  private command(command: NgCommand, parameters: object, blob?: Buffer): Promise<NgReply> {
    if (this.node === undefined || this.released) throw new MediaUnavailable('The call has ended.');
    return this.pool.command(this.node, command, this.callId, parameters, blob);
  }

  private get turn(): ExchangeTurn {
    return { group: this.group, member: this.source() };
  }

  private async exchange(command: 'offer' | 'answer', parameters: object): Promise<NgReply> {
    if (this.node === undefined) {
      const { node, reply } = await this.pool.open(this.callId, parameters, {
        isWanted: () => !this.released,
        turn: this.turn,
      });
      this.node = node;
      this.lossesBefore = node.losses;
      // The call ended during the command: the session that rtpengine made must not remain.
      if (this.released) {
        void this.pool.delete(node, this.callId, this.firstOfferer);
        throw new MediaUnavailable('The call has ended.');
      }
      return reply;
    }
    if (this.released) throw new MediaUnavailable('The call has ended.');
    const reply = await this.pool.exchange(this.node, command, this.callId, parameters, this.turn);
    if (reply.result !== 'ok') {
      throw new MediaUnavailable(`rtpengine ${this.node.name}: ${reply['error-reason'] ?? reply.result}`);
    }
    return reply;
  }

  /** The audio line we answer with. rtpengine says `ok` to an answer without a key when there is no common suite. */
  private ownAnswer(answer: string, offerer: MediaSide, offer: ParsedOffer['offer']): MediaDescription {
    const check = checkAnswer(answer, { index: offer.index, audio: offer.audio }, this.profiles[offerer]);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), `Our answer: ${check.detail}`);
    return check.audio;
  }

  /** Payload types of the answerer where they are passed on. */
  private numbersOf(exchange: Exchange, audio: MediaDescription): ReadonlyMap<string, string> {
    return exchange.isPassed ? renumbering(audio, this.parsed(exchange).offered) : new Map();
  }

  /** By the policy that has accepted the texts before. */
  private parsed(exchange: Exchange): ParsedOffer {
    if (exchange.parsed !== undefined) return exchange.parsed;
    const offer = this.readOffer(exchange.offerer, exchange.texts.received);
    if (!offer.ok) throw new MediaRefused(offer.warning, offer.detail);
    exchange.parsed = { offer, offered: offeredAudio(exchange.texts) };
    return exchange.parsed;
  }

  /**
   * The call is confirmed: what was read from the descriptions is read again if it is needed, which is rare.
   * @param known descriptions that the call keeps; equal ones are kept once
   */
  forgetParsed(known: readonly (string | undefined)[]): void {
    const { agreed } = this;
    if (agreed === undefined) return;
    const kept = (text: string): string => known.find((one) => one === text) ?? ownText(text);
    agreed.parsed = undefined;
    agreed.texts = { ...agreed.texts, received: kept(agreed.texts.received) };
    if (agreed.answered !== undefined) {
      agreed.answered = { from: kept(agreed.answered.from), to: agreed.answered.to };
    }
  }

  private accept(exchange: Exchange): void {
    this.local[exchange.offerer].adopt(exchange.layout);
    this.agreed = exchange;
    this.open = undefined;
  }

  /** Name of the node where the session began, if another one had to take the answer. */
  get movedFrom(): string | null {
    return this.firstNode;
  }
}

const offeredAudio = ({ written, index }: OfferTexts): MediaDescription =>
  readSession(written)!.media[index]!;

/** The codec in use: the first that is not DTMF. */
const codecOf = (audio: MediaDescription): string | undefined =>
  codecsOf(audio).find((codec) => !isTelephoneEvent(codec))?.name;

/** The answerer's payload types, where a codec is passed as it is. */
function described(reply: NgReply): string {
  if (typeof reply.sdp !== 'string') throw new MediaUnavailable('rtpengine gave no session description.');
  return reply.sdp;
}
