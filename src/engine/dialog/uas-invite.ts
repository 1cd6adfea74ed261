import { tagOf } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { type EngineReason, engineReasonHeader, engineReasonIn } from '../../sip/engine-reason.js';
import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import type { Timer } from '../clock.js';
import type { ServerTransaction } from '../transaction/transaction.js';
import { type Received, responseFlowOf, TransportError } from '../transport/flow.js';
import { type Application, type ApplicationMessage, type Reply, refusal } from './application.js';
import { sessionDescriptionIn } from './compose.js';
import { Dialog, dialogIdOf, type OpenInvite } from './dialog.js';
import { endDialog, removeDialog } from './dialog-end.js';
import type { Environment } from './environment.js';
import { defaultContact } from './local-contact.js';
import type { PendingRequest } from './pending-request.js';
import { ReliableProvisionals } from './reliable-provisional.js';
import { completeResponse } from './response-builder.js';
import { answerQuietly, listsOption, unavailable } from './server-request.js';
import { armSession, incomingSession, type Session } from './session-timer.js';
import { SuccessSupervision } from './success-supervision.js';

/**
 * An INVITE from the network, first or within a dialog, from its delivery to its final response
 * (RFC 3261 §13.3, §14.2; RFC 3262 §3).
 */
export class UasInvite implements PendingRequest, OpenInvite {
  readonly role = 'uas';
  private readonly dialogId: string;
  private readonly sequence: number;
  dialog: Dialog | undefined;
  private timer: Timer;
  private reliable: ReliableProvisionals | undefined;
  /** A final response waits for a PRACK: no other may follow. */
  private hasQueuedFinal = false;
  private isDone = false;
  /** Its first application is gone. */
  private isPassedOn = false;
  private isBegunOnce = false;
  /** The application's mark for the dialog that is being formed. */
  private isKept: boolean | undefined;
  private readonly isInitial: boolean;

  constructor(
    private readonly environment: Environment,
    private readonly transaction: ServerTransaction,
    public application: Application,
    existing?: Dialog,
    /** The dialog that a first INVITE is to replace (RFC 3891). */
    private readonly replaced?: Dialog,
  ) {
    const { message } = transaction.received;
    this.isInitial = existing === undefined;
    this.dialog = existing;
    this.dialogId =
      existing?.id ??
      dialogIdOf(message.headers.get('Call-ID') ?? '', tagOf(message.headers.get('From') ?? '') ?? '');
    this.sequence = parseCSeq(message.headers.get('CSeq') ?? '')?.number ?? 0;
    if (existing === undefined) environment.dialogs.expectDialog(this.dialogId, this);
    else existing.peerInvite = this;
    environment.pending.set(transaction.id, this);
    this.timer = environment.clock.after(environment.settings.inviteTimeout, () => this.timedOut());
    this.deliver();
  }

  private deliver(): void {
    const { application, transaction, isInitial } = this;
    application.request({
      received: transaction.received,
      transactionId: transaction.id,
      dialogId: isInitial ? '' : this.dialogId,
      isInitial,
    });
  }

  /** Until it has a response, an INVITE follows the dialog that it is to replace. */
  get anchor(): Dialog | undefined {
    return this.dialog ?? this.replaced;
  }

  private get request(): SipRequest {
    return this.transaction.received.message;
  }

