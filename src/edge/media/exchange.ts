import { ownText } from '../../base/own-text.js';
import type { TranscodingCause } from '../../contract/call-record.js';
import { type Layout, layoutOf, narrowed } from '../../sdp/local-description.js';
import { inverse, type Renumbering, renumber, renumbering } from '../../sdp/payload-types.js';
import { isVoice } from '../../sdp/registered-codecs.js';
import {
  answerDirection,
  codecsOf,
  cryptoLinesOf,
  type Direction,
  directionOf,
  type MediaDescription,
  readSession,
  type SessionDescription,
} from '../../sdp/sdp.js';
import { type AcceptedAnswer, type AnswerCheck, checkAnswer } from './answer-check.js';
import { blackHole } from './black-hole.js';
import { earlyReoffer } from './early-reoffer.js';
import { eventsAsDescribed, eventsAtCodecClock } from './event-clock.js';
import { MediaRefused } from './media-refused.js';
import { hasTelephoneEvents, offeredCodecs } from './offered-codecs.js';
import { withDirection } from './plain-source.js';
import { type MediaSide, otherSide, type SideCodecs } from './rtp-statistics.js';
import { injectsEvents, type OfferCommand, type Terms } from './terms.js';
import { type AcceptedOffer, warningOf } from './trunk-offer.js';

/** Parameters of a command for rtpengine. */
type Command = Readonly<Record<string, unknown>>;

/** The offer of an exchange as received, and as written for the answerer, with the position of its audio line. */
interface OfferTexts {
  readonly received: string;
  readonly written: string;
  readonly index: number;
}

/** What an exchange's descriptions say. */
interface ParsedOffer {
  readonly offer: AcceptedOffer;
  /** The audio line that the answerer was offered. */
  readonly offered: MediaDescription;
}

/** The answerer's description as received, and the one sent to the offerer. */
interface Answered {
  readonly from: string;
  readonly to: string;
}

/** An offer of the answerer before its final response, as `earlyReoffer` reads it. */
export interface EarlyReoffer {
  readonly offer: AcceptedOffer;
  /** Our answer to it. */
  readonly answer: string;
  /** The offer as an answer to the description that the answerer got. */
  readonly described: string;
  readonly check: AcceptedAnswer;
}

/** A new port of the side would also change that of the other one, which would not learn of it. */
const keepsPorts = 'port-latching';

const isSourceFlag = (flag: string): boolean =>
  flag === keepsPorts ||
  ['asymmetric', 'strict-source'].includes(flag) ||
  flag.startsWith('endpoint-learning-');

/**
 * One offer and its answer (RFC 3264 §5 and §6): checks the answer, writes the commands for rtpengine and the answer for the
 * offerer, and knows what was agreed. Does no I/O.
 */
export class Exchange {
  /** Undefined: to be read from the texts again. */
  private parsed: ParsedOffer | undefined;
  private readonly offeredDirection: Direction;
  /** The offerer's media lines. */
  private readonly layout: Layout;
  /** Commands are kept to be sent again. */
  private offerParameters: Command;
  /** The offerer's, before what its source requires. */
  private described: string;
  private answerParameters: Command | undefined;
  private readonly isPassed: boolean;
  private readonly injection: readonly string[];
  private answered: Answered | undefined;
  /** Of the last answer, from the answerer's view. */
  private direction: Direction | undefined;
  private events: Readonly<Record<MediaSide, boolean>> = { trunk: false, agent: false };
  private suiteInUse: string | null = null;
  private inUse: SideCodecs = { trunk: null, agent: null };

  constructor(
    private readonly terms: Terms,
    readonly offerer: MediaSide,
    offer: AcceptedOffer,
    private texts: OfferTexts,
    { parameters, isPassed, injection, described }: OfferCommand,
  ) {
    this.parsed = { offer, offered: offeredAudio(texts)! };
    this.offeredDirection = directionOf(offer.session, offer.audio);
    this.layout = layoutOf(offer.session, offer.index);
    this.offerParameters = parameters;
    this.described = described;
    this.isPassed = isPassed;
    this.injection = injection;
  }

