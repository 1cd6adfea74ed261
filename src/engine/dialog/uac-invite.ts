import { tagOf } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import type { EngineReason } from '../../sip/engine-reason.js';
import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import type { FinalResponse } from '../transaction/transaction.js';
import type { Flow, Received } from '../transport/flow.js';
import type { Trust } from '../transport/trust.js';
import { acknowledge, acknowledgeUnattended, repeatAck } from './acknowledgement.js';
import { type Application, type ApplicationMessage, type Reply, refusal } from './application.js';
import { ClientRequest } from './client-request.js';
import { sessionDescriptionIn } from './compose.js';
import type { Destination } from './destination.js';
import { contactUri, Dialog, type OpenInvite } from './dialog.js';
import { endDialog, removeDialog } from './dialog-end.js';
import { type Environment, patience } from './environment.js';
import { armSession, outgoingSession } from './session-timer.js';

const credentialNames = ['Authorization', 'Proxy-Authorization'] as const;

/** Forks of one INVITE that are kept apart: no proxy asks that many phones, and each one costs a dialog. */
const maximumForks = 64;

/**
 * An INVITE of an application, first or within a dialog: provisional responses and early dialogs, reliable ones passed on
 * once, the 2xx that waits for the application's ACK, forks, CANCEL (RFC 3261 §13.2, §14.1, §9.1; RFC 3262 §4).
 */
export class UacInvite extends ClientRequest implements OpenInvite {
  readonly role = 'uac';
  private sequence = 0;
  private trust: Trust | undefined;
  private isCancelled = false;
  /** The application gets no more messages of it; the engine acknowledges and ends a 2xx. */
  private isOrphan = false;
  /** The dialog of this re-INVITE outlives the application that sent it. */
  private isUnattended = false;
  /** The application's mark for the dialog. */
  isKept = false;
  /** By remote tag. */
  private readonly earlyDialogs = new Map<string, Dialog>();
  private readonly answeredDialogs = new Map<string, Dialog>();

  constructor(
    environment: Environment,
    application: Application,
    dialogId: string,
    /** For a re-INVITE. */
    private readonly existing?: Dialog,
  ) {
    super(environment, application, dialogId);
  }

  override launch(request: SipRequest, destination: Destination, reply: Reply): void {
    this.trust = destination.trust;
    this.sequence = parseCSeq(request.headers.get('CSeq') ?? '')?.number ?? 0;
    if (this.existing === undefined) this.environment.dialogs.expectDialog(this.dialogId, this);
    else {
      this.existing.ownInvite = this;
      this.existing.lastReliable = undefined;
    }
    super.launch(request, destination, reply);
  }

  /** It was sent by an engine process that is gone, and is to be cancelled: only a 2xx still needs handling. */
  takeUp(request: SipRequest): void {
    this.request = request;
    this.sequence = parseCSeq(request.headers.get('CSeq') ?? '')?.number ?? 0;
    this.isOrphan = true;
    this.isDone = true;
    this.awaitLateSuccess();
  }

  override cancel(message: ApplicationMessage, reply: Reply): void {
    if (this.isDone) {
      reply.refused(refusal.unknownCancel(this.transactionId));
      return;
    }
    this.isCancelled = true;
    const extra = [...message.known, ...message.unknown];
    const { transaction } = this;
    const sent = transaction?.cancel(extra);
    const transactionId = this.environment.identifiers.transactionId();
    if (sent !== undefined) {
      reply.requestSent({
        ...this.sent(sent.request, transaction?.flow, undefined),
        transactionId,
        dialogId: '',
      });
      return;
    }
    const expected = cancelFor(transaction?.request ?? this.request!, extra);
    reply.requestSent({ ...this.unsent(expected), transactionId, dialogId: '' });
    // Nothing has been sent yet, so there is nothing to wait for.
    if (transaction === undefined) this.fabricate(487, 'Request Terminated');
  }

  override abandoned(): void {
    if (this.isOrphan) return;
    if (this.existing !== undefined && this.existing.application !== this.application) {
      this.isUnattended = true;
      return;
    }
    this.isOrphan = true;
    if (this.existing === undefined && !this.isDone) this.cancelQuietly();
  }

  /** A BYE of either side ends the dialog while the re-INVITE is open: the application gets its final response now. */
  dialogEnded(): void {
    this.close();
    if (this.isDone) return;
    this.cancelQuietly();
    this.fabricate(487, 'Request Terminated');
  }

  override further2xx(response: Received<SipResponse>): void {
    const tag = tagOf(response.message.headers.get('To') ?? '') ?? '';
    const request = this.transaction?.request ?? this.request!;
    const dialog = this.existing ?? this.answeredDialogs.get(tag);
    if (dialog === undefined) this.endFork(request, response.message, response.flow, 'answered_elsewhere');
    else if (dialog.unacknowledged === undefined) repeatAck(dialog, this.sequence);
  }

