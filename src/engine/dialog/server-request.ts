import { tagOf } from '../../sip/address.js';
import { type EngineReason, engineReasonHeader } from '../../sip/engine-reason.js';
import type { SipRequest } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import type { Timer } from '../clock.js';
import type { ServerTransaction } from '../transaction/transaction.js';
import { type Received, responseFlowOf, TransportError } from '../transport/flow.js';
import { type Application, type ApplicationMessage, type Reply, refusal } from './application.js';
import { sessionDescriptionIn } from './compose.js';
import { Dialog, dialogIdOf } from './dialog.js';
import { removeDialog } from './dialog-end.js';
import type { Environment } from './environment.js';
import { defaultContact } from './local-contact.js';
import type { PendingRequest } from './pending-request.js';
import { completeResponse } from './response-builder.js';
import { armSession, incomingSession } from './session-timer.js';
import { armSubscription } from './subscription.js';

/** Responses to these carry a Contact; other methods get none (wire protocol §6.7). */
const contactInSuccess: ReadonlySet<string> = new Set(['SUBSCRIBE', 'REFER', 'UPDATE', 'NOTIFY']);

/** A request other than INVITE from the network, waiting for its application. It gets a final response in any case. */
export class ServerRequest implements PendingRequest {
  private readonly timer: Timer;
  private isDone = false;

  constructor(
    private readonly environment: Environment,
    private readonly transaction: ServerTransaction,
    public application: Application,
    readonly dialog: Dialog | undefined,
  ) {
    environment.pending.set(transaction.id, this);
    this.timer = environment.clock.after(environment.settings.applicationTimeout, () =>
      this.refuse(500, 'Application Timeout'),
    );
    if (dialog !== undefined && this.method === 'UPDATE') dialog.hasOpenUpdate = true;
    this.deliver();
  }

  get anchor(): Dialog | undefined {
    return this.dialog;
  }

  private deliver(): void {
    const { application, transaction, dialog } = this;
    application.request({
      received: transaction.received,
      transactionId: transaction.id,
      dialogId: dialog?.id ?? '',
      isInitial: dialog === undefined,
    });
  }

  private get method(): string {
    return this.transaction.received.message.method;
  }

  respond(answer: ApplicationMessage, reply: Reply): void {
    const { transaction, dialog, environment } = this;
    if (this.isDone || transaction.isFinal || transaction.isTerminated) {
      reply.refused(refusal.unknownTransaction);
      return;
    }
    const { message } = transaction.received;
    const flow = responseFlowOf(transaction.received);
    if (answer.to !== undefined && transaction.lastResponse === undefined) {
      transaction.toTag = tagOf(answer.to) ?? transaction.toTag;
    }
    const isSuccess = answer.status >= 200 && answer.status < 300;
    const session = dialog && isSuccess ? incomingSession(environment, message, answer) : undefined;
    const response = completeResponse(message, flow.listener, answer, {
      toTag: answer.status > 100 ? transaction.toTag : undefined,
      needsContact: isSuccess && contactInSuccess.has(this.method),
      contact: dialog?.localContact,
      ...(session === undefined ? {} : { additional: session.headers }),
    });
    try {
      transaction.respond(response);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.done();
      reply.refused(refusal.transportClosed);
      return;
    }
    if (answer.status >= 200) this.done();
    reply.responseSent({
      message: response,
      isPending: false,
      protocol: flow.protocol,
      address: flow.remoteAddress,
      port: flow.remotePort,
      transactionId: transaction.id,
      dialogId: this.replyDialogId(message, isSuccess),
    });
    if (isSuccess) this.succeeded(message, response.headers.get('Contact'), answer);
    if (dialog !== undefined) armSession(environment, dialog, session);
  }

  cancelled(): void {}

  terminated(): void {
    this.done();
  }

  abandoned(): void {
    const successor = this.dialog?.application ?? this.application;
    if (successor !== this.application) {
      this.application = successor;
      this.deliver();
      return;
    }
    // A BYE needs no consent.
    if (this.method === 'BYE') this.refuse(200, 'OK');
    else this.refuse(503, 'Application Gone');
  }