  /**
   * The agreed exchange of another process, derived from the descriptions that both sides have. Undefined: they do not fit.
   * @param offer the offerer's description, and the answer that it got
   * @param answer the answerer's description, and the offer that it got
   */
  static restored(
    terms: Terms,
    offerer: MediaSide,
    offer: { readonly remote: string; readonly local: string },
    answer: { readonly remote: string; readonly local: string },
  ): Exchange | undefined {
    const index = terms.local[otherSide(offerer)].audioIndex;
    const texts = { received: offer.remote, written: answer.local, index };
    if (offeredAudio(texts) === undefined) return undefined;
    try {
      const read = terms.readOffer(offerer, offer.remote);
      const exchange = new Exchange(terms, offerer, read, texts, terms.offerCommand(offerer, read));
      const check = exchange.readAnswer(answer.remote);
      const own = exchange.ownAnswer(offer.local);
      exchange.settle(check, own, exchange.answerCommand(check), { from: answer.remote, to: offer.local });
      return exchange;
    } catch (error) {
      if (error instanceof MediaRefused) return undefined;
      throw error;
    }
  }

  get answerer(): MediaSide {
    return otherSide(this.offerer);
  }

  get isAnswered(): boolean {
    return this.answered !== undefined;
  }

  /** True while both sides send. */
  get isFlowing(): boolean {
    return this.direction === 'sendrecv';
  }

  /** Of the audio from each side. */
  get codecs(): SideCodecs {
    return this.inUse;
  }

  /** SRTP suite of the trunk's side; null: plain RTP. */
  get suite(): string | null {
    return this.suiteInUse;
  }

  /** Why rtpengine converts the codec; undefined: it does not. */
  get transcodingCause(): TranscodingCause | undefined {
    const { trunk, agent } = this.inUse;
    if (trunk === agent) return undefined;
    const { codec } = this.offerParameters as { readonly codec?: { readonly mask?: unknown } };
    if (codec?.mask !== undefined) return 'no_common_codec';
    return this.answerer === 'agent' ? 'agent_chose' : 'trunk_chose';
  }

  /** True when DTMF events in RTP (RFC 4733) were agreed with the side. */
  takesEvents(side: MediaSide): boolean {
    return this.events[side];
  }

  /** The `offer` command, without the tag of a known answerer. */
  get offerCommand(): Command {
    return this.offerParameters;
  }

  /** The `answer` command of the accepted answer; undefined: there is none. */
  get acceptedCommand(): Command | undefined {
    return this.answerParameters;
  }

  // Answer

  /** What the offerer was answered, if the answerer repeats its description. */
  repeated(sdp: string): string | undefined {
    return this.answered?.from === sdp ? this.answered.to : undefined;
  }

  /** Throws `MediaRefused` when the answer does not match the offer. */
  readAnswer(sdp: string): AcceptedAnswer {
    return accepted(this.checkAnswer(sdp));
  }

  /** Parameters of the `answer` command. */
  answerCommand(check: AcceptedAnswer): Command {
    const { profiles } = this.terms;
    const described = this.terms.describe(this.answerer, this.answererText(check));
    return {
      'from-tag': this.offerer,
      'to-tag': this.answerer,
      sdp: described.sdp,
      'transport-protocol': profiles[this.offerer],
      ICE: 'remove',
      DTLS: 'off',
      replace: ['origin'],
      SDES: this.terms.suitesFor(this.offerer),
      flags: [...described.flags, ...this.injection],
    };
  }

  /**
   * rtpengine has taken the answer `sdp` by `command`: returns the answer for the offerer. Throws `MediaRefused` when what
   * rtpengine wrote is no answer to the offer.
   */
  accept(sdp: string, check: AcceptedAnswer, command: Command, fromRtpengine: string): string {
    const own = eventsAsDescribed(fromRtpengine, this.read().offer.audio);
    const renumbered = renumber(own, inverse(this.numbersOf(check.audio)));
    // Off only at rtpengine.
    const text = this.terms.isLearning
      ? withDirection(renumbered, directionOf(check.session, check.audio))
      : renumbered;
    const answer = this.terms.local[this.offerer].writeAnswer(text, this.layout, this.offeredDirection);
    this.settle(check, this.ownAnswer(answer), command, { from: sdp, to: answer });
    return answer;
  }

  /** The session is this exchange's: the offerer's later descriptions have the order of its lines (RFC 3264 §8). */
  takeEffect(): void {
    this.terms.local[this.offerer].adopt(this.layout);
  }

  /** The offerer does not get the answer. */
  takeBack(): void {
    this.terms.local[this.offerer].takeBack();
  }

  /** The trunk's side of the exchange. */
  trunkMedia(check: AcceptedAnswer): { session: SessionDescription; audio: MediaDescription } {
    return this.offerer === 'trunk' ? this.read().offer : check;
  }

  /**
   * An answer that agrees to the stream but lets nothing flow yet; rtpengine does not get it, because the offer still waits for
   * the answerer's.
   */
  heldAnswer(): string {
    const { offer } = this.read();
    const local = this.terms.local[this.offerer];
    local.adopt(this.layout);
    return local.writeAnswer(
      blackHole(offer.session, offer.audio, this.terms.codecs),
      this.layout,
      'inactive',
    );
  }

