import { setTimeout as sleep } from 'node:timers/promises';
import { Deferred } from '../../base/deferred.js';
import type { ConsultationStage } from '../../contract/transfer.js';
import type { Call } from '../call/call.js';
import type { EndOptions } from '../call/call-events.js';
import type { Ending } from '../call/call-state.js';
import { holdExchanges, offerIn } from '../call/offer-in-dialog.js';
import { watchMedia } from '../call/watch-media.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { failureText } from '../sip/messages.js';
import { Consultation } from './consultation.js';
import { partyOf } from './join.js';
import { type Outcome, Transfer } from './transfer.js';

/** The node of the session may be down, and the call on its way to another one. */
const resumePauseMilliseconds = 500;

/** A transfer of the agent's side in which the agent talks to the target first, while the caller is on hold. */
export class WarmTransfer extends Transfer {
  override mode = 'attended' as const;
  /** The agent has, or gets, the description of its session with the target. */
  isApart = false;
  private readonly consultation = new Consultation();
  private readonly due = new Deferred();
  private readonly done = new Deferred();
  private failure: string | null = null;

  get stage(): ConsultationStage | null {
    return this.done.isResolved ? null : this.consultation.stage;
  }

  /** Resolves when the caller is to be connected with the target as soon as that has answered, or the transfer is over. */
  get joinDue(): Promise<void> {
    return this.due.promise;
  }

  /** Resolves when the transfer is over and the call has two parties again, or has ended. */
  get settled(): Promise<void> {
    return this.done.promise;
  }

  /** Why it failed; null: it has not. */
  get failureDetail(): string | null {
    return this.failure;
  }

  /** The target has answered. True: the agent is to be connected with it. */
  answered(): boolean {
    const isAgentThere = this.consultation.answered();
    this.noteStage();
    return isAgentThere;
  }

  /** The agent has the target's description. */
  connected(): void {
    if (this.isOver) return;
    this.consultation.connected();
    this.noteStage();
  }

  /** The caller and the target get each other's address from now on. */
  join(): void {
    this.consultation.join();
    this.noteStage();
  }

  /** Null: the caller and the target are being connected; else why they are not. */
  complete(): string | null {
    const refusal = this.consultation.completeRefusal;
    if (refusal === null) this.due.resolve();
    return refusal;
  }

  /** Null: the caller returns to the agent; else why not. */
  cancel(): string | null {
    const refusal = this.consultation.cancelRefusal;
    if (refusal !== null) return refusal;
    const { attempt } = this;
    const detail = 'Cancelled by the API.';
    this.finish({ status: 'failed', reason: 'cancelled', sipStatus: 487, isOurs: true, detail });
    void attempt?.withdraw(undefined);
    return null;
  }

  override partyLeft(side: MediaSide, ending: Ending): boolean {
    if (!super.partyLeft(side, ending)) return false;
    this.isApart = false;
    this.consultation.agentLeft();
    this.due.resolve();
    return true;
  }

  override async callEnded(options: Pick<EndOptions, 'reason' | 'engineIsGone'>): Promise<void> {
    await super.callEnded(options);
    this.done.resolve();
  }

  protected override settle(outcome: Outcome): void {
    if (this.isOver) return;
    if (outcome.status !== 'completed') this.failure = outcome.detail ?? said(outcome);
    super.settle(outcome);
    this.due.resolve();
  }

  protected override close(outcome: Outcome): void {
    const end = (): void => {
      super.close(outcome);
      this.done.resolve();
    };
    if (outcome.status === 'completed' || !this.consultation.failed()) end();
    else void this.returnCaller().finally(end);
  }

  /** Never rejects. */
  private async returnCaller(): Promise<void> {
    const { call } = this;
    this.noteStage();
    if (this.isApart) await this.returnAgent();
    await resumeAudio(call);
  }

  private async returnAgent(): Promise<void> {
    const { call } = this;
    const close = await holdExchanges(call);
    try {
      const before = call.state.descriptions.agent.local;
      if (call.hasEnded || before === undefined) return;
      await offerIn(call, 'agent', partyOf(call, 'agent').local?.again(before) ?? before);
    } catch (error) {
      call.log.warn({ error: failureText(error) }, 'The agent did not return to the caller at once.');
      if (call.hasEnded) return;
      // Both sides get a description again; the call ends if one refuses it.
      call.media?.unsettle('description');
      watchMedia(call);
    } finally {
      this.isApart = false;
      close();
    }
  }

  private noteStage(): void {
    this.call.noteTransferState();
    this.call.changed();
  }
}

const said = ({ sipStatus, sipReason }: Outcome): string =>
  `The target answered ${sipStatus} ${sipReason ?? ''}`.trim();

/** Ends the hold of a consultation, also while the call's media session moves to another node. Never rejects. */
export async function resumeAudio(call: Call): Promise<void> {
  const until = performance.now() + call.deps.settings.rtpengine.lostMilliseconds;
  while (!call.hasEnded && call.media?.audio.isOnHold === true) {
    try {
      await call.media.audio.blockTrunk(false);
      await call.media.audio.resume();
    } catch (error) {
      if (performance.now() >= until) {
        call.log.warn({ error: failureText(error) }, 'The caller stays on hold after a consultation.');
        return;
      }
      await sleep(resumePauseMilliseconds);
    }
  }
  call.changed();
}