  /** Not within a dialog: there the peer is known to be up. */
  trying(response: Received<SipResponse>): void {
    if (this.isDone || this.isOrphan || this.existing !== undefined || !this.application.wantsTrying) return;
    this.deliver(response.message, response, this.dialogId);
  }

  protected override onProvisional(response: Received<SipResponse>): void {
    if (this.isDone || this.isOrphan) return;
    const { message, flow } = response;
    const tag = tagOf(message.headers.get('To') ?? '');
    const isOneTooMany =
      tag !== undefined && this.earlyDialogs.size >= maximumForks && !this.earlyDialogs.has(tag);
    if (isOneTooMany && this.existing === undefined) return;
    const dialog = this.existing ?? (tag === undefined ? undefined : this.earlyDialog(message, tag, flow));
    if (dialog !== undefined && !acceptReliable(dialog, message)) return;
    this.deliver(message, response, this.dialogId);
  }

  protected override onFinal(final: FinalResponse): void {
    const { response, received } = final;
    this.close();
    this.environment.dialogs.forgetInvite(this.dialogId, this);
    if (response.status < 300 && received !== undefined) {
      this.succeeded(response, received);
      return;
    }
    this.dropEarlyDialogs();
    if (mayStillBeAnswered(final) && this.existing === undefined) this.awaitLateSuccess();
    if (!this.isOrphan) this.deliver(response, received, this.dialogId, final.error);
  }

  /** The application already has a final response: only a 2xx still needs handling. */
  override final(final: FinalResponse): void {
    if (!this.isDone) super.final(final);
    else if (final.response.status < 300 && final.received !== undefined) this.lateSuccess(final.received);
  }

  private succeeded(response: SipResponse, received: Received<SipResponse>): void {
    const { environment } = this;
    const request = this.transaction?.request ?? this.request!;
    const dialog = this.existing ?? this.confirm(request, response, received.flow);
    if (this.existing !== undefined) dialog.refreshTarget(response.headers, received.flow);
    dialog.localSdp = sessionDescriptionIn(request.body) ?? dialog.localSdp;
    const hasContact = contactUri(response.headers) !== undefined;
    const isCancelled = this.isCancelled && this.existing === undefined;
    this.expectAck(dialog, request, () => {
      if (isCancelled) endDialog(environment, dialog, 'cancel_crossed');
      // Requests cannot be sent within a dialog without a target; the application's library gives up as well.
      else if (!hasContact && this.existing === undefined) endDialog(environment, dialog, 'missing_contact');
    });
    if (!this.isUnattended && (this.isOrphan || !this.application.isOpen)) {
      endDialog(environment, dialog, 'application_gone', false);
      return;
    }
    armSession(environment, dialog, outgoingSession(environment, response));
    if (this.isUnattended) {
      acknowledgeUnattended(environment, dialog);
      return;
    }
    this.deliver(response, received, this.dialogId);
  }

  private expectAck(dialog: Dialog, request: SipRequest, acknowledged: () => void): void {
    const { environment } = this;
    const credentials = credentialNames.flatMap((name) =>
      request.headers.lines(name).map((value) => [name, value] as const),
    );
    dialog.unacknowledged?.timer.cancel();
    dialog.unacknowledged = {
      sequence: this.sequence,
      isInitial: this.existing === undefined,
      owesAnswer: request.body === '',
      credentials,
      acknowledged,
      timer: environment.clock.after(patience(environment.timers), () =>
        endDialog(environment, dialog, 'ack_timeout'),
      ),
    };
  }

  /** The dialog of the first 2xx; the other early dialogs are left to their own 2xx (§13.2.2.4). */
  private confirm(request: SipRequest, response: SipResponse, flow: Flow): Dialog {
    const { environment } = this;
    const tag = tagOf(response.headers.get('To') ?? '') ?? '';
    const early = this.earlyDialogs.get(tag);
    this.earlyDialogs.delete(tag);
    this.dropEarlyDialogs();
    // A callee must not end an early dialog by BYE (§15); if it has, its 2xx forms another one.
    const dialog = early?.isEnded === false ? early : this.newDialog(request, response, flow);
    if (dialog === early) {
      dialog.adoptRoutes(response);
      dialog.refreshTarget(response.headers, flow);
    }
    dialog.isConfirmed = true;
    environment.dialogs.add(dialog);
    this.answeredDialogs.set(tag, dialog);
    return dialog;
  }

