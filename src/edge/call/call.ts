import type { Logger } from '../../base/log.js';
import { type OwnText, sharedOwnText } from '../../base/own-text.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { MediaSession } from '../media/media-session.js';
import type { MediaSide, MediaStatistics } from '../media/rtp-statistics.js';
import type { BoundedSamples } from '../quality/bounded-samples.js';
import type { CallTurns } from '../quality/turn-watch.js';
import type { Dialog, ReceivedRequest, ResponseSender } from '../sip/messages.js';
import type { AgreedSession } from '../sip/session-timer.js';
import { slimDialog } from '../sip/slim-dialog.js';
import type { EndOptions, Grant, LeavingLeg, OngoingTransfer } from './call-events.js';
import { CallFacts } from './call-facts.js';
import { CallLegs } from './call-legs.js';
import { type CallPhase, CallStateError, predecessors } from './call-phase.js';
import type { Measurements } from './call-record.js';
import type { CallServices } from './call-services.js';
import { type CallBeginning, type DeadlineKind, type Ending, initialState, keepApart } from './call-state.js';
import { OfferAnswer } from './offer-answer.js';
import { PendingInvite } from './pending-invite.js';
import { DigitPlayer } from './play-digit.js';

type InDialogRequest = (
  call: Call,
  side: MediaSide,
  request: ReceivedRequest,
  response: ResponseSender,
) => void;

/** Answers what either side requests inside its dialog about transfers. */
export interface TransferRequests {
  readonly refer: InDialogRequest;
  readonly notify: InDialogRequest;
  readonly subscribe: InDialogRequest;
  /** SUBSCRIBE with `Expires: 0`. */
  unsubscribed(call: Call, side: MediaSide): void;
}

/** Dependencies of every call; one set per process. */
export interface CallDeps extends CallServices {
  readonly transfers: TransferRequests;
}

/** What the call table acts on. */
export interface CallObserver {
  admitted(call: Call): void;
  /** What another process needs to continue the call has changed. `isUrgent`: before what follows goes to a peer. */
  changed(call: Call, isUrgent: boolean): void;
  ended(call: Call, options: EndOptions): void;
  /** Another process has it. */
  left(call: Call): void;
}

const unobserved: CallObserver = {
  admitted: () => {},
  changed: () => {},
  ended: () => {},
  left: () => {},
};

/**
 * One call: its state, the live handles of its two legs, and the events that change them. Each change of phase goes through
 * `become`, which knows the legal predecessors. The verbs (accept, answer, modify …) are functions in separate files.
 */
export abstract class Call extends CallFacts {
  readonly log: Logger;
  /** The INVITE to the agent. */
  readonly agentInvite: PendingInvite;
  readonly exchange = new OfferAnswer(() => this.note(true));
  /** INFOs of each side that the other has not answered. */
  readonly pendingInfos: Record<MediaSide, number> = { trunk: 0, agent: 0 };
  readonly legs = new CallLegs();
  /** Of its audio; undefined: it was never sampled. */
  samples: BoundedSamples | undefined = undefined;
  /** How soon the agent replied; undefined: it was never measured. */
  turns: CallTurns | undefined = undefined;
  /** Set by the table. */
  observer: CallObserver = unobserved;
  /** Name of the dialog that the INVITE of its beginning forms; undefined: none began it. */
  readonly dialogName: string | undefined = undefined;
  private session: MediaSession | undefined;
  private readonly earlierSessions: Promise<MediaStatistics | undefined>[] = [];
  private player: DigitPlayer | undefined;
  private leavingLegs: Set<LeavingLeg> | undefined;
  private running: OngoingTransfer | undefined;
  private loss: Ending | undefined;
  private readonly slots: (() => void)[] = [];
  private stopWatching: () => void = () => {};
  /** Monotonic milliseconds. */
  private dueAt = Number.POSITIVE_INFINITY;
  private whenDue: () => void = () => {};
  private relaying: Promise<void> = Promise.resolve();

  constructor(
    readonly deps: CallDeps,
    beginning: CallBeginning,
  ) {
    super(initialState(beginning, deps.settings.call.maximumDurationSeconds));
    this.log = deps.log.child({ call: beginning.id });
    this.agentInvite = new PendingInvite(this.log);
  }

  /** Digits of one side that the other gets in RTP. */
  get digits(): DigitPlayer {
    this.player ??= new DigitPlayer(() => (this.hasEnded ? undefined : this.media?.audio));
    return this.player;
  }