  respond(answer: ApplicationMessage, reply: Reply): void {
    const { transaction } = this;
    if (this.isDone || this.hasQueuedFinal || transaction.isFinal || transaction.isTerminated) {
      reply.refused(refusal.unknownTransaction);
      return;
    }
    const { status } = answer;
    const isReliable = status > 100 && status < 200 && asksForPrack(answer);
    if (isReliable && !listsOption(transaction.received, '100rel', ['Supported', 'Require'])) {
      reply.refused(refusal.noReliableSupport);
      return;
    }
    this.chooseTag(answer);
    if (answer.keep !== undefined) this.isKept = answer.keep;
    if (this.isInitial && status >= 200 && status < 300 && this.isNameTaken()) {
      this.finishWith(480, 'Temporarily Unavailable');
      reply.refused('dialog already exists, rejecting this request');
      return;
    }
    const isSuccess = status >= 200 && status < 300;
    const session = isSuccess ? incomingSession(this.environment, this.request, answer) : undefined;
    const rseq = isReliable ? this.reliables().nextSequence() : undefined;
    const response = this.complete(answer, rseq, session);
    if (this.reliable?.isWaiting && (isReliable || isSuccess)) {
      this.hasQueuedFinal = isSuccess;
      this.reliable.enqueue(() => {
        this.hasQueuedFinal = false;
        this.send(response, rseq, session);
      });
    } else if (!this.send(response, rseq, session)) {
      reply.refused(refusal.transportClosed);
      return;
    }
    const flow = responseFlowOf(transaction.received);
    reply.responseSent({
      message: response,
      isPending: false,
      protocol: flow.protocol,
      address: flow.remoteAddress,
      port: flow.remotePort,
      transactionId: transaction.id,
      dialogId: this.dialogId,
    });
  }

  /** RFC 3262 §3: true when the PRACK belongs to this INVITE; the application then answers it. */
  acknowledgeProvisional(prack: SipRequest): boolean {
    return this.reliable?.matches(prack, this.sequence) ?? false;
  }

  /** Responses that waited for the PRACK may be sent. */
  provisionalAcknowledged(): void {
    this.reliable?.acknowledged();
  }

  cancelled(cancel: Received<SipRequest>): void {
    if (this.isDone) return;
    const dialogId = this.transaction.lastResponse === undefined ? '' : this.dialogId;
    const { hasQueuedFinal, dialog } = this;
    this.finishWith(487, 'Request Terminated');
    if (!this.isInitial) return;
    const { headers } = cancel.message;
    // The application would take a cause of the caller's for ours (`tellCancelled`).
    if (headers.lines('Reason').some((reason) => engineReasonIn(reason) !== undefined))
      headers.remove('Reason');
    this.application.request({
      received: cancel,
      transactionId: this.transaction.id,
      dialogId,
      isInitial: false,
    });
    if (hasQueuedFinal && dialog !== undefined) this.withdraw(dialog, 'cancelled_before_success');
  }

  /** The caller has sent BYE within the early dialog (RFC 3261 §15.1.2), or the dialog ended otherwise. */
  dialogEnded(): void {
    if (this.isDone) return;
    this.finishWith(487, 'Request Terminated');
  }

  /** As `cancelled`, for a caller that sent BYE before our final response. */
  ended(): void {
    if (this.isDone) return;
    this.finishWith(487, 'Request Terminated');
    this.tellCancelled('bye_before_answer', 487);
  }

  terminated(why: 'flow-closed' | 'no-ack' | 'done'): void {
    if (this.isDone || why === 'no-ack') return;
    this.done();
    this.dropEarlyDialog();
    if (this.isInitial) this.tellCancelled('connection_lost', 487);
  }

  abandoned(another?: () => Application | undefined): void {
    if (this.isDone) return;
    const successor = this.follower ?? (this.canBeginAgain ? another?.() : undefined);
    if (successor === undefined || successor === this.application) {
      this.finishWith(503, 'Application Gone', unavailable(this.environment, 'application_gone'));
      return;
    }
    this.isPassedOn = true;
    this.application = successor;
    if (this.isInitial && this.dialog !== undefined) this.dialog.application = successor;
    this.deliver();
  }

  /** Who has the dialog that the INVITE belongs to, or is to replace, in place of the lost application. */
  private get follower(): Application | undefined {
    const isUntouched = !this.isInitial || this.transaction.lastResponse === undefined;
    // Reliable provisional responses of the lost application cannot be continued by another one.
    if (!isUntouched || this.reliable !== undefined) return undefined;
    const application = this.anchor?.application;
    return application === this.application ? undefined : application;
  }

