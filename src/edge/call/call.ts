import { Deferred } from '../../base/deferred.js';
import type { Logger } from '../../base/log.js';
import { ownText } from '../../base/own-text.js';
import type { OpenTransfer } from '../../contract/call-look.js';
import type { AttemptRecord } from '../../contract/call-record.js';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { SharedSlot } from '../../contract/held-call.js';
import type { TransferRecord } from '../../contract/transfer.js';
import { reasonPhrase } from '../../sip/status.js';
import type { MediaSession } from '../media/media-session.js';
import type { MediaSide, MediaStatistics } from '../media/rtp-statistics.js';
import type { TrunkSignaling } from '../media/terms.js';
import type { BoundedSamples } from '../quality/bounded-samples.js';
import type { CallTurns } from '../quality/turn-watch.js';
import type { Dialog, OfferedDialog, ReceivedRequest, ResponseSender } from '../sip/messages.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import type { AgreedSession } from '../sip/session-timer.js';
import { slimDialog } from '../sip/slim-dialog.js';
import { type CallPhase, CallStateError, predecessors } from './call-phase.js';
import type { Measurements } from './call-record.js';
import type { CallServices } from './call-services.js';
import {
  type CallBeginning,
  type CallState,
  type DeadlineKind,
  type Descriptions,
  type Ending,
  initialState,
  keepApart,
} from './call-state.js';
import { OfferAnswer } from './offer-answer.js';
import { PendingInvite } from './pending-invite.js';
import { DigitPlayer } from './play-digit.js';

export interface EndOptions {
  /** Sent to a caller whose INVITE has no final answer yet. */
  readonly answer?: FinalAnswer;
  /** Reason header value for the BYE or CANCEL of the legs that are still up. */
  readonly reason?: string | undefined;
  /** For the BYE to the trunk. */
  readonly trunkHeaders?: Readonly<Record<string, string>>;
  /** The connection to the engine is gone: nothing can be sent. */
  readonly engineIsGone?: boolean;
}

/** Work that remains when a call has ended. */
export interface TearDownOptions extends EndOptions {
  /** False: the caller still owes the ACK of our 200. */
  readonly wasAcknowledged: boolean;
}

/** A transfer of one side until it has an outcome. */
export interface OngoingTransfer {
  /** For the live view; null once it has its outcome. */
  readonly description: OpenTransfer | null;
  /** rtpengine's call-id of its media session; null: it has none yet. */
  readonly mediaId: string | null;
  /** The transferor's subscription while it waits for the outcome. */
  readonly owedNotify: { readonly side: MediaSide; readonly id: string | null } | null;
  /** One side has hung up. True: the call continues without it until the transfer has an outcome. */
  partyLeft(side: MediaSide, ending: Ending): boolean;
  /** The call has ended: ends the pending transfer; resolves when that is done. */
  callEnded(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void>;
  /** The connection to the engine was lost, and is back with the call's dialogs, but no other. */
  connectionLost(): void;
}

/** The dialog of a replaced side until it has ended. */
export interface LeavingLeg {
  end(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void>;
}

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
  ended(call: Call, options: TearDownOptions): void;
  /** Another process has it. */
  left(call: Call): void;
}

/** What admission grants to a call. */
export interface Grant {
  readonly number: string;
  readonly organization: string;
  /** Absent: the service's own bound. */
  readonly maximumSeconds?: number | undefined;
  /** Absent: no agent test. */
  readonly testRunId?: string | undefined;
  /** Gives back the slot when the call ends. */
  readonly release: () => void;
  /** Where all edges share the limit: what another process needs to hold it. */
  readonly shared?: SharedSlot | undefined;
}

type Sides<Value> = Readonly<Record<MediaSide, Value>>;

/**
 * One call: its state, the live handles of its two legs, and the events that change them. Each change of phase goes through
 * `become`, which knows the legal predecessors. The verbs (accept, answer, modify …) are functions in separate files.
 */
export abstract class Call implements TrunkSignaling {
  readonly log: Logger;
  /** The INVITE to the agent. */
  readonly agentInvite: PendingInvite;
  readonly exchange = new OfferAnswer(() => this.note(true));
  /** Digits of one side that the other gets in RTP. */
  readonly digits = new DigitPlayer(() => (this.hasEnded ? undefined : this.media?.audio));
  /** INFOs of each side that the other has not answered. */
  readonly pendingInfos: Record<MediaSide, number> = { trunk: 0, agent: 0 };
  /** Resolved when the trunk's dialog is acknowledged, or the call has ended. */
  readonly acknowledged = new Deferred();
  readonly leaving = new Set<LeavingLeg>();
  /** Of its audio; undefined: it was never sampled. */
  samples: BoundedSamples | undefined = undefined;
  /** How soon the agent replied; undefined: it was never measured. */
  turns: CallTurns | undefined = undefined;
  /** Set by the table. */
  observer: CallObserver = { admitted: () => {}, changed: () => {}, ended: () => {}, left: () => {} };
  private readonly data: { -readonly [Field in keyof CallState]: CallState[Field] };
  private readonly handles: Record<MediaSide, Dialog | undefined> = { trunk: undefined, agent: undefined };
  private readonly unacknowledged: Record<MediaSide, OfferedDialog | undefined> = {
    trunk: undefined,
    agent: undefined,
  };
  private agentAck: Deferred | undefined;
  /** Name of the dialog that the INVITE of its beginning forms; undefined: none began it. */
  readonly dialogName: string | undefined = undefined;
  private session: MediaSession | undefined;
  private readonly earlierSessions: Promise<MediaStatistics | undefined>[] = [];
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
    this.log = deps.log.child({ call: beginning.id });
    this.agentInvite = new PendingInvite(this.log);
    this.data = initialState(beginning, deps.settings.call.maximumDurationSeconds);
  }