  /** The engine's own answer, when the application has none. */
  private refuse(status: number, reason: string): void {
    const { transaction } = this;
    this.done();
    if (transaction.isFinal || transaction.isTerminated) return;
    const { message } = transaction.received;
    const headers: [string, string][] =
      status === 503 ? unavailable(this.environment, 'application_gone') : [];
    answerQuietly(transaction, respondTo(message, status, { reason, toTag: transaction.toTag, headers }));
    this.notified(message);
  }

  /** The application may have acted on it already, as on a MESSAGE. */
  unheard(): void {}

  private replyDialogId(request: SipRequest, isSuccess: boolean): string {
    if (this.dialog !== undefined) return this.dialog.isEnded ? '' : this.dialog.id;
    if (request.method !== 'SUBSCRIBE' || !isSuccess) return '';
    return dialogIdOf(request.headers.get('Call-ID') ?? '', tagOf(request.headers.get('From') ?? '') ?? '');
  }

  /** Applies an accepted request: target, registered flows, a new subscription. */
  private succeeded(request: SipRequest, contact: string | undefined, answer: ApplicationMessage): void {
    const { environment, transaction, dialog } = this;
    const { flow } = transaction.received;
    const { method } = request;
    if (method === 'UPDATE' && dialog !== undefined) {
      dialog.refreshTarget(request.headers, flow);
      dialog.localSdp = sessionDescriptionIn(answer.body) ?? dialog.localSdp;
    }
    if (method === 'REGISTER' || method === 'SUBSCRIBE') {
      const response = transaction.lastResponse;
      if (response !== undefined) environment.registeredFlows.accepted(request, response, flow);
    }
    if (dialog === undefined && (method === 'SUBSCRIBE' || method === 'REFER')) {
      const formed = Dialog.forServer(request, flow, this.application, {
        tag: transaction.toTag,
        contact: contact ?? defaultContact(flow.listener),
      });
      formed.isConfirmed = true;
      environment.dialogs.add(formed);
      armSubscription(environment, formed, request, transaction.lastResponse);
    } else if (dialog?.usage === 'subscription' && method === 'SUBSCRIBE') {
      dialog.refreshTarget(request.headers, flow);
      armSubscription(environment, dialog, request, transaction.lastResponse);
    }
    this.notified(request);
  }

  /** A subscription ends with the terminating NOTIFY (RFC 6665 §4.4.1). */
  private notified(request: SipRequest): void {
    if (this.method !== 'NOTIFY' || this.dialog?.usage !== 'subscription') return;
    if (request.headers.get('Subscription-State')?.toLowerCase().startsWith('terminated'))
      removeDialog(this.environment, this.dialog);
  }

  private done(): void {
    this.isDone = true;
    this.timer.cancel();
    this.environment.pending.delete(this.transaction.id);
    if (this.dialog !== undefined && this.method === 'UPDATE') this.dialog.hasOpenUpdate = false;
  }
}

/** Answers if the request still waits for an answer. */
export function answerQuietly(
  transaction: ServerTransaction,
  response: Parameters<ServerTransaction['respond']>[0],
): void {
  try {
    transaction.respond(response);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
}

/** RFC 3261 §14.2: "a Retry-After header field with a randomly chosen value of between 0 and 10 seconds". */
export const retrySoon = ({ identifiers }: Environment): [string, string] => [
  'Retry-After',
  String(Math.floor(identifiers.fraction() * 11)),
];

/** Headers of a 503 of the engine's own: when to come again, and why. */
export const unavailable = ({ settings }: Environment, reason: EngineReason): [string, string][] => [
  ['Retry-After', String(settings.retryAfter)],
  ['Reason', engineReasonHeader(reason, 503)],
];

/** True when the request lists the option tag in any of the headers. */
export function listsOption(request: Received<SipRequest>, tag: string, names: readonly string[]): boolean {
  const { headers } = request.message;
  return names.some(
    (name) => headers.has(name) && headers.list(name).some((value) => value.toLowerCase() === tag),
  );
}