  /**
   * The caller has no session description yet, which all later ones would have to equal (RFC 3261 §13.2.1): for it, the call rings
   * for a moment longer. Only once, because the INVITE may be what ended the application.
   */
  private get canBeginAgain(): boolean {
    const isNew = this.isInitial && this.replaced === undefined && !this.isPassedOn && !this.isBegunOnce;
    return isNew && this.reliable === undefined && this.dialog?.localSdp === undefined;
  }

  /** The application has begun for it what must not be begun twice, such as a call to a person: no other one gets it. */
  beginOnce(): void {
    this.isBegunOnce = true;
  }

  unheard(): void {
    const { application, transaction, environment } = this;
    if (!this.isInitial || this.isDone || transaction.lastResponse !== undefined || this.isBegunOnce) return;
    const successor = environment.applications.choose('invite');
    if (successor === undefined || successor === application || successor.isSilent) return;
    // Read behind the INVITE, when the application works again.
    this.tellCancelled('given_away', 503);
    this.application = successor;
    this.deliver();
  }

  private complete(
    answer: ApplicationMessage,
    rseq: number | undefined,
    session: Session | undefined,
  ): SipResponse {
    const { status } = answer;
    const additional = rseq === undefined ? session?.headers : ([['RSeq', String(rseq)]] as const);
    return completeResponse(this.request, this.transaction.received.flow.listener, answer, {
      toTag: status > 100 ? this.transaction.toTag : undefined,
      needsContact:
        status > 100 && (!this.isInitial || rseq !== undefined || (status >= 200 && status < 300)),
      contact: this.dialog?.localContact,
      ...(additional === undefined ? {} : { additional }),
    });
  }

  /** False when there is no connection left to send it on. */
  private send(response: SipResponse, rseq: number | undefined, session: Session | undefined): boolean {
    const { status } = response;
    try {
      this.transaction.respond(response);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.done();
      this.dropEarlyDialog();
      return false;
    }
    if (status === 100) return true;
    if (status >= 300) {
      if (status === 401 || status === 407) this.noteChallenge();
      this.done();
      this.dropEarlyDialog();
      return true;
    }
    const dialog = this.formDialog(response);
    dialog.localSdp = sessionDescriptionIn(response.body) ?? dialog.localSdp;
    if (status >= 200) this.succeeded(dialog, session);
    else {
      this.timer.cancel();
      this.timer = this.environment.clock.after(this.environment.settings.ringingTimeout, () =>
        this.timedOut(),
      );
      if (rseq !== undefined) this.reliables().sent(rseq, () => this.repeat(response));
    }
    return true;
  }

  private noteChallenge(): void {
    if (!this.isInitial) return;
    this.environment.challengers.note(this.request.headers.get('Call-ID') ?? '', this.application);
  }

  private repeat(response: SipResponse): void {
    if (!this.isDone) answerQuietly(this.transaction, response);
  }

  private succeeded(dialog: Dialog, session: Session | undefined): void {
    const { environment, transaction } = this;
    this.done();
    if (!this.isInitial) dialog.refreshTarget(this.request.headers, transaction.received.flow);
    dialog.isConfirmed = true;
    dialog.isKept = this.isKept ?? dialog.isKept;
    const supervision = new SuccessSupervision(
      environment.clock,
      environment.timers,
      () => transaction.retransmit2xx(),
      () => {
        dialog.awaitedAck = undefined;
        endDialog(environment, dialog, 'ack_timeout');
      },
    );
    dialog.awaitedAck?.stop();
    dialog.awaitedAck = {
      sequence: this.sequence,
      transactionId: this.isInitial ? transaction.id : environment.identifiers.transactionId(),
      stop: () => supervision.stop(),
    };
    armSession(environment, dialog, session);
  }

  private formDialog(response: SipResponse): Dialog {
    if (this.dialog !== undefined) {
      const contact = response.headers.get('Contact');
      if (contact !== undefined) this.dialog.localContact = contact;
      return this.dialog;
    }
    const { flow } = this.transaction.received;
    const dialog = Dialog.forServer(this.request, flow, this.application, {
      tag: this.transaction.toTag,
      contact: response.headers.get('Contact') ?? defaultContact(flow.listener),
    });
    dialog.peerInvite = this;
    this.dialog = dialog;
    this.environment.dialogs.add(dialog);
    return dialog;
  }