  get leaving(): Set<LeavingLeg> {
    this.leavingLegs ??= new Set();
    return this.leavingLegs;
  }

  get dialogs(): CallLegs['dialogs'] {
    return this.legs.dialogs;
  }

  get media(): MediaSession | undefined {
    return this.session;
  }

  /** RTP totals of earlier media sessions. */
  get earlierMedia(): readonly Promise<MediaStatistics | undefined>[] {
    return this.earlierSessions;
  }

  get transfer(): OngoingTransfer | undefined {
    return this.running;
  }

  // Phases

  /** Admission grants the call its slot. */
  admit({ number, organization, maximumSeconds, testRunId, release, shared }: Grant): void {
    this.slots.push(release);
    if (shared !== undefined) this.data.sharedSlots = [...this.data.sharedSlots, shared];
    if (!this.become('admitted')) return;
    this.data.isAdmitted = true;
    this.data.number = number;
    this.data.organization = organization;
    if (maximumSeconds !== undefined) this.data.maximumSeconds = maximumSeconds;
    if (testRunId !== undefined) this.data.testRunId = testRunId;
    this.observer.admitted(this);
  }

  /** The edge sends an INVITE: the first, or one to a further server. */
  invite(): void {
    const { phase } = this.data;
    if (phase !== 'inviting' && phase !== 'early') this.become('inviting');
  }

  /** A provisional response other than 100. True: it is the first one. */
  ring(): boolean {
    if (this.data.ringingAt !== null || this.data.answeredAt !== null) return false;
    if (!this.become('early')) return false;
    this.data.ringingAt = Date.now();
    return true;
  }

  /** The trunk's INVITE has its 200. */
  answer(): void {
    if (!this.become('answered')) return;
    this.noteStatus(200);
    this.data.answeredAt = Date.now();
    this.deps.metrics.callAnswered(this.data);
  }

  /** The trunk's 200 is acknowledged. */
  acknowledge(): void {
    this.legs.acknowledge();
  }

  /** Both legs are joined, and the trunk's 200 is acknowledged: what only the setup needs is dropped. */
  confirm(): void {
    if (!this.become('confirmed')) return;
    const own = sharedOwnText();
    this.forgetSetup(own);
    keepApart(this.data, own);
    for (const side of ['trunk', 'agent'] as const) {
      const dialog = this.dialogs[side];
      if (dialog === undefined) continue;
      slimDialog(dialog, this.data.descriptions[side], own);
      this.data[side === 'trunk' ? 'trunkDialogId' : 'agentDialogId'] = dialog.id;
    }
    const { trunk, agent } = this.data.descriptions;
    this.session?.forgetParsed([trunk.remote, agent.remote]);
    this.note();
  }

  /** Ends the call: the first ending counts, later ones are ignored. Never waits. */
  end(as: Ending, options: EndOptions = {}): void {
    if (this.hasEnded || !this.become('ending')) return;
    const { data } = this;
    const ending = this.loss ?? as;
    this.release(ending);
    this.legs.acknowledged.resolve();
    this.endUnanswered(ending, options);
    this.log[data.isUnrecorded ? 'debug' : 'info'](
      { reason: ending.reason, by: ending.by, detail: ending.detail, status: data.sipStatus },
      'Call ended.',
    );
    this.observer.ended(this, options);
  }

  /** Another process continues the call: this one forgets it, with no message to its peers and no record. */
  leave(): void {
    if (this.hasEnded || !this.become('ending')) return;
    this.release({ reason: 'transferred', by: 'edge' });
    this.stopTimers();
    this.turns?.stop();
    this.observer.left(this);
    this.become('ended');
  }

  private release(ending: Ending): void {
    this.data.ending = ending;
    this.data.endedAt = Date.now();
    this.clearDeadline();
    this.stopWatching();
    for (const release of this.slots.splice(0)) release();
  }

  /** Its legs are released, and its record, if it gets one, is written. */
  close(): void {
    this.become('ended');
  }

  /** Changes before the call is confirmed are written with it. */
  protected override note(isUrgent = false): void {
    if (this.data.phase === 'confirmed') this.observer.changed(this, isUrgent);
  }

  private become(phase: CallPhase): boolean {
    const { id, phase: from } = this.data;
    if (!predecessors[phase].includes(from)) {
      this.deps.illegalState(new CallStateError(id, from, phase));
      return false;
    }
    this.data.phase = phase;
    return true;
  }

  // Legs