  private earlyDialog(response: SipResponse, tag: string, flow: Flow): Dialog {
    const earlyDialog = this.earlyDialogs.get(tag);
    if (earlyDialog?.isEnded === false) {
      earlyDialog.refreshTarget(response.headers, flow);
      if (earlyDialog.routeSet.length === 0) earlyDialog.adoptRoutes(response);
      return earlyDialog;
    }
    const request = this.transaction?.request ?? this.request!;
    const dialog = this.newDialog(request, response, flow);
    dialog.localSdp = sessionDescriptionIn(request.body);
    this.earlyDialogs.set(tag, dialog);
    this.environment.dialogs.add(dialog);
    return dialog;
  }

  private newDialog(request: SipRequest, response: SipResponse, flow: Flow): Dialog {
    const dialog = Dialog.forClient(request, response, flow, this.application);
    dialog.trust = this.trust;
    dialog.isKept = this.isKept;
    return dialog;
  }

  private dropEarlyDialogs(): void {
    for (const dialog of this.earlyDialogs.values()) removeDialog(this.environment, dialog);
    this.earlyDialogs.clear();
  }

  /** §13.2.2.4: a further 2xx from another fork is acknowledged by its own dialog, which we then end. */
  private endFork(request: SipRequest, response: SipResponse, flow: Flow, reason: EngineReason): void {
    if (this.answeredDialogs.size > maximumForks) return;
    const fork = this.newDialog(request, response, flow);
    fork.isConfirmed = true;
    this.expectAck(fork, request, () => undefined);
    endDialog(this.environment, fork, reason, false);
    this.answeredDialogs.set(fork.remoteTag, fork);
  }

  /** The 2xx came after the application was notified that the INVITE had ended. */
  lateSuccess(received: Received<SipResponse>): void {
    const tag = tagOf(received.message.headers.get('To') ?? '') ?? '';
    const dialog = this.answeredDialogs.get(tag);
    if (dialog !== undefined) {
      repeatAck(dialog, this.sequence);
      return;
    }
    const request = this.transaction?.request ?? this.request!;
    if (this.existing === undefined)
      this.endFork(request, received.message, received.flow, 'answered_too_late');
    else {
      this.expectAck(this.existing, request, () => undefined);
      acknowledge(this.environment, this.existing);
    }
  }

  /** The peer may still answer an abandoned INVITE, and then waits for our ACK and BYE. */
  private awaitLateSuccess(): void {
    const { environment } = this;
    const { headers } = this.transaction?.request ?? this.request!;
    const key = givenUpKey(headers.get('Call-ID'), headers.get('From'));
    environment.givenUp.set(key, this);
    environment.clock.after(patience(environment.timers), () => {
      if (environment.givenUp.get(key) === this) environment.givenUp.delete(key);
    });
  }

  private cancelQuietly(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    const { transaction } = this;
    if (transaction === undefined) {
      if (this.isOrphan) this.fabricate(487, 'Request Terminated');
    } else transaction.cancel([]);
  }

  private close(): void {
    if (this.existing?.ownInvite === this) this.existing.ownInvite = undefined;
  }
}

/** True for final responses generated because the peer was silent, not because it was unreachable. */
const mayStillBeAnswered = ({ fabricated }: FinalResponse): boolean =>
  fabricated === 'timeout' || fabricated === 'cancelled' || fabricated === 'timer-c';

/** Finds an INVITE by what every response to it repeats. */
export const givenUpKey = (callId: string | undefined, from: string | undefined): string =>
  `${callId ?? ''}\n${tagOf(from ?? '') ?? ''}`;

/** RFC 3262 §4: a reliable provisional response is passed on once and in order. */
function acceptReliable(dialog: Dialog, response: SipResponse): boolean {
  const value = response.headers.get('RSeq');
  if (value === undefined) return true;
  const rseq = Number.parseInt(value, 10);
  if (Number.isNaN(rseq)) return true;
  if (dialog.lastReliable !== undefined && rseq !== dialog.lastReliable + 1) return false;
  dialog.lastReliable = rseq;
  return true;
}

/** The CANCEL that will go out when the first provisional response has come (§9.1). */
function cancelFor(invite: SipRequest, extra: readonly (readonly [string, string])[]): SipRequest {
  const headers = new Headers();
  const via = invite.headers.get('Via');
  if (via !== undefined) headers.add('Via', via);
  for (const route of invite.headers.lines('Route')) headers.add('Route', route);
  headers.add('Max-Forwards', '70');
  for (const name of ['From', 'To', 'Call-ID']) headers.add(name, invite.headers.get(name) ?? '');
  headers.add('CSeq', `${Number.parseInt(invite.headers.get('CSeq') ?? '0', 10)} CANCEL`);
  for (const [name, value] of extra) headers.add(name, value);
  return newRequest('CANCEL', invite.uri, headers);
}