  // Changes of a pending or agreed exchange

  /** Another rtpengine has taken the offer, which the answerer gets later. */
  writeAgain(fromRtpengine: string): void {
    const local = this.terms.local[this.answerer];
    this.texts = { ...this.texts, written: local.writeOffer(fromRtpengine), index: local.audioIndex };
    this.parsed = undefined;
  }

  /**
   * The offerer's answer to an offer that repeated what it was answered: its address and codecs may have changed. Throws
   * `MediaRefused` when it does not answer that offer.
   */
  redescribe(sdp: string): void {
    const { terms, offerer, layout } = this;
    const index = layout.audioIndex;
    const audio = readSession(this.answered!.to)!.media[index]!;
    const check = accepted(terms.checkAnswer(offerer, sdp, { index, audio }));
    const { audio: offered, codec } = offeredCodecs(check.audio, terms.codecs);
    const raw = narrowed({ ...check, audio: offered });
    this.described = codec === undefined ? raw : eventsAtCodecClock(raw, offered);
    const described = terms.describe(offerer, this.described);
    this.offerParameters = {
      ...this.offerParameters,
      flags: [...described.flags, ...this.injection, keepsPorts],
      sdp: described.sdp,
      codec: codec ?? {},
    };
    this.inUse = { ...this.inUse, [offerer]: codecOf(check.audio) };
  }

  /**
   * The same exchange with a new offer of the offerer, of which the answerer does not learn: it keeps its answer. Throws
   * `MediaRefused` when the offer is not acceptable.
   */
  withOffer(sdp: string): { readonly exchange: Exchange; readonly check: AcceptedAnswer } {
    const { terms, offerer, isPassed, injection } = this;
    const offer = terms.readOffer(offerer, sdp);
    const { parameters, described } = terms.offerCommand(offerer, offer);
    const flags = [...(parameters.flags as readonly string[]), keepsPorts];
    const check = this.readAnswer(this.answered!.from);
    const texts = { ...this.texts, received: sdp };
    const command = { parameters: { ...parameters, flags }, isPassed, injection, described };
    const exchange = new Exchange(terms, offerer, offer, texts, command);
    exchange.answerParameters = this.answerParameters;
    exchange.answered = this.answered;
    return { exchange, check };
  }

  /** As `accept`, of the answer that was kept. Throws `MediaRefused` when the answerer's codec is not offered any more. */
  acceptKept(check: AcceptedAnswer, fromRtpengine: string): string {
    const answer = this.accept(this.answered!.from, check, this.answerParameters!, fromRtpengine);
    const session = readSession(answer)!;
    // The answerer does not learn of a hold; the media watch has to.
    this.direction = answerDirection(
      directionOf(session, session.media[this.layout.audioIndex]!),
      'sendrecv',
    );
    return answer;
  }

  /**
   * Reads a new offer of the answerer before its final response. Nothing changes for the offerer, so the codecs that were answered
   * remain. Throws `MediaRefused` when none of them is offered.
   */
  readEarlyReoffer(sdp: string): EarlyReoffer {
    const offer = this.terms.readOffer(this.answerer, sdp);
    const before = this.answered === undefined ? undefined : this.checkAnswer(this.answered.from);
    const kept = before?.ok === true ? before.audio : this.read().offered;
    const renewed = earlyReoffer(offer, { ...this.texts, kept });
    if (renewed === undefined) {
      const detail = 'None of the codecs in use is offered, and the call is not answered yet.';
      throw new MediaRefused(warningOf(305, 'Codec in use is not offered'), detail);
    }
    return { ...renewed, offer, check: this.readAnswer(renewed.described) };
  }

  /** The `answer` command for the answerer's new address and key; what the offerer was answered holds. */
  renewedCommand(check: AcceptedAnswer): Command {
    const parameters = this.answerCommand(check);
    return { ...parameters, flags: [...(parameters.flags as readonly string[]), keepsPorts] };
  }

  /** rtpengine has taken the renewed answer. */
  renewAnswer({ described, check }: EarlyReoffer, command: Command): void {
    this.answerParameters = command;
    this.answered = { from: described, to: this.answered!.to };
    this.direction = directionOf(check.session, check.audio);
  }

  /** Our answer to the answerer's new offer. */
  answerReoffer({ offer, answer }: EarlyReoffer): string {
    const local = this.terms.local[this.answerer];
    const layout = layoutOf(offer.session, offer.index);
    const text = local.writeAnswer(answer, layout, directionOf(offer.session, offer.audio));
    local.adopt(layout);
    return text;
  }

