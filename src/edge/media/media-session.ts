import type { TranscodingCause } from '../../contract/call-record.js';
import type { HeldMedia } from '../../contract/held-call.js';
import type { CodecPolicy } from '../../contract/number.js';
import { LocalDescription } from '../../sdp/local-description.js';
import { directionOf, type MediaDescription, mediaAddress, type SessionDescription } from '../../sdp/sdp.js';
import { Anchor } from './anchor.js';
import { Exchange } from './exchange.js';
import { learnPlainSources, type RefusedSources } from './learn-plain-sources.js';
import { endpointOf } from './media-egress.js';
import { MissedPackets } from './missed-packets.js';
import type { NgCommand, NgReply } from './ng-client.js';
import { PlainSource, withDirection } from './plain-source.js';
import { ReflectionGuard } from './reflection-guard.js';
import {
  type MediaSide,
  type MediaStatistics,
  otherSide,
  readStatistics,
  type SideCodecs,
} from './rtp-statistics.js';
import { MediaUnavailable, type RtpenginePool } from './rtpengine-pool.js';
import { SessionAudio } from './session-audio.js';
import { type SessionPhase, SessionState } from './session-phase.js';
import { type MediaParty, type SourceLearning, Terms, type TrunkSignaling } from './terms.js';
import type { AcceptedOffer } from './trunk-offer.js';

export interface MediaSessionOptions {
  readonly codecs: CodecPolicy;
  /** False: the trunk's side is plain RTP as well. */
  readonly isTrunkSecure?: boolean;
  /** Calls of one group queue for rtpengine, and groups take turns. */
  readonly group?: string;
  /** True: digits can be played, for which rtpengine decodes the audio. */
  readonly playsDigits?: boolean;
  /** Within a group, its sources take turns. */
  readonly signaling?: TrunkSignaling | undefined;
  /** The parties, if not this call's own trunk and agent. */
  readonly parties?: Partial<Record<MediaSide, MediaParty>>;
}

export interface MediaSummary {
  readonly node: string;
  readonly trunkCodec: string | null;
  readonly agentCodec: string | null;
  readonly suite: string | null;
  /** Undefined: the codec is not converted. */
  readonly transcodingCause?: TranscodingCause | undefined;
  /** `address port` of packets that were not allowed. */
  readonly refusedSources?: RefusedSources;
  /** Sides whose symmetric RTP this rtpengine cannot serve. */
  readonly unlearned?: readonly MediaSide[];
  /** Both sides may send. */
  readonly isFlowing: boolean;
}

/** A side's descriptions: received from it, and sent to it. */
type SideDescriptions = Readonly<{ remote?: string | undefined; local?: string | undefined }>;

/**
 * One call's media at one rtpengine: SRTP towards the trunk, plain RTP towards the agent. Offers and answers go through
 * here one at a time; each is checked before rtpengine and before the other side see it. `SessionState` has the phase and its
 * legal predecessors, `Exchange` an offer with its answer, `SessionAudio` what the parties hear, `Anchor` the node.
 */
export class MediaSession {
  readonly audio: SessionAudio;
  private readonly state = new SessionState<Exchange>();
  private readonly terms: Terms;
  private readonly anchor: Anchor;
  /** Undefined: no address of the trunk was in doubt. */
  private guard: ReflectionGuard | undefined;
  /** What rtpengine did not receive of each side. */
  readonly missed = new MissedPackets();
  private readonly group: string;
  private learning: Promise<void> | undefined;
  /** Addresses that a side's packets came from and that are not allowed. */
  private refusedSources: RefusedSources = {};
  private unsettled: 'description' | 'contact' | undefined;

  /** @param held the session of another process, which rtpengine still has */
  constructor(
    id: string,
    private readonly pool: RtpenginePool,
    {
      codecs,
      isTrunkSecure = true,
      group = '',
      playsDigits = false,
      signaling,
      parties,
    }: MediaSessionOptions,
    held?: HeldMedia,
  ) {
    const trunk = parties?.trunk ?? { profile: isTrunkSecure ? 'RTP/SAVP' : 'RTP/AVP' };
    const agent = parties?.agent ?? { profile: 'RTP/AVP' };
    const own = signaling === undefined ? trunk : { ...trunk, signaling };
    const learning = this.learningFor(held);
    this.terms = new Terms({ trunk: own, agent }, codecs, playsDigits, pool.egress, learning, pool.srtp);
    this.group = group;
    const turn = () => ({ group, member: this.terms.signaling.sourceAddress });
    this.anchor =
      held === undefined
        ? new Anchor(id, pool, turn)
        : Anchor.at(held.node, id, pool, turn, held.first_offerer);
    this.audio = new SessionAudio(this.anchor, () => this.allowInjection(), held?.held ?? 'none');
  }

