import { tagOf } from '../../sip/address.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { FinalResponse } from '../transaction/transaction.js';
import { acknowledge, dialogDestination } from './acknowledgement.js';
import { type ApplicationMessage, type Reply, refusal } from './application.js';
import { ClientRequest } from './client-request.js';
import { contentTypeOf, sessionDescriptionIn } from './compose.js';
import type { Destination } from './destination.js';
import type { Dialog } from './dialog.js';
import { removeDialog } from './dialog-end.js';
import { type Environment, patience } from './environment.js';
import { advertisedHostPort } from './local-contact.js';
import { armSession, outgoingSession } from './session-timer.js';
import { armSubscription } from './subscription.js';
import { UacInvite } from './uac-invite.js';

/** A request of an application within a dialog (RFC 3261 §12.2.1, wire protocol §6.3 to §6.5). */
export function sendInDialog(
  environment: Environment,
  dialog: Dialog,
  message: ApplicationMessage,
  reply: Reply,
): void {
  const { method } = message;
  if (method === 'ACK') {
    sendAck(environment, dialog, message, reply);
    return;
  }
  if (method === 'CANCEL') {
    reply.refused(refusal.unknownCancel(''));
    return;
  }
  if (method === 'PRACK' && dialog.lastReliable === undefined) {
    reply.refused(refusal.noReliableProvisional);
    return;
  }
  const contentType = contentTypeOf(message);
  if (contentType === 'missing') {
    reply.refused(refusal.missingContentType);
    return;
  }
  const destination = dialogDestination(environment, dialog);
  if (destination === undefined) {
    reply.refused(refusal.noTransport);
    return;
  }
  // RFC 3261 §15.1.1 with wire protocol §6.3: BYE ends our pending re-INVITE, whose final response precedes that of the BYE.
  if (message.keep !== undefined) dialog.isKept = message.keep;
  if (method === 'BYE') {
    dialog.isEnding = true;
    dialog.ownInvite?.dialogEnded();
    acknowledge(environment, dialog);
  }
  const hostPort = advertisedHostPort(destination.listener);
  const request = dialog.newRequest(method, message, hostPort, contentType);
  if (method === 'INVITE') sendInvite(environment, dialog, request, destination, reply);
  else new InDialogRequest(environment, dialog).launch(request, destination, reply);
}

function sendInvite(
  environment: Environment,
  dialog: Dialog,
  request: SipRequest,
  destination: Destination,
  reply: Reply,
): void {
  // RFC 3261 §14.1: "a UAC MUST NOT initiate a new INVITE transaction within a dialog while another is in progress".
  const isBusy = dialog.ownInvite !== undefined || dialog.peerInvite !== undefined || !dialog.isConfirmed;
  if (isBusy)
    new RefusedInvite(environment, dialog.application, dialog.id).refuse(request, destination, reply);
  else new UacInvite(environment, dialog.application, dialog.id, dialog).launch(request, destination, reply);
}

function sendAck(environment: Environment, dialog: Dialog, message: ApplicationMessage, reply: Reply): void {
  const done = acknowledge(environment, dialog, message);
  if (done === undefined) {
    reply.refused(refusal.acknowledgedAlready);
    return;
  }
  const flow = done.sent?.flow;
  const isDatagram = flow?.protocol === 'udp';
  reply.requestSent({
    message: done.request,
    isPending: flow === undefined,
    protocol: flow?.protocol ?? 'unknown',
    address: (isDatagram ? flow?.localAddress : flow?.remoteAddress) ?? '',
    port: (isDatagram ? flow?.localPort : flow?.remotePort) ?? 0,
    transactionId: environment.identifiers.transactionId(),
    dialogId: dialog.id,
  });
  done.acknowledged();
}

/** Any request within a dialog but INVITE and ACK. */
class InDialogRequest extends ClientRequest {
  constructor(
    environment: Environment,
    private readonly dialog: Dialog,
  ) {
    super(environment, dialog.application, dialog.id);
  }

  override launch(request: SipRequest, destination: Destination, reply: Reply): void {
    if (request.method === 'UPDATE' && request.body !== '') this.dialog.hasOpenOffer = true;
    super.launch(request, destination, reply);
  }

  protected override onFinal({ response, received }: FinalResponse): void {
    const request = this.transaction?.request ?? this.request!;
    const { dialog, environment } = this;
    if (request.method === 'UPDATE') dialog.hasOpenOffer = false;
    const isSuccess = response.status < 300;
    const isChallenge = response.status === 401 || response.status === 407;
    if (isSuccess && received !== undefined && !dialog.isEnded) this.succeeded(request, response);
    if (request.method === 'BYE') this.afterBye(isChallenge);
    if (endsSubscription(dialog, request) && !isChallenge) removeDialog(environment, dialog);
    this.deliver(response, received, this.dialogId);
  }

  /** A challenged BYE is expected again with credentials; a dialog must not stay when the application has none. */
  private afterBye(isChallenge: boolean): void {
    const { dialog, environment } = this;
    const remove = (): void => removeDialog(environment, dialog);
    if (!isChallenge) remove();
    else if (!dialog.isEnded)
      dialog.timers.push(environment.clock.after(patience(environment.timers), remove));
  }

  private succeeded(request: SipRequest, response: SipResponse): void {
    const { dialog, environment } = this;
    if (request.method === 'UPDATE') {
      dialog.refreshTarget(response.headers, this.transaction?.flow ?? dialog.flow);
      dialog.localSdp = sessionDescriptionIn(request.body) ?? dialog.localSdp;
      armSession(environment, dialog, outgoingSession(environment, response));
    } else if (request.method === 'SUBSCRIBE' && dialog.usage === 'subscription') {
      armSubscription(environment, dialog, request, response);
    }
  }
}

/** A NOTIFY that we send to end the subscription (RFC 6665 §4.4.1). */
function endsSubscription(dialog: Dialog, request: SipRequest): boolean {
  return (
    request.method === 'NOTIFY' &&
    dialog.usage === 'subscription' &&
    (request.headers.get('Subscription-State') ?? '').toLowerCase().startsWith('terminated')
  );
}

/** A re-INVITE that may not be sent now: the application gets the 491 that the peer would have given (RFC 3261 §14.2). */
class RefusedInvite extends ClientRequest {
  refuse(request: SipRequest, destination: Destination, reply: Reply): void {
    this.request = request;
    reply.requestSent(this.sent(request, destination.flow, undefined));
    this.environment.clock.after(0, () => this.fabricate(491, 'Request Pending'));
    this.environment.outgoing.set(this.transactionId, this);
  }

  protected override onFinal({ response }: FinalResponse): void {
    this.deliver(response, undefined, this.dialogId);
  }
}

/** The dialog that a PRACK is meant for: of several early dialogs the one whose RSeq it repeats. */
export function prackedDialog(environment: Environment, named: Dialog, message: ApplicationMessage): Dialog {
  const rack = [...message.known, ...message.unknown].find(([name]) => name === 'RAck')?.[1];
  const rseq = Number.parseInt(rack ?? '', 10);
  if (Number.isNaN(rseq) || named.lastReliable === rseq) return named;
  const to = message.to === undefined ? undefined : tagOf(message.to);
  const awaiting = environment.dialogs
    .all()
    .filter((dialog) => dialog.id === named.id && dialog.lastReliable === rseq);
  return awaiting.find((dialog) => dialog.remoteTag === to) ?? awaiting[0] ?? named;
}