  /** More or less is known of a side's source: the descriptions as rtpengine has to get them from now on. */
  describeAgain(): void {
    const { terms, offerer, answerer } = this;
    const check = this.readAnswer(this.answered!.from);
    const again = (command: Command, side: MediaSide, text: string): Command => {
      const { sdp, flags } = terms.describe(side, text);
      const kept = (command.flags as readonly string[]).filter((flag) => !isSourceFlag(flag));
      return { ...command, sdp, flags: [...flags, ...kept, keepsPorts] };
    };
    const offer = () => {
      this.offerParameters = again(this.offerParameters, offerer, this.described);
    };
    const answer = () => {
      this.answerParameters = again(this.answerParameters!, answerer, this.answererText(check));
    };
    // Each decides on the directions of both.
    for (const describe of [offer, answer, offer]) describe();
  }

  /** Lets rtpengine insert DTMF from the next commands on. False: it can already. */
  allowInjection(): boolean {
    const flags = this.answerParameters!.flags as readonly string[];
    if (flags.includes(injectsEvents)) return false;
    const offerFlags = this.offerParameters.flags as readonly string[];
    this.offerParameters = { ...this.offerParameters, flags: [...offerFlags, injectsEvents] };
    this.answerParameters = { ...this.answerParameters, flags: [...flags, injectsEvents] };
    return true;
  }

  /**
   * What was read from the descriptions is read again if it is needed, which is rare.
   * @param retained descriptions that the call keeps; equal ones are kept once
   */
  forgetParsed(retained: readonly (string | undefined)[]): void {
    const kept = (text: string): string => retained.find((each) => each === text) ?? ownText(text);
    this.parsed = undefined;
    this.texts = { ...this.texts, received: kept(this.texts.received) };
    if (this.answered !== undefined) this.answered = { from: kept(this.answered.from), to: this.answered.to };
  }

  /** The exchange is answered: `own` is the audio line that we answered with. */
  private settle(check: AcceptedAnswer, own: MediaDescription, command: Command, answered: Answered): void {
    this.answerParameters = command;
    this.answered = answered;
    this.direction = directionOf(check.session, check.audio);
    const [offererEvents, answererEvents] = [hasTelephoneEvents(own), hasTelephoneEvents(check.audio)];
    const [offererCodec, answererCodec] = [codecOf(own), codecOf(check.audio)];
    const isTrunks = this.offerer === 'trunk';
    this.suiteInUse = cryptoLinesOf(isTrunks ? own : check.audio)[0]?.suite ?? null;
    this.events = isTrunks
      ? { trunk: offererEvents, agent: answererEvents }
      : { trunk: answererEvents, agent: offererEvents };
    this.inUse = isTrunks
      ? { trunk: offererCodec, agent: answererCodec }
      : { trunk: answererCodec, agent: offererCodec };
  }

  private checkAnswer(sdp: string): AnswerCheck {
    const { index } = this.texts;
    return this.terms.checkAnswer(this.answerer, sdp, { index, audio: this.read().offered });
  }

  /** The audio line we answer with. rtpengine says `ok` to an answer without a key when there is no common suite. */
  private ownAnswer(answer: string): MediaDescription {
    const { index, audio } = this.read().offer;
    const { profiles, local } = this.terms;
    const { isOptimistic } = local[this.offerer];
    const check = checkAnswer(answer, { index, audio }, profiles[this.offerer], undefined, isOptimistic);
    if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), `Our answer: ${check.detail}`);
    return check.audio;
  }

  /** The answerer's description, before what its source requires. */
  private answererText(check: AcceptedAnswer): string {
    return renumber(narrowed(check), this.numbersOf(check.audio));
  }

  /** Payload types of the answerer where they are passed on. */
  private numbersOf(audio: MediaDescription): Renumbering {
    return this.isPassed ? renumbering(audio, this.read().offered) : new Map();
  }

  /** By the policy that has accepted the texts before. */
  private read(): ParsedOffer {
    this.parsed ??= {
      offer: this.terms.readOffer(this.offerer, this.texts.received),
      offered: offeredAudio(this.texts)!,
    };
    return this.parsed;
  }
}

function accepted(check: AnswerCheck): AcceptedAnswer {
  if (!check.ok) throw new MediaRefused(warningOf(305, check.warning), check.detail);
  return check;
}

const offeredAudio = ({ written, index }: OfferTexts): MediaDescription | undefined =>
  readSession(written)?.media[index];

/** The codec in use: the first that is neither DTMF nor comfort noise. */
const codecOf = (audio: MediaDescription): string | null => codecsOf(audio).find(isVoice)?.name ?? null;