  private learningFor(held: HeldMedia | undefined): SourceLearning {
    const { pool } = this;
    // Behind NAT a side has the described address with another port, the address of its signaling, or one that the operator trusts.
    const isKnown = (side: MediaSide, address: string): boolean =>
      side === 'trunk' ? address === this.terms.signaling.sourceAddress : pool.isAgentSource(address);
    return {
      isSymmetric: (side) => pool.isSymmetric(side),
      sourceOf: (side) =>
        pool.learnsSources
          ? new PlainSource(
              side,
              (address, described) => address === described || isKnown(side, address),
              held?.sides[side].learned,
            )
          : undefined,
    };
  }

  /**
   * The session of another process. rtpengine still has it, so nothing is sent: what was agreed is derived from the descriptions
   * that both sides have. Where that fails, the next offer of a side makes a new agreement.
   */
  static restored(
    held: HeldMedia,
    descriptions: Readonly<Record<MediaSide, SideDescriptions>>,
    pool: RtpenginePool,
    signaling?: TrunkSignaling,
  ): MediaSession {
    const party = (name: MediaSide): MediaParty => {
      const { profile, session_id, version, is_foreign, is_symmetric } = held.sides[name];
      const local = LocalDescription.continuing(descriptions[name].local ?? '', version, session_id);
      return { profile, local, isForeign: is_foreign, isSymmetric: is_symmetric };
    };
    const { codecs, group, plays_digits: playsDigits, offerer } = held;
    const parties = { trunk: party('trunk'), agent: party('agent') };
    const session = new MediaSession(held.id, pool, { codecs, group, playsDigits, signaling, parties }, held);
    if (offerer !== null) session.restore(offerer, descriptions[offerer], descriptions[otherSide(offerer)]);
    return session;
  }

  private restore(offerer: MediaSide, offer: SideDescriptions, answer: SideDescriptions): void {
    const [received, answered] = [offer.remote, offer.local];
    if (received === undefined || answered === undefined) return;
    if (answer.remote === undefined || answer.local === undefined) return;
    const exchange = Exchange.restored(
      this.terms,
      offerer,
      { remote: received, local: answered },
      { remote: answer.remote, local: answer.local },
    );
    if (exchange === undefined) return;
    this.state.offer(exchange);
    this.agree(exchange);
  }

  /** A session for the same two parties, which is to take the place of this one at another rtpengine, or at a restarted one. */
  successor(id: string): MediaSession {
    const { codecs, playsDigits } = this.terms;
    const parties = { trunk: this.partyOf('trunk'), agent: this.partyOf('agent') };
    return new MediaSession(id, this.pool, { codecs, group: this.group, playsDigits, parties });
  }

  /** A session with the same agent for a trunk server of another kind; a held agent keeps its local description. */
  forTrunk(id: string, trunk: MediaParty): MediaSession {
    const { codecs, playsDigits, signaling } = this.terms;
    const parties = { trunk, agent: this.partyOf('agent') };
    const { group } = this;
    return new MediaSession(id, this.pool, { codecs, group, playsDigits, signaling, parties });
  }

  /** The session as another process needs it, plain data. */
  describe(): HeldMedia {
    const { local, profiles, isForeign, codecs, playsDigits, sources } = this.terms;
    const learned = (name: MediaSide) => sources[name]?.known;
    const isSymmetric = (name: MediaSide) => this.partyOf(name).isSymmetric;
    const side = (name: MediaSide) => ({
      profile: profiles[name],
      session_id: local[name].origin.sessionId,
      version: local[name].origin.version,
      is_foreign: isForeign[name],
      ...(isSymmetric(name) === undefined ? {} : { is_symmetric: isSymmetric(name) }),
      ...(learned(name) === undefined ? {} : { learned: learned(name) }),
    });
    const { holdState } = this.audio;
    return {
      id: this.id,
      node: this.nodeName,
      codecs,
      group: this.group,
      plays_digits: playsDigits,
      first_offerer: this.anchor.firstOfferer,
      offerer: this.offerer ?? null,
      held: holdState === 'none' ? null : holdState,
      sides: { trunk: side('trunk'), agent: side('agent') },
    };
  }