  /** The application's tag, when it chooses one for its first response (wire protocol §6.7). */
  private chooseTag(answer: ApplicationMessage): void {
    if (!this.isInitial || answer.to === undefined || this.transaction.lastResponse !== undefined) return;
    const tag = tagOf(answer.to);
    if (tag !== undefined) this.transaction.toTag = tag;
  }

  private isNameTaken(): boolean {
    const dialog = this.environment.dialogs.named(this.dialogId);
    return dialog !== undefined && dialog !== this.dialog && dialog.isConfirmed;
  }

  private reliables(): ReliableProvisionals {
    const { clock, timers, identifiers } = this.environment;
    this.reliable ??= new ReliableProvisionals(
      clock,
      timers,
      1 + Math.floor(identifiers.fraction() * 65_536),
      () => this.prackMissing(),
    );
    return this.reliable;
  }

  /** RFC 3262 §3: "the UAS SHOULD reject the original request with a 5xx response". */
  private prackMissing(): void {
    const { hasQueuedFinal, dialog } = this;
    this.finishWith(504, 'PRACK Timeout');
    if (hasQueuedFinal && dialog !== undefined) this.withdraw(dialog, 'prack_timeout');
    else if (this.isInitial) this.tellCancelled('prack_timeout', 504);
  }

  private timedOut(): void {
    const wasRinging = this.transaction.lastResponse !== undefined;
    this.finishWith(wasRinging ? 480 : 408, wasRinging ? 'No Answer' : 'Application Timeout');
    if (this.isInitial) this.tellCancelled('application_timeout', 408);
  }

  /** The application was promised a 200 that is never sent: for it, the dialog ends here. */
  private withdraw(dialog: Dialog, reason: EngineReason): void {
    if (!dialog.application.isOpen) return;
    const bye = dialog.newPlainRequest('BYE', [['Reason', engineReasonHeader(reason)]]);
    dialog.application.unsolicited(bye, dialog.flow, dialog.id);
  }

  /** The engine ended the INVITE itself, which reaches the application as a CANCEL. */
  private tellCancelled(reason: EngineReason, cause: number): void {
    if (!this.application.isOpen) return;
    const { received } = this.transaction;
    const headers = Headers.from(
      ['Via', 'From', 'To', 'Call-ID'].flatMap((name) =>
        this.request.headers.lines(name).map((value): [string, string] => [name, value]),
      ),
    );
    headers.add('CSeq', `${this.sequence} CANCEL`).add('Reason', engineReasonHeader(reason, cause));
    this.application.request({
      received: { ...received, message: newRequest('CANCEL', this.request.uri, headers), size: 0 },
      transactionId: this.transaction.id,
      dialogId: this.transaction.lastResponse === undefined ? '' : this.dialogId,
      isInitial: false,
    });
  }

  private finishWith(
    status: number,
    reason: string,
    headers: readonly (readonly [string, string])[] = [],
  ): void {
    const { transaction } = this;
    this.done();
    if (!transaction.isFinal && !transaction.isTerminated)
      answerQuietly(
        transaction,
        respondTo(this.request, status, { reason, toTag: transaction.toTag, headers }),
      );
    this.dropEarlyDialog();
  }

  private dropEarlyDialog(): void {
    if (this.isInitial && this.dialog !== undefined) removeDialog(this.environment, this.dialog);
  }

  private done(): void {
    this.isDone = true;
    this.timer.cancel();
    this.reliable?.stop();
    this.environment.pending.delete(this.transaction.id);
    this.environment.dialogs.forgetInvite(this.dialogId, this);
    if (this.dialog?.peerInvite === this) this.dialog.peerInvite = undefined;
  }
}

function asksForPrack(answer: ApplicationMessage): boolean {
  return answer.known.some(([name, value]) => name === 'Require' && value.toLowerCase().includes('100rel'));
}