  setDialog(side: MediaSide, dialog: Dialog): void {
    this.legs.setDialog(side, dialog);
    this.data[side === 'trunk' ? 'trunkDialogId' : 'agentDialogId'] = dialog.id;
    this.note();
  }

  /** A transfer has replaced that side's party. */
  replaceParty(side: MediaSide, dialog: Dialog, session: AgreedSession | undefined): void {
    this.setDialog(side, dialog);
    this.setSession(side, session);
    this.data.newParties = { ...this.data.newParties, [side]: true };
  }

  // Media

  /** The call's first media session, or the one for another kind of server. */
  useMedia(session: MediaSession): void {
    this.session = session;
  }

  /** The parties have moved to another session; the RTP totals of the previous one are kept. */
  moveMedia(session: MediaSession): void {
    if (this.session !== undefined) this.earlierSessions.push(this.session.release());
    this.session = session;
    this.data.nextMediaId = null;
    this.note();
  }

  /** Resolves when pending early media has been relayed to the calling side, and its changes are answered. */
  get earlyMedia(): Promise<void> {
    return this.relaying;
  }

  /** Relays after pending responses, so that they keep their order. */
  afterEarlyMedia(relay: () => Promise<void>): Promise<void> {
    this.relaying = this.relaying.then(relay);
    return this.relaying;
  }

  /** Replaces the media watch; `stop` ends it. */
  watch(stop: () => void = () => {}): void {
    this.stopWatching();
    this.stopWatching = stop;
  }

  /** What was measured of its audio so far. */
  get measurements(): Measurements {
    if (this.hasEnded) this.turns?.stop();
    const [samples, turns] = [this.samples?.all, this.turns?.summary()];
    return { ...(samples === undefined ? {} : { samples }), ...(turns === undefined ? {} : { turns }) };
  }

  /** Its samples are written for a successor of this process. */
  samplesChanged(): void {
    this.note();
  }

  // Deadlines, slots, transfers

  /** One at a time; the table checks once a second. */
  setDeadline(kind: DeadlineKind, seconds: number, whenDue: () => void): void {
    this.data.deadline = { kind, at: Date.now() + seconds * 1_000 };
    this.dueAt = performance.now() + seconds * 1_000;
    this.whenDue = whenDue;
    this.note();
  }

  clearDeadline(): void {
    this.data.deadline = null;
    this.dueAt = Number.POSITIVE_INFINITY;
  }

  /** @param now monotonic milliseconds */
  checkDeadline(now: number): void {
    if (now < this.dueAt) return;
    this.clearDeadline();
    this.whenDue();
  }

  /** A further slot that is given back when the call ends. */
  holdSlot(release: () => void, shared?: SharedSlot): void {
    if (this.hasEnded) {
      release();
      return;
    }
    this.slots.push(release);
    if (shared === undefined) return;
    this.data.sharedSlots = [...this.data.sharedSlots, shared];
    this.note();
  }

  /** One transfer at a time, in an answered call. Throws `CallStateError` otherwise. */
  beginTransfer(transfer: OngoingTransfer): void {
    const { id, phase } = this.data;
    if (this.running !== undefined) throw new CallStateError(id, 'transferring', 'transferring');
    if (phase !== 'answered' && phase !== 'confirmed') throw new CallStateError(id, phase, 'transferring');
    this.running = transfer;
  }

  /** What ends a transfer with its process has changed. */
  noteTransferState(): void {
    this.note(true);
  }

  endTransfer(): void {
    this.running = undefined;
    this.note();
  }

  /** The agent is lost and the call is about to end: this is the cause, even if another event ends it first. */
  noteLoss(ending: Ending): void {
    this.loss = ending;
  }

  // What differs by direction

  /** What the trunk allows in its dialog (RFC 3261 §20.5); undefined: it sent no Allow. */
  abstract get trunkAllow(): string | undefined;

  /** The progress that an order reports has changed. */
  changed(): void {}

  /** What the call would do later is not done any more. */
  protected stopTimers(): void {}

  /** The call is confirmed: drops the INVITE that began it. `own` copies the texts that remain. */
  protected forgetSetup(_own: OwnText): void {}

  /** Ends a trunk's INVITE that has no dialog yet; resolves when its transaction is over. */
  abstract withdraw(reason: string | undefined): Promise<void>;

  /** Sends or notes the final response to an INVITE that has none yet. */
  protected abstract endUnanswered(ending: Ending, options: EndOptions): void;
}