  get id(): string {
    return this.anchor.id;
  }

  get phase(): SessionPhase {
    return this.state.phase;
  }

  get codecs(): CodecPolicy {
    return this.terms.codecs;
  }

  get isTrunkSecure(): boolean {
    return this.terms.profiles.trunk === 'RTP/SAVP';
  }

  /** Whether the egress policy checks the side's media address. */
  isForeign(side: MediaSide): boolean {
    return this.terms.isForeign[side];
  }

  /** The side is now a party whose descriptions may name any address. */
  distrust(side: MediaSide): void {
    this.terms.isForeign[side] = true;
  }

  /** One side's party, for a move to another session, where its descriptions continue from the one sent here. */
  partyOf(side: MediaSide): MediaParty {
    return this.terms.partyOf(side);
  }

  // Offer and answer

  /**
   * Takes one side's offer; resolves with the offer for the other side. Throws `MediaRefused` when the offer is not
   * acceptable, `MediaUnavailable` when no rtpengine accepts it.
   * @param accepted a trunk's offer that admission has read and accepted by the same policy
   */
  async offer(from: MediaSide, sdp: string, accepted?: AcceptedOffer): Promise<string> {
    const offer = accepted ?? this.terms.readOffer(from, sdp);
    if (accepted !== undefined) this.terms.take(from, accepted);
    const command = this.terms.offerCommand(from, offer);
    const local = this.terms.local[otherSide(from)];
    const fromRtpengine = await this.anchor.offer(from, command.parameters);
    const direction = directionOf(offer.session, offer.audio);
    // Off only at rtpengine.
    const isOff = this.terms.isLearning;
    const written = local.writeOffer(isOff ? withDirection(fromRtpengine, direction) : fromRtpengine);
    const texts = { received: sdp, written, index: local.audioIndex };
    this.state.offer(new Exchange(this.terms, from, offer, texts, command));
    return written;
  }

  /**
   * Takes the answer to the offer last made; resolves with the answer for the offerer. May be called again with a later
   * answer (early media, then 200). Throws `MediaRefused` when the answer does not match the offer.
   * @param isSent whether the offerer gets the result
   */
  async answer(sdp: string, isSent: (answer: string) => boolean = () => true): Promise<string> {
    const exchange = this.state.answerable;
    if (exchange === undefined) throw new Error('An answer without an offer.');
    const repeated = exchange.repeated(sdp);
    if (repeated !== undefined) {
      this.agree(exchange);
      return repeated;
    }
    const check = exchange.readAnswer(sdp);
    const command = exchange.answerCommand(check);
    const reply = await this.anchor.answer(command).catch(async (error: unknown) => {
      if (!(await this.offerElsewhere(exchange, error))) throw error;
      return this.anchor.answer(command);
    });
    const answer = exchange.accept(sdp, check, command, reply);
    this.agree(exchange);
    if (!isSent(answer)) exchange.takeBack();
    this.watchTrunk(exchange.trunkMedia(check));
    return answer;
  }

  /**
   * The node has died while the answerer was ringing: makes the offer to another one. The answerer has the address of the first
   * one until it gets an offer inside the call. False: that is not the cause, or no other node takes it.
   */
  private async offerElsewhere(exchange: Exchange, error: unknown): Promise<boolean> {
    const { agreed } = this.state;
    if (!(error instanceof MediaUnavailable) || (agreed !== undefined && agreed !== exchange)) return false;
    const description = await this.anchor.offerElsewhere(exchange.offerer, exchange.offerCommand);
    if (description === undefined) return false;
    exchange.writeAgain(description);
    this.unsettle('description');
    return true;
  }

  /** An answer to the agent's open offer that lets nothing flow yet. Undefined: there is no such offer. */
  heldAnswer(): string | undefined {
    const { pending } = this.state;
    return pending?.offerer === 'agent' ? pending.heldAnswer() : undefined;
  }

