import type { OpenTransfer } from '../../contract/call-look.js';
import type { TransferReason, TransferRecord } from '../../contract/transfer.js';
import type { Call } from '../call/call.js';
import type { EndOptions, OngoingTransfer } from '../call/call-events.js';
import type { Ending } from '../call/call-state.js';
import { bye } from '../call/tear-down.js';
import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import type { TrunkAttempt } from '../outbound/trunk-attempt.js';
import type { Dialog } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import type { ReferSubscription } from './refer-subscription.js';
import type { Fragment } from './sipfrag.js';

/** The outcome of a transfer. */
export interface Outcome {
  readonly status: TransferRecord['status'];
  readonly reason: TransferReason;
  /** Reported to the transferor, and recorded if a peer sent it. */
  readonly sipStatus: number;
  readonly sipReason?: string | undefined;
  /** True: no peer sent this status; it stands for a local failure. */
  readonly isOurs?: boolean;
  readonly detail?: string | undefined;
}

/** A NOTIFY about a REFER that the edge sent. */
export interface News {
  readonly fragment: Fragment | undefined;
  /** The subscription has ended with it. */
  readonly isLast: boolean;
}

export interface TransferBeginning {
  readonly call: Call;
  /** The side to be replaced. */
  readonly side: MediaSide;
  readonly requestedBy: TransferRecord['requested_by'];
  readonly target: string;
}

const maximumTarget = 500;

/** A transfer from its REFER to its outcome: the call has one at a time. */
export class Transfer implements OngoingTransfer {
  readonly call: Call;
  readonly side: MediaSide;
  mode: TransferRecord['mode'] = 'bridge';
  subscription: ReferSubscription | undefined;
  /** The new party's INVITE while it has no final answer. */
  attempt: TrunkAttempt | undefined;
  /** The new party's dialog until it is part of the call. */
  newcomer: Dialog | undefined;
  /** Its answer to our offer, possibly from a reliable provisional response. */
  newcomerAnswer: string | undefined;
  newSipCallId: string | null = null;
  otherCallId: string | null = null;
  mediaId: string | null = null;
  /** Releases the slot of the new leg. */
  release: () => void = () => {};
  /** Takes the trunk's NOTIFYs about a relayed REFER. */
  heard: ((news: News) => void) | undefined;
  /** The remaining party is moving: the transfer cannot be undone. */
  isJoining = false;
  private readonly requestedAt = Date.now();
  private transferorsEnding: Ending | undefined;
  private outcome: Outcome | undefined;

  constructor(private readonly beginning: TransferBeginning) {
    this.call = beginning.call;
    this.side = beginning.side;
    this.call.beginTransfer(this);
  }

  /** The remaining side. */
  get remaining(): MediaSide {
    return otherSide(this.side);
  }

  /** As it was asked for. */
  get target(): string {
    return this.beginning.target;
  }

  get description(): OpenTransfer | null {
    return this.isOver ? null : this.facts;
  }

  private get facts(): OpenTransfer {
    const { requestedBy, target } = this.beginning;
    return {
      mode: this.mode,
      requested_by: requestedBy,
      target: target.slice(0, maximumTarget),
      requested_at: new Date(this.requestedAt).toISOString(),
    };
  }

  get owedNotify(): { readonly side: MediaSide; readonly id: string | null } | null {
    const { subscription, side } = this;
    return subscription?.isActive === true ? { side, id: subscription.id ?? null } : null;
  }

  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  partyLeft(side: MediaSide, ending: Ending): boolean {
    if (side !== this.side || this.isOver) return false;
    this.transferorsEnding ??= ending;
    this.subscription?.drop();
    this.call.legs.releaseDialog(side);
    // That side is silent until the new party sends.
    this.call.watch();
    this.call.log.info('The transferor has hung up; the transfer continues.');
    return true;
  }

  async callEnded({ reason, engineIsGone }: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void> {
    const { attempt, newcomer, call } = this;
    this.settle({
      status: 'failed',
      reason: 'call_ended',
      sipStatus: 487,
      isOurs: true,
      detail: 'The call ended first.',
    });
    if (engineIsGone === true) {
      attempt?.abandon();
      if (newcomer !== undefined) call.deps.engine.forget(newcomer);
      return;
    }
    const { subscription } = this;
    await Promise.all([attempt?.withdraw(reason), this.endNewcomer(reason), subscription?.quiet()]);
  }

  /** The new party's INVITE or dialog ended with the connection. */
  connectionLost(): void {
    const { attempt, newcomer, call } = this;
    if (attempt === undefined && newcomer === undefined) return;
    const detail = 'The connection to the SIP engine was lost.';
    this.finish({ status: 'failed', reason: 'internal_error', sipStatus: 503, isOurs: true, detail });
    attempt?.abandon();
    this.newcomer = undefined;
    if (newcomer !== undefined) call.deps.engine.forget(newcomer);
  }

  /** Ends the transfer with its outcome; the first one counts. A call without a party on one side ends. */
  finish(outcome: Outcome): void {
    if (this.isOver) return;
    this.settle(outcome);
    this.close(outcome);
  }

  /** Gives the call back. */
  protected close(outcome: Outcome): void {
    this.call.endTransfer();
    if (outcome.status === 'completed' || this.transferorsEnding === undefined) return;
    const { transferorsEnding: ending, call } = this;
    const detail = `${ending.detail ?? ''} The transfer before it failed: ${outcome.sipStatus}.`.trim();
    call.end({ ...ending, detail }, { reason: sipReason(outcome.sipStatus, 'Transfer failed') });
  }

  /** The new party has hung up before it was in the call. */
  newcomerLeft(): void {
    if (this.isJoining) return;
    const detail = 'The transfer target hung up before it joined the call.';
    this.finish({ status: 'failed', reason: 'rejected', sipStatus: 480, isOurs: true, detail });
  }

  /** BYE to a new party that does not join the call. */
  async endNewcomer(reason: string | undefined): Promise<void> {
    const { newcomer } = this;
    this.newcomer = undefined;
    if (newcomer !== undefined) await bye(this.call, newcomer, { reason });
  }

  protected settle(outcome: Outcome): void {
    if (this.isOver) return;
    this.outcome = outcome;
    if (outcome.status !== 'completed') this.release();
    const { call } = this;
    const phrase = cleanPhrase(outcome.sipReason ?? '');
    const isAnswer = outcome.isOurs !== true;
    call.noteTransfer({
      ...this.facts,
      status: outcome.status,
      reason: outcome.reason,
      sip_status: isAnswer ? outcome.sipStatus : null,
      sip_reason: isAnswer ? (phrase ?? null) : null,
      detail: outcome.detail ?? null,
      completed_at: new Date().toISOString(),
      sip_call_id: this.newSipCallId,
      other_call_id: this.otherCallId,
    });
    this.subscription?.tell({ status: outcome.sipStatus, reason: phrase ?? '' });
    this.heard?.({ fragment: undefined, isLast: true });
    const { status, reason, sipStatus, detail } = outcome;
    call.deps.metrics.transferEnded({ mode: this.mode, reason });
    call.log.info({ mode: this.mode, side: this.side, status, reason, sipStatus, detail }, 'Transfer ended.');
  }
}
