import type { SipRequest, SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import type { ClientTransaction, ClientTransactionUser, FinalResponse } from '../transaction/transaction.js';
import { type Flow, isReliable, type Received, type Target, TransportError } from '../transport/flow.js';
import {
  type Application,
  type ApplicationMessage,
  type Reply,
  refusal,
  type SentMessage,
} from './application.js';
import { type Destination, isPending } from './destination.js';
import type { Environment } from './environment.js';
import type { OutgoingRequest } from './pending-request.js';
import { transportReason } from './transport-reason.js';

/**
 * A request of an application: sent, answered by exactly one reply, then by provisional and exactly one final response.
 * The reply goes to the application before any of these, also when the request fails at once (wire protocol §10.3).
 */
export abstract class ClientRequest implements ClientTransactionUser, OutgoingRequest {
  readonly transactionId: string;
  protected transaction: ClientTransaction | undefined;
  protected isDone = false;
  /** The request before it got its Via; as sent: `transaction.request`. */
  protected request: SipRequest | undefined;

  constructor(
    protected readonly environment: Environment,
    readonly application: Application,
    /** Empty outside dialogs. */
    readonly dialogId: string,
  ) {
    this.transactionId = environment.identifiers.transactionId();
  }

  /** Sends the request and replies to the application. */
  launch(request: SipRequest, destination: Destination, reply: Reply): void {
    this.request = request;
    this.environment.outgoing.set(this.transactionId, this);
    const { targets, flow } = destination;
    if (isPending(targets)) {
      reply.requestSent(this.unsent(request));
      targets.then(
        (resolved) => this.resolved(request, resolved),
        (error: unknown) => this.fail(request, error),
      );
      return;
    }
    const options = { targets, ...(flow === undefined ? {} : { flow }) };
    const transaction = this.environment.transactions.send(request, options, this);
    this.transaction = transaction;
    reply.requestSent(this.sent(transaction.request, transaction.flow ?? flow, targets[0]));
  }

  provisional(response: Received<SipResponse>): void {
    this.onProvisional(response);
  }

  final(final: FinalResponse): void {
    this.finish(final);
  }

  further2xx(_response: Received<SipResponse>): void {}

  cancel(_message: ApplicationMessage, reply: Reply): void {
    reply.refused(refusal.unknownCancel(this.transactionId));
  }

  abandoned(): void {}

  protected onProvisional(_response: Received<SipResponse>): void {}

  protected abstract onFinal(final: FinalResponse): void;

  /** Tells the application; the protocol's one final response. */
  protected deliver(
    response: SipResponse,
    received: Received<SipResponse> | undefined,
    dialogId: string,
    error?: TransportError,
  ): void {
    if (!this.application.isOpen) return;
    if (received === undefined && error !== undefined) {
      response.headers.add(
        'Reason',
        transportReason(error.certificateFailure ?? error.failure, error.message),
      );
    }
    this.application.response({ response, received, transactionId: this.transactionId, dialogId });
  }

  /** Ends the request for the application with a response of the engine; what comes later is for `onFinal` alone. */
  protected fabricate(status: number, reason?: string): void {
    const request = this.transaction?.request ?? this.request!;
    const response = respondTo(request, status, {
      toTag: this.environment.identifiers.tag(),
      ...(reason === undefined ? {} : { reason }),
    });
    this.finish({ response, fabricated: 'cancelled' });
  }

  protected finish(final: FinalResponse): void {
    if (this.isDone) return;
    this.isDone = true;
    this.environment.outgoing.delete(this.transactionId);
    this.onFinal(final);
  }

  protected sent(message: SipRequest, flow: Flow | undefined, target: Target | undefined): SentMessage {
    const protocol = flow?.protocol ?? target?.protocol ?? 'unknown';
    // wire protocol §5.1: the local address over UDP, the remote one over streams.
    const isLocal = flow !== undefined && !isReliable(flow.protocol);
    return {
      message,
      isPending: false,
      protocol,
      address: isLocal ? flow.localAddress : (flow?.remoteAddress ?? target?.address ?? ''),
      port: isLocal ? flow.localPort : (flow?.remotePort ?? target?.port ?? 0),
      transactionId: this.transactionId,
      dialogId: this.dialogId,
    };
  }

  protected unsent(message: SipRequest): SentMessage {
    return {
      message,
      isPending: true,
      protocol: 'unknown',
      address: '',
      port: 0,
      transactionId: this.transactionId,
      dialogId: this.dialogId,
    };
  }

  private resolved(request: SipRequest, targets: readonly Target[]): void {
    if (!this.isDone) this.transaction = this.environment.transactions.send(request, { targets }, this);
  }

  private fail(request: SipRequest, error: unknown): void {
    if (!(error instanceof TransportError)) throw error;
    const isDns = error.failure === 'dns';
    const response = respondTo(request, 503, {
      toTag: this.environment.identifiers.tag(),
      ...(isDns ? { reason: 'DNS Error' } : {}),
    });
    this.final({ response, fabricated: isDns ? 'dns' : 'transport', error });
  }
}
