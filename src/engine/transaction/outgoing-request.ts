import { tagOf } from '../../sip/address.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Timer } from '../clock.js';
import { type Flow, isReliable, type Received, type Target, TransportError } from '../transport/flow.js';
import type { ClientTable, PreparedRequest } from './client-table.js';
import { type Attempt, type AttemptOwner, NonInviteClientTransaction } from './client-transaction.js';
import { fabricate, prepare } from './derived-requests.js';
import { InviteClientTransaction } from './invite-client-transaction.js';
import type {
  ClientTransaction,
  ClientTransactionUser,
  Fabrication,
  FinalResponse,
  SendOptions,
  SentRequest,
} from './transaction.js';
import { type TransactionContext, transactionTimeout } from './transaction-context.js';

/**
 * A sent request that tries a list of targets until one answers (RFC 3263 §4.3): each target gets a client
 * transaction with a new branch; the sender of the request sees one transaction with one final response.
 */
export class OutgoingRequest implements ClientTransaction, AttemptOwner {
  readonly id: string;
  isFinal = false;
  isProceeding = false;
  /** The next target to try. */
  private next = 0;
  private target: Target | undefined;
  private current: SipRequest;
  private attempt: Attempt | undefined;
  private connecting: Timer | undefined;
  private failure: 'timeout' | 'transport' = 'transport';
  private error: TransportError | undefined;
  /** A response above 100 was passed on: no other target may answer now. */
  private isAnswering = false;
  private cancelledBy: 'user' | 'timer-c' | undefined;
  private isDecided = false;
  private isStarting = true;

  constructor(
    private readonly context: TransactionContext,
    private readonly table: ClientTable,
    private readonly original: SipRequest,
    private readonly options: SendOptions,
    private readonly user: ClientTransactionUser,
  ) {
    this.id = context.newId();
    this.current = original;
  }

  get request(): SipRequest {
    return this.current;
  }

  get size(): number {
    return this.attempt?.size ?? 0;
  }

  get flow(): Flow | undefined {
    return this.attempt?.flow;
  }

  /** Sends at once when the first target's flow is open. */
  start(): void {
    this.table.live++;
    if (this.table.live > this.context.limits.clientTransactions) {
      this.context.statistics.overloaded++;
      this.error = new TransportError('overloaded', 'Too many requests are waiting for an answer.');
      this.fabricate(503, 'transport');
    } else {
      const flow = this.options.flow;
      if (flow?.isOpen) this.launch(flow, prepare(this.original, flow.listener, this.context.newBranch()));
      else this.advance();
    }
    this.isStarting = false;
  }

  cancel(extra: readonly (readonly [string, string])[]): SentRequest | undefined {
    if (this.isDecided || this.original.method !== 'INVITE') return undefined;
    this.cancelledBy ??= 'user';
    if (this.attempt instanceof InviteClientTransaction) return this.attempt.cancel(extra);
    this.connecting?.cancel();
    this.connecting = undefined;
    this.fabricate(487, 'cancelled', true);
    return undefined;
  }

  proceeding(received: Received<SipResponse>): void {
    this.isProceeding = true;
    if (this.original.method === 'INVITE' && received.message.status === 100)
      this.user.trying?.(received, this);
  }

  provisional(received: Received<SipResponse>): void {
    this.isAnswering = true;
    this.user.provisional(received, this);
  }

  final(received: Received<SipResponse>): void {
    const response = received.message;
    // RFC 3263 §4.3: a 503 is a failure of that target. Within a dialog there is only one peer to ask.
    if (response.status === 503 && this.mayAdvance() && !this.isWithinDialog) this.advance();
    else this.finish({ response, received });
  }

  further2xx(received: Received<SipResponse>): void {
    this.user.further2xx(received, this);
  }

  failed(why: 'timeout' | 'transport', error?: TransportError): void {
    this.failure = why;
    this.error = error;
    if (this.cancelledBy !== undefined) {
      const reason = this.cancelledBy === 'user' ? 'cancelled' : 'timer-c';
      if (why === 'timeout') this.fabricate(408, reason);
      else this.fabricate(487, reason);
    } else if (this.mayAdvance() && !(why === 'timeout' && this.mayHaveArrived())) this.advance();
    else this.giveUp();
  }

  timerC(): void {
    this.cancelledBy ??= 'timer-c';
  }

  async reopen(): Promise<Flow | undefined> {
    const target = this.target ?? this.options.targets[0];
    if (target === undefined) return undefined;
    try {
      return await this.context.transport.connect(target);
    } catch {
      return undefined;
    }
  }