  get state(): CallState {
    return this.data;
  }

  get hasEnded(): boolean {
    return this.data.ending !== null;
  }

  /** The peer of the trunk's leg. */
  get party(): 'caller' | 'callee' {
    return this.data.direction === 'inbound' ? 'caller' : 'callee';
  }

  /** Call-ID of the received INVITE that began the call. */
  get incomingSipCallId(): string {
    return this.data.trunkSipCallId;
  }

  get dialogs(): Sides<Dialog | undefined> {
    return this.handles;
  }

  /** A side's 200 with an offer that we have not acknowledged yet. */
  get offered(): Sides<OfferedDialog | undefined> {
    return this.unacknowledged;
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

  /** Sides that have not acknowledged our 200. */
  get owesAck(): Sides<boolean> {
    const trunk = this.handles.trunk !== undefined && !this.acknowledged.isResolved;
    return { trunk, agent: this.agentAck?.isResolved === false };
  }

  /** Resolves when the agent owes us no ACK: it came, or its dialog is gone. */
  get agentAcknowledged(): Promise<void> | undefined {
    return this.agentAck?.promise;
  }

  /** Of the trunk's signaling. */
  get sourceAddress(): string {
    return this.data.source.address;
  }

  /** Whether the trunk's signaling comes from the address over a connection, which cannot be forged. */
  isPeerAddress(address: string): boolean {
    const { source } = this.data;
    return source.protocol !== 'udp' && source.address === address;
  }

  /** How a call ends when that side hangs up. */
  hangUpBy(side: MediaSide): Ending {
    if (this.data.newParties[side]) return { reason: 'target_hung_up', by: 'target' };
    return side === 'trunk'
      ? { reason: `${this.party}_hung_up`, by: this.party }
      : { reason: 'agent_hung_up', by: 'agent' };
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
    this.acknowledged.resolve();
  }

  /** Both legs are joined, and the trunk's 200 is acknowledged: what only the setup needs is dropped. */
  confirm(): void {
    if (!this.become('confirmed')) return;
    this.forgetSetup();
    keepApart(this.data);
    for (const side of ['trunk', 'agent'] as const) {
      const dialog = this.handles[side];
      if (dialog === undefined) continue;
      slimDialog(dialog, this.data.descriptions[side]);
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
    const wasAcknowledged = this.acknowledged.isResolved;
    this.acknowledged.resolve();
    this.endUnanswered(ending, options);
    this.log[data.isUnrecorded ? 'debug' : 'info'](
      { reason: ending.reason, by: ending.by, detail: ending.detail, status: data.sipStatus },
      'Call ended.',
    );
    this.observer.ended(this, { ...options, wasAcknowledged });
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

  /** Continues from a state that another process has described. */
  protected resume(state: Partial<CallState>): void {
    Object.assign(this.data, state);
  }

  /** Changes before the call is confirmed are written with it. */
  private note(isUrgent = false): void {
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

  // Who and where

  /** Of a refused call: the number that was found, and how the refusal counts. */
  noteRefusal(
    refused: Partial<Pick<CallState, 'number' | 'organization' | 'isChallenged' | 'isUnrecorded'>>,
  ): void {
    Object.assign(this.data, refused);
  }

  /** The organization that ordered it, or that owns the calling number. */
  assign(organization: string): void {
    this.data.organization = organization;
  }

  limitDuration(seconds: number): void {
    this.data.maximumSeconds = seconds;
  }

  identifyAgent(
    agent: Partial<Pick<CallState, 'agentUri' | 'agentSipCallId' | 'otherAgentSipCallIds'>>,
  ): void {
    Object.assign(this.data, agent);
  }

  /** An INVITE goes to a server of the trunk; the attempt before it stays known. */
  identifyTrunk(trunk: Pick<CallState, 'trunkSipCallId' | 'source'>): void {
    if (this.data.trunkSipCallId !== '') this.noteSipCallId(this.data.trunkSipCallId);
    Object.assign(this.data, trunk);
  }

  locateTrunk(source: CallState['source']): void {
    this.data.source = source;
  }

  /** A further dialog of the trunk's side whose messages belong to the record. */
  noteSipCallId(sipCallId: string): void {
    this.data.earlierTrunkSipCallIds = [...this.data.earlierTrunkSipCallIds, sipCallId];
  }

  mapTrunkHeaders(mappings: readonly HeaderMapping[]): void {
    this.data.trunkMappings = mappings;
  }

  noteStatus(status: number, reason?: string): void {
    this.data.sipStatus = status;
    this.data.sipReason = reason ?? reasonPhrase(status);
  }

  /** Adds an attempt, or replaces the one at `index`. Returns its index. */
  noteAttempt(record: AttemptRecord, index: number = this.data.attempts.length): number {
    this.data.attempts = [
      ...this.data.attempts.slice(0, index),
      record,
      ...this.data.attempts.slice(index + 1),
    ];
    return index;
  }

  noteTransfer(record: TransferRecord): void {
    this.data.transfers = [...this.data.transfers, record];
    this.note();
  }

  // Legs

  setDialog(side: MediaSide, dialog: Dialog): void {
    this.unacknowledged[side] = undefined;
    this.handles[side] = dialog;
    this.data[side === 'trunk' ? 'trunkDialogId' : 'agentDialogId'] = dialog.id;
    this.note();
  }

  /** The side's peer is gone, or its dialog belongs to another call now. */
  releaseDialog(side: MediaSide): void {
    this.handles[side] = undefined;
  }

  /** A side's 200 brought an offer and waits for our ACK. */
  setOffered(side: MediaSide, offered: OfferedDialog): void {
    this.unacknowledged[side] = offered;
  }

  /** The 200 is being acknowledged, or its dialog is gone. */
  releaseOffered(side: MediaSide): void {
    this.unacknowledged[side] = undefined;
  }

  /** The side whose 200 of that Call-ID waits for our ACK. */
  unacknowledgedSide(sipCallId: string): MediaSide | undefined {
    const { trunkSipCallId, agentSipCallId } = this.data;
    if (this.unacknowledged.trunk !== undefined && trunkSipCallId === sipCallId) return 'trunk';
    return this.unacknowledged.agent !== undefined && agentSipCallId === sipCallId ? 'agent' : undefined;
  }

  /** Our 200 to the agent waits for its ACK; call the result when the ACK arrived or the dialog is gone. */
  awaitAgentAck(): () => void {
    const ack = new Deferred();
    this.agentAck = ack;
    return () => ack.resolve();
  }

  setSession(side: MediaSide, session: AgreedSession | undefined): void {
    this.data.sessions = { ...this.data.sessions, [side]: session };
    this.note();
  }

  /** A description that a side sent or received; absent fields stay. */
  describeSide(side: MediaSide, descriptions: Partial<Descriptions>): void {
    const before = this.data.descriptions;
    const { remote } = descriptions;
    const own = remote === undefined ? descriptions : { ...descriptions, remote: ownText(remote) };
    this.data.descriptions = { ...before, [side]: { ...before[side], ...own } };
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

  /** Before the parties are offered a session that is to take the place of a lost one. A successor of this process deletes it. */
  noteNextMedia({ id }: MediaSession): void {
    this.data.nextMediaId = id;
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

  /** The process `edgeId` held the call until now. */
  noteAdoption(edgeId: string, at = Date.now()): void {
    this.data.adoptions = [...this.data.adoptions, { at, edge_id: edgeId }];
  }

  noteMediaMove(from: string | null, to: string, milliseconds: number): void {
    this.data.mediaMoves = [...this.data.mediaMoves, { at: Date.now(), from, to, milliseconds }];
    this.note();
  }

  // What differs by direction

  /** The API ordered it. */
  get isOrdered(): boolean {
    return false;
  }

  /** What the trunk allows in its dialog (RFC 3261 §20.5); undefined: it sent no Allow. */
  abstract get trunkAllow(): string | undefined;

  /** The progress that an order reports has changed. */
  changed(): void {}

  /** What the call would do later is not done any more. */
  protected stopTimers(): void {}

  /** The call is confirmed: drops the INVITE that began it. */
  protected forgetSetup(): void {}

  /** Ends a trunk's INVITE that has no dialog yet; resolves when its transaction is over. */
  abstract withdraw(reason: string | undefined): Promise<void>;

  /** Sends or notes the final response to an INVITE that has none yet. */
  protected abstract endUnanswered(ending: Ending, options: EndOptions): void;
}
