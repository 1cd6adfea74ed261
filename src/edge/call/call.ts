import { Deferred } from '../../base/deferred.js';
import type { Logger } from '../../base/log.js';
import type { OpenTransfer } from '../../contract/call-look.js';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import { reasonPhrase } from '../../sip/status.js';
import type { MediaSession } from '../media/media-session.js';
import type { MediaSide, MediaStatistics } from '../media/rtp-statistics.js';
import type { Dialog, OfferedDialog, ReceivedRequest, ResponseSender, SentRequest } from '../sip/messages.js';
import type { FinalAnswer } from '../sip/refuse-invite.js';
import type { AgreedSession } from '../sip/session-timer.js';
import type { CallServices } from './call-services.js';
import type { CallState, Ending } from './call-state.js';
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

/** What is left to do when a call has ended. */
export interface TearDownOptions extends EndOptions {
  /** False: the caller still owes the ACK of our 200. */
  readonly wasAcknowledged: boolean;
}

/** A transfer of one of the two parties, as long as it goes on. */
export interface OngoingTransfer {
  /** For people who watch; null: it has its outcome. */
  readonly description: OpenTransfer | null;
  /** A party has hung up. True: the call goes on without it until the transfer has an outcome. */
  partyLeft(side: MediaSide, ending: Ending): boolean;
  /** The call is over, and with it what the transfer has begun; resolves when nothing more is to come. */
  callEnded(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void>;
}

/** A leg whose party has been replaced, until its dialog has ended. */
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

/** What every call works with; one set per process. */
export interface CallDeps extends CallServices {
  readonly transfers: TransferRequests;
}

/** What is known of a call when it begins. */
export type CallBeginning = Pick<
  CallState,
  'id' | 'direction' | 'from' | 'to' | 'source' | 'trunkSipCallId'
> & {
  /** What the trunk's side has described already. */
  readonly remoteSdp?: string | undefined;
};

/**
 * One call: the state that its record is made of, and the live handles of its two legs. The verbs (accept, answer, modify …)
 * are functions in files of their own; only `end` is here, because every one of them may come to it.
 */
export abstract class Call {
  readonly state: CallState;
  readonly log: Logger;
  media: MediaSession | undefined;
  /** The agent's INVITE while it has no final answer. */
  invite: Pick<SentRequest, 'cancel'> | undefined;
  inviting = false;
  /** The agent's answer to a late offer, not acknowledged yet. */
  offered: OfferedDialog | undefined;
  readonly dialogs: { trunk: Dialog | undefined; agent: Dialog | undefined } = {
    trunk: undefined,
    agent: undefined,
  };
  /** Digits of one side that the other gets in RTP. */
  readonly digits = new DigitPlayer(() => (this.hasEnded ? undefined : this.media));
  /** Digits of an order, or of the API, are on their way to the trunk. */
  isSendingDigits = false;
  /** INFOs of each side that the other has not answered. */
  readonly pendingInfos: Record<MediaSide, number> = { trunk: 0, agent: 0 };
  /** The session timers in force (RFC 4028). */
  readonly sessions: Record<MediaSide, AgreedSession | undefined> = { trunk: undefined, agent: undefined };
  /** Resolved when the trunk's dialog is acknowledged, or the call has ended. */
  readonly acknowledged = new Deferred();
  /** Resolved when the agent has acknowledged our 200, or its dialog is gone; undefined: it owes no ACK. */
  agentAcknowledged: Deferred | undefined;
  /** Admission is through: it has a record whatever happens to this process. */
  isAdmitted = false;
  /** Refused only with a digest challenge: the caller is expected to come again. */
  isChallenged = false;
  /** Refused in a flood: no log line and no record. */
  isUnrecorded = false;
  /** An offer of one side waits for the other's answer (RFC 3261 §14.1: one at a time). */
  exchanging = false;
  /** Offers inside the call that were passed on. */
  modifications = 0;
  maximumSeconds: number;
  transfer: OngoingTransfer | undefined;
  /** The agent is gone and the call is about to end by it: whatever ends it first, this was the cause. */
  loss: Ending | undefined;
  readonly leaving = new Set<LeavingLeg>();
  /** RTP totals of the media sessions before the present one. */
  readonly earlierMedia: Promise<MediaStatistics | undefined>[] = [];
  /** How the agent's variables become headers for the trunk. */
  trunkMappings: readonly HeaderMapping[] = [];
  /** Gives back what admission took. */
  release: () => void = () => {};
  /** Set by the table: tears the call down and writes its record. */
  onEnded: (options: TearDownOptions) => void = () => {};
  /** Ends the media watch. */
  unwatch: () => void = () => {};
  /** Monotonic milliseconds at which `onDeadline` runs; the table looks once a second. */
  deadline = Number.POSITIVE_INFINITY;
  onDeadline: () => void = () => {};
  /** Resolves pending waits (ring time, agent's INVITE) when the agent's transaction is over. */
  readonly inviteDone = new Deferred();