  private get hasMore(): boolean {
    return this.next < this.options.targets.length;
  }

  private mayAdvance(): boolean {
    return this.hasMore && !this.isAnswering && this.cancelledBy === undefined;
  }

  private get isWithinDialog(): boolean {
    return tagOf(this.original.headers.get('To') ?? '') !== undefined;
  }

  /**
   * The peer has the request, and only its answer is missing. Within a dialog it must not get the request twice: a stream
   * loses nothing (RFC 3261 §17.1.2), and a second request would need a new CSeq (§12.2.1.1).
   */
  private mayHaveArrived(flow = this.attempt?.flow): boolean {
    return this.isProceeding || (this.isWithinDialog && flow !== undefined && isReliable(flow.protocol));
  }

  /** @param flow what the request goes out on; undefined: a connection is awaited */
  private patience(flow?: Flow): number {
    const { limits, timers } = this.context;
    const whole = transactionTimeout(timers);
    if (!this.hasMore || this.mayHaveArrived(flow)) return whole;
    return Math.min(whole, this.original.method === 'INVITE' ? limits.inviteShare : limits.otherShare);
  }

  /** Tries the next reachable target; without one the request has failed. */
  private advance(): void {
    const { transport, newBranch } = this.context;
    this.attempt = undefined;
    this.isProceeding = false;
    while (this.hasMore) {
      const target = this.options.targets[this.next++]!;
      this.target = target;
      const listener = transport.listenerFor(target.protocol, target.address);
      if (listener === undefined) {
        this.unreachable(new TransportError('unsupported', `No listener for ${target.protocol}.`));
        continue;
      }
      const prepared = prepare(this.original, listener, newBranch());
      this.current = prepared.request;
      try {
        const flow = transport.connect(target);
        if (flow instanceof Promise) this.await(flow, prepared);
        else this.launch(flow, prepared);
        return;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        this.unreachable(error);
      }
    }
    this.giveUp();
  }

  private unreachable(error: TransportError): void {
    this.failure = 'transport';
    this.error = error;
  }

  /** A connection is being opened. It gets a target's share of time too; if it opens later, other requests can use it. */
  private await(connection: Promise<Flow>, prepared: PreparedRequest): void {
    const timer = this.table.after(this.patience(), () => {
      this.connecting = undefined;
      this.failure = 'timeout';
      this.error = new TransportError('timeout', 'The connection was not made in time.');
      this.advance();
    });
    this.connecting = timer;
    const isCurrent = (): boolean => {
      if (this.connecting !== timer) return false;
      timer.cancel();
      this.connecting = undefined;
      return true;
    };
    connection.then(
      (flow) => {
        if (isCurrent()) this.launch(flow, prepared);
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        this.unreachable(
          error instanceof TransportError ? error : new TransportError('unreachable', String(error)),
        );
        this.advance();
      },
    );
  }

  private launch(flow: Flow, prepared: PreparedRequest): void {
    this.current = prepared.request;
    const { context, table } = this;
    const patience = this.patience(flow);
    const attempt =
      this.original.method === 'INVITE'
        ? new InviteClientTransaction(context, table, this, prepared, flow, patience)
        : new NonInviteClientTransaction(context, table, this, prepared, flow, patience);
    this.attempt = attempt;
    attempt.start();
  }

  private giveUp(): void {
    // wire protocol §11.4: a peer that is reachable only by the flow of its registration is lost with it.
    if (
      this.options.targets.length === 0 &&
      this.options.flow !== undefined &&
      this.failure === 'transport'
    ) {
      this.fabricate(410, 'flow-closed');
    } else if (this.failure === 'timeout') this.fabricate(408, 'timeout');
    else this.fabricate(503, 'transport');
  }

  private fabricate(status: number, fabricated: Fabrication, later = false): void {
    const response = fabricate(this.request, status, this.context.newTag());
    const error = this.error;
    this.finish(error === undefined ? { response, fabricated } : { response, fabricated, error }, later);
  }

  private finish(final: FinalResponse, later = false): void {
    if (this.isDecided) return;
    this.isDecided = true;
    this.table.live--;
    const deliver = (): void => {
      this.isFinal = true;
      this.user.final(final, this);
    };
    // wire protocol §10.3 rule 1: the reply to a send or a cancel precedes any outcome.
    if (this.isStarting || later) this.table.after(0, deliver);
    else deliver();
  }
}