  /**
   * Takes the agent's answer to an offer that repeated what it was answered before: its address and codecs may have changed.
   * The trunk gets no message, since nothing changes for it. Throws `MediaRefused` when it does not answer that offer.
   */
  async redescribe(sdp: string): Promise<void> {
    const { agreed } = this.state;
    if (agreed?.isAnswered !== true || agreed.offerer !== 'agent') throw new Error('Nothing was agreed.');
    agreed.redescribe(sdp);
    await this.repeat(agreed);
    this.learnSources(agreed);
  }

  /**
   * A new offer of the offerer, whose answer it has before the answerer's final response. The answerer gets no message: it keeps
   * its session. Throws `MediaRefused` when the answerer's codec is not offered any more.
   */
  async reoffer(sdp: string): Promise<string> {
    const { agreed, pending } = this.state;
    if (agreed?.isAnswered !== true || pending !== undefined)
      throw new MediaUnavailable('Nothing was agreed.');
    const { exchange, check } = agreed.withOffer(sdp);
    this.state.offer(exchange);
    try {
      const answer = exchange.acceptKept(check, await this.repeat(exchange));
      this.agree(exchange);
      if (exchange.offerer === 'trunk') this.watchTrunk(exchange.trunkMedia(check));
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
    const exchange = this.state.answerable;
    if (exchange === undefined || exchange.offerer === from)
      throw new MediaUnavailable('The answerer got no offer.');
    const reoffer = exchange.readEarlyReoffer(sdp);
    // Before an answer, the final one brings it to rtpengine.
    if (exchange.isAnswered) {
      const command = exchange.renewedCommand(reoffer.check);
      await this.anchor.answer(command);
      exchange.renewAnswer(reoffer, command);
      if (exchange.offerer === 'agent') this.watchTrunk(reoffer.check);
    }
    return { answer: exchange.answerReoffer(reoffer), described: reoffer.described };
  }

  /**
   * Drops a refused offer and restores the previous agreement in rtpengine, so that the running session continues unchanged
   * (RFC 3261 §14.1). Never throws: the session is still as it was.
   */
  async rollback(): Promise<void> {
    if (!this.state.withdraw()) return;
    const { agreed } = this.state;
    if (agreed === undefined || this.anchor.nodeName === null) return;
    try {
      await this.repeat(agreed);
    } catch {
      // The node is down or has lost the call; the media watch will detect that.
    }
  }

  /** The call is confirmed: drops what was read from the descriptions. `retained`: those that the call keeps. */
  forgetParsed(retained: readonly (string | undefined)[]): void {
    this.state.agreed?.forgetParsed(retained);
  }

  private agree(exchange: Exchange): void {
    exchange.takeEffect();
    this.state.agree(exchange);
    this.learnSources(exchange);
  }

  /** While rtpengine learns a source both directions are off; the result makes them flow. */
  private learnSources(exchange: Exchange): void {
    if (!this.terms.isLearning || this.learning !== undefined) return;
    this.learning = learnPlainSources(Object.values(this.terms.sources), {
      isWanted: () => this.state.agreed === exchange && !this.state.isReleased,
      query: () => this.anchor.query(),
      describe: async () => {
        exchange.describeAgain();
        // A pending offer ends with an answer or a rollback; both describe the sides.
        if (this.state.pending === undefined) await this.repeat(exchange);
      },
    })
      .then((refused) => {
        this.refusedSources = refused;
      })
      .finally(() => {
        this.learning = undefined;
        const { agreed } = this.state;
        if (agreed !== undefined && !this.state.isReleased) this.learnSources(agreed);
      });
  }

  /** Both commands of an answered exchange; returns rtpengine's description for the offerer. */
  private async repeat(exchange: Exchange): Promise<string> {
    await this.anchor.offer(exchange.offerer, exchange.offerCommand);
    return this.anchor.answer(exchange.acceptedCommand!);
  }

  /** rtpengine inserts digits only where that was enabled; it is enabled late, because rtpengine then inspects every packet. */
  private async allowInjection(): Promise<void> {
    const { agreed } = this.state;
    if (agreed?.isAnswered !== true) throw new MediaUnavailable('Nothing was agreed.');
    if (agreed.allowInjection()) await this.repeat(agreed);
  }

  /** The trunk has described its media address. */
  private watchTrunk({ session, audio }: { session: SessionDescription; audio: MediaDescription }): void {
    const address = mediaAddress(session, audio);
    const isKnown = address !== undefined && this.terms.signaling.isPeerAddress(address);
    if (isKnown || this.state.isReleased) return;
    this.guard ??= new ReflectionGuard(
      { query: () => this.count(), blockAgent: (isBlocked) => this.audio.blockAgent(isBlocked) },
      this.pool.unprovenMilliseconds,
    );
    this.guard.describe(endpointOf(session, audio));
  }

  // What was agreed

  /** Who made the offer that is agreed. */
  get offerer(): MediaSide | undefined {
    return this.state.agreed?.offerer;
  }

  /** True once an answer has been accepted. */
  get isAgreed(): boolean {
    return this.state.agreed !== undefined;
  }

  /** Of the audio from each side. */
  get sideCodecs(): SideCodecs {
    return this.state.agreed?.codecs ?? { trunk: null, agent: null };
  }

  /** True while both sides send; the media watch pauses otherwise. */
  get isFlowing(): boolean {
    return this.state.agreed?.isFlowing === true;
  }

  /** True when DTMF events in RTP were agreed with the side. */
  takesEvents(side: MediaSide): boolean {
    return this.state.agreed?.takesEvents(side) === true;
  }

  get summary(): MediaSummary | null {
    const node = this.nodeName;
    if (node === null) return null;
    const { trunk, agent } = this.sideCodecs;
    const suite = (this.isTrunkSecure && this.state.agreed?.suite) || null;
    const { transcodingCause } = this.state.agreed ?? { transcodingCause: undefined };
    const { isFlowing, refusedSources } = this;
    const { unlearned } = this.terms;
    const codecs = { trunkCodec: trunk, agentCodec: agent, suite, transcodingCause };
    return { node, ...codecs, refusedSources, unlearned, isFlowing };
  }

  /** Both sides need an offer. */
  get isUnsettled(): boolean {
    return this.unsettled !== undefined;
  }

  /** True: they need it only for our Contact; their descriptions are those of this session. */
  get hasKnownDescriptions(): boolean {
    return this.unsettled !== 'description';
  }

  /**
   * @param cause `description`: a side may have one of another session, or of an exchange without outcome; `contact`: the sides have
   *   our Contact at an engine that is gone
   */
  unsettle(cause: 'description' | 'contact'): void {
    if (this.unsettled !== 'description') this.unsettled = cause;
  }

  /** Both sides have the description of the agreed exchange. */
  settle(): void {
    this.unsettled = undefined;
  }

  // At rtpengine

  get nodeName(): string | null {
    return this.anchor.nodeName;
  }

  get isNodeDown(): boolean {
    return this.anchor.isNodeDown;
  }

  /** True: the node was found down since it took the session, or that is unknown. */
  get mayBeLost(): boolean {
    return this.anchor.mayBeLost;
  }

  /** The node has been asked, and has the session. */
  noteFound(): void {
    this.anchor.noteFound();
  }

  /** Name of the node where the session began, if another one had to take the answer. */
  get movedFrom(): string | null {
    return this.anchor.movedFrom;
  }

  /** The address of this process that the node can reach; undefined: there is no node, or no connection to it. */
  get localAddress(): string | undefined {
    return this.anchor.localAddress;
  }

  /** A command that must succeed. Throws `MediaUnavailable`. */
  demand(command: NgCommand, parameters: object): Promise<NgReply> {
    return this.anchor.demand(command, parameters);
  }

  /** rtpengine's view of the call. Throws `MediaUnavailable` when the node is silent. */
  async query(): Promise<NgReply | undefined> {
    return this.noted(await this.anchor.query());
  }

  /** Of `query` only the result and what `packetsFrom` reads. Throws `MediaUnavailable` when the node is silent. */
  async count(): Promise<NgReply | undefined> {
    return this.noted(await this.anchor.count());
  }

  /** Counters and quality by rtpengine's reply about this session. */
  statisticsOf(reply: NgReply): MediaStatistics {
    return readStatistics(reply, this.sideCodecs, (side) => this.missed.of(side));
  }

  /** Ends the session, in the background if the node is down; the totals if it answers. Never throws. */
  async release(): Promise<MediaStatistics | undefined> {
    if (!this.state.release()) return undefined;
    this.guard?.stop();
    const reply = await this.anchor.release();
    return reply === undefined ? undefined : this.statisticsOf(this.noted(reply));
  }

  private noted<Reply extends NgReply | undefined>(reply: Reply): Reply {
    if (reply?.result === 'ok') this.missed.note(reply, this.isFlowing);
    return reply;
  }
}