  /** Of the INVITE that the call began with, where it was not ours. */
  get incomingSipCallId(): string {
    return this.state.trunkSipCallId;
  }

  constructor(
    readonly deps: CallDeps,
    { remoteSdp, ...beginning }: CallBeginning,
  ) {
    this.maximumSeconds = deps.settings.call.maximumDurationSeconds;
    this.log = deps.log.child({ call: beginning.id });
    this.state = {
      ...beginning,
      earlierTrunkSipCallIds: [],
      attempts: [],
      agentSipCallId: null,
      otherAgentSipCallIds: [],
      organization: null,
      number: null,
      agentUri: null,
      trunkDialogId: null,
      agentDialogId: null,
      startedAt: Date.now(),
      ringingAt: null,
      answeredAt: null,
      endedAt: null,
      sipStatus: null,
      sipReason: null,
      newParties: { trunk: false, agent: false },
      transfers: [],
      ending: null,
      descriptions: {
        trunk: { remote: remoteSdp, local: undefined },
        agent: { remote: undefined, local: undefined },
      },
    };
  }

  get hasEnded(): boolean {
    return this.state.ending !== null;
  }

  /** Who is behind the trunk. */
  get party(): 'caller' | 'callee' {
    return this.state.direction === 'inbound' ? 'caller' : 'callee';
  }

  /** Whether the trunk's signaling comes from the address over a connection, which nobody can forge. */
  isPeerAddress(address: string): boolean {
    const { source } = this.state;
    return source.protocol !== 'udp' && source.address === address;
  }

  /** How a call ends whose party on that side hangs up. */
  hangUpBy(side: MediaSide): Ending {
    if (this.state.newParties[side]) return { reason: 'target_hung_up', by: 'target' };
    return side === 'trunk'
      ? { reason: `${this.party}_hung_up`, by: this.party }
      : { reason: 'agent_hung_up', by: 'agent' };
  }

  setDeadline(seconds: number, onDeadline: () => void): void {
    this.deadline = performance.now() + seconds * 1_000;
    this.onDeadline = onDeadline;
  }

  clearDeadline(): void {
    this.deadline = Number.POSITIVE_INFINITY;
  }

  setDialog(side: MediaSide, dialog: Dialog): void {
    this.dialogs[side] = dialog;
    this.state[side === 'trunk' ? 'trunkDialogId' : 'agentDialogId'] = dialog.id;
  }

  /** The side whose 200 of that Call-ID waits for our ACK. */
  unacknowledgedSide(sipCallId: string): MediaSide | undefined {
    return this.offered !== undefined && this.state.agentSipCallId === sipCallId ? 'agent' : undefined;
  }

  /** Its dialog is gone: nothing is to be acknowledged any more. */
  dropUnacknowledged(_side: MediaSide): void {
    this.offered = undefined;
  }

  /** Ends the call: the first ending counts, later ones are ignored. Never throws and never waits. */
  end(as: Ending, options: EndOptions = {}): void {
    const { state } = this;
    if (state.ending !== null) return;
    const ending = this.loss ?? as;
    state.ending = ending;
    state.endedAt = Date.now();
    this.clearDeadline();
    this.unwatch();
    this.release();
    const wasAcknowledged = this.acknowledged.isResolved;
    this.acknowledged.resolve();
    this.endUnanswered(ending, options);
    this.log[this.isUnrecorded ? 'debug' : 'info'](
      { reason: ending.reason, by: ending.by, detail: ending.detail, status: state.sipStatus },
      'Call ended.',
    );
    this.onEnded({ ...options, wasAcknowledged });
  }

  /** What the trunk allows in its dialog (RFC 3261 §20.5); undefined: it does not say. */
  abstract get trunkAllow(): string | undefined;

  /** Something about the call has changed that whoever reads its progress may want to know. */
  changed(): void {}

  /** What becomes of the trunk's INVITE when it has no final answer yet; resolves when nothing more is to come of it. */
  abstract withdraw(reason: string | undefined): Promise<void>;

  /** Notes or sends the final answer of the trunk's INVITE when there is none yet. */
  protected abstract endUnanswered(ending: Ending, options: EndOptions): void;

  noteStatus(status: number, reason?: string): void {
    this.state.sipStatus = status;
    this.state.sipReason = reason ?? reasonPhrase(status);
  }
}
