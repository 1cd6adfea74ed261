import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { ScreeningAction } from '../../config/engine-settings.js';
import { withFirstTagOnly } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { engineReasonHeader } from '../../sip/engine-reason.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import { validateRequest, validateResponse } from '../../sip/validate.js';
import { topVia } from '../../sip/via.js';
import type { Clock, SipTimers } from '../clock.js';
import { type Flow, isReliable, type Received, responseFlowOf, type Transport } from '../transport/flow.js';
import { randomBranches, randomTokens } from './branch.js';
import { ClientTable } from './client-table.js';
import type { AttemptOwner } from './client-transaction.js';
import { InviteClientTransaction, unheard } from './invite-client-transaction.js';
import { InviteServerTransaction } from './invite-server-transaction.js';
import { defaultLimits, type TransactionLimits } from './limits.js';
import { mergeKey, serverKey } from './matching.js';
import { OutgoingAck } from './outgoing-ack.js';
import { OutgoingRequest } from './outgoing-request.js';
import { AnsweredRequest, ServerTable } from './server-table.js';
import { NonInviteServerTransaction } from './server-transaction.js';
import type {
  ClientTransaction,
  ClientTransactionUser,
  SendOptions,
  SentAck,
  TransactionLayerUser,
} from './transaction.js';
import {
  type TransactionContext,
  type TransactionStatistics,
  transactionTimeout,
} from './transaction-context.js';

export interface TransactionLayerParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly user: TransactionLayerUser;
  /** Unique ids for transactions (UUIDs). */
  readonly newId: () => string;
  /** Omitted limits have the value of `defaultLimits`. */
  readonly limits?: Partial<TransactionLimits>;
  /** With the magic cookie; unguessable when left out. */
  readonly newBranch?: () => string;
  /**
   * Gets an exception that a received message caused in the layer above: a defect, which must end only that message's call.
   * The request, if it is one without an answer, gets 500. Left out: `receive` throws.
   */
  readonly failed?: (error: unknown, received: Received) => void;
  /** For To tags; at least 32 random bits when left out. */
  readonly newTag?: () => string;
  /** Requests that are refused (603) or ignored before any other processing; absent: none. */
  readonly screen?: (received: Received<SipRequest>) => ScreeningAction | undefined;
}

/** For gauges and leak checks: active transactions, and those that only absorb retransmissions. */
export interface TransactionCounts {
  readonly client: number;
  readonly server: number;
  readonly lingeringClient: number;
  readonly lingeringServer: number;
  /** Active transactions on a stream, both sides: notified when it closes. */
  readonly boundToFlows: number;
}

/**
 * RFC 3261 §17 and RFC 6026 between transport and dialogs: matches messages to transactions, absorbs retransmissions,
 * and makes sure that every request of either side has one final response. It has no socket and reads no clock.
 */
export class TransactionLayer {
  readonly statistics: TransactionStatistics = {
    retransmissionsReceived: 0,
    retransmissionsSent: 0,
    malformed: 0,
    strayResponses: 0,
    merged: 0,
    overloaded: 0,
    screened: 0,
    unanswered: 0,
  };
  private readonly context: TransactionContext;
  private readonly servers: ServerTable;
  private readonly clients: ClientTable;
  private readonly failed: TransactionLayerParts['failed'];
  private readonly screen: NonNullable<TransactionLayerParts['screen']>;
  private readonly tagSecret = createSecretKey(randomBytes(32));

  constructor(parts: TransactionLayerParts) {
    const { transport, clock, timers, user, newId } = parts;
    const newBranch = parts.newBranch ?? randomBranches();
    const newTag = parts.newTag ?? randomTokens(8);
    this.failed = parts.failed;
    this.screen = parts.screen ?? (() => undefined);
    const limits = { ...defaultLimits(timers), ...parts.limits };
    this.context = {
      transport,
      clock,
      timers,
      user,
      limits,
      statistics: this.statistics,
      newId,
      newBranch,
      newTag,
    };
    this.servers = new ServerTable(this.context);
    this.clients = new ClientTable(this.context);
  }

  get counts(): TransactionCounts {
    return {
      client: this.clients.live,
      server: this.servers.live,
      lingeringClient: this.clients.lingerers,
      lingeringServer: this.servers.lingerers,
      boundToFlows: this.servers.bound + this.clients.bound,
    };
  }

  /** A message from the network. */
  receive(received: Received): void {
    try {
      if (received.message.kind === 'request') this.request(received as Received<SipRequest>);
      else this.response(received as Received<SipResponse>);
    } catch (error) {
      if (this.failed === undefined) throw error;
      this.failed(error, received);
      if (received.message.kind === 'request') this.answerAfterDefect(received.message);
    }
  }

  /** Whether the message belongs to a transaction of this layer. */
  knows({ message }: Received): boolean {
    if (message.kind === 'response') {
      const branch = topVia(message)?.branch;
      const method = parseCSeq(message.headers.get('CSeq') ?? '')?.method;
      return branch !== undefined && method !== undefined && this.clients.find(branch, method) !== undefined;
    }
    const isOfInvite = message.method === 'ACK' || message.method === 'CANCEL';
    const key = serverKey(message, isOfInvite ? 'INVITE' : message.method);
    return key !== undefined && this.servers.find(key) !== undefined;
  }

  /** A stream was closed. */
  flowClosed(flow: Flow): void {
    this.servers.flowClosed(flow);
    this.clients.flowClosed(flow);
  }

  /**
   * Sends a request, not ACK nor CANCEL. It is on the wire on return when the first target is a datagram address or has an
   * open connection. Never throws because of the network: a failure becomes a fabricated final response.
   */
  send(request: SipRequest, options: SendOptions, user: ClientTransactionUser): ClientTransaction {
    const outgoing = new OutgoingRequest(this.context, this.clients, request, options, user);
    outgoing.start();
    return outgoing;
  }

  /** Sends the ACK to a 2xx. Its user keeps what is returned, and sends it again for each further copy of the 2xx. */
  sendAck(request: SipRequest, options: SendOptions): SentAck {
    const ack = new OutgoingAck(this.context, request, options);
    ack.start();
    return ack;
  }

  /**
   * Sends the CANCEL of an INVITE that another process has sent, which must carry the Via that the peer knows. Its final response is
   * acknowledged, a 2xx by `success`, which gets each.
   */
  cancelLost(
    invite: SipRequest,
    flow: Flow,
    extra: readonly (readonly [string, string])[],
    success: (received: Received<SipResponse>) => void,
  ): void {
    const branch = topVia(invite)?.branch;
    if (branch === undefined) return;
    const owner: AttemptOwner = {
      ...unheard,
      final: (received) => {
        if (received.message.status < 300) success(received);
      },
      further2xx: success,
    };
    const prepared = { request: invite, branch, bytes: '' };
    const patience = transactionTimeout(this.context.timers);
    new InviteClientTransaction(this.context, this.clients, owner, prepared, flow, patience).takeUp(extra);
  }

  /** Drops everything; no callback runs afterwards. */
  stop(): void {
    this.servers.stop();
    this.clients.stop();
  }

  private request(received: Received<SipRequest>): void {
    const request = received.message;
    const defect = validateRequest(request);
    if (defect !== undefined) {
      this.statistics.malformed++;
      this.answerStateless(received, defect.status, defect.reason, defect.headers);
      return;
    }
    const action = this.screen(received);
    if (action !== undefined) {
      this.statistics.screened++;
      if (action === 'refuse') this.answerStateless(received, 603);
    } else if (request.method === 'ACK') this.ack(received);
    else if (request.method === 'CANCEL') this.cancel(received);
    else this.newOrRepeated(received);
  }

  private newOrRepeated(received: Received<SipRequest>): void {
    const request = received.message;
    const key = serverKey(request, request.method);
    if (key === undefined) return;
    const transaction = this.servers.find(key);
    if (transaction !== undefined) {
      transaction.repeated(received);
      return;
    }
    if (this.servers.live >= this.context.limits.serverTransactions) {
      this.statistics.overloaded++;
      const retryAfter = String(this.context.limits.retryAfterSeconds);
      this.answerStateless(received, 503, undefined, [
        ['Retry-After', retryAfter],
        ['Reason', engineReasonHeader('overloaded', 503)],
      ]);
      return;
    }
    const merge = mergeKey(request);
    if (merge !== undefined && this.servers.findMerged(merge) !== undefined) this.refuseMerged(received, key);
    else if (request.method === 'INVITE') {
      const transaction = new InviteServerTransaction(this.context, this.servers, key, merge, received);
      this.servers.add(transaction);
      this.context.user.request(transaction);
      transaction.trying();
    } else {
      const transaction = new NonInviteServerTransaction(this.context, this.servers, key, merge, received);
      this.servers.add(transaction);
      this.context.user.request(transaction);
    }
  }

  /** §8.2.2.2: the request "has arrived at the UAS more than once, following different paths, most likely due to forking". */
  private refuseMerged(received: Received<SipRequest>, key: string): void {
    this.statistics.merged++;
    const { context, servers } = this;
    const transaction =
      received.message.method === 'INVITE'
        ? new InviteServerTransaction(context, servers, key, undefined, received, true)
        : new NonInviteServerTransaction(context, servers, key, undefined, received, true);
    servers.add(transaction);
    transaction.respond(respondTo(received.message, 482, { toTag: transaction.toTag }));
  }

  private answerAfterDefect(request: SipRequest): void {
    const key = serverKey(request, request.method);
    const transaction = key === undefined ? undefined : this.servers.find(key);
    const isAtWork =
      transaction instanceof InviteServerTransaction || transaction instanceof NonInviteServerTransaction;
    if (!isAtWork || transaction.isFinal || transaction.isTerminated) return;
    transaction.respond(respondTo(request, 500, { toTag: transaction.toTag }));
  }

  private ack(received: Received<SipRequest>): void {
    const key = serverKey(received.message, 'INVITE');
    if (key !== undefined && this.servers.find(key)?.acknowledged(received)) return;
    this.context.user.ack(received);
  }

  /** §9.2. Its 200 and the INVITE's responses carry the same To tag. */
  private cancel(received: Received<SipRequest>): void {
    const request = received.message;
    const key = serverKey(request, 'CANCEL');
    const inviteKey = serverKey(request, 'INVITE');
    if (key === undefined || inviteKey === undefined) return;
    const transaction = this.servers.find(key);
    if (transaction !== undefined) {
      transaction.repeated(received);
      return;
    }
    const invite = this.servers.find(inviteKey);
    if (invite === undefined) {
      this.answerStateless(received, 481);
      return;
    }
    const answer = serialize(respondTo(request, 200, { toTag: invite.toTag }));
    this.context.transport.send(responseFlowOf(received), answer);
    if (!isReliable(received.flow.protocol)) {
      const { transport, timers } = this.context;
      const rest = new AnsweredRequest(
        this.servers,
        transport,
        this.statistics,
        key,
        undefined,
        invite.toTag,
        answer,
      );
      this.servers.linger(rest, transactionTimeout(timers));
    }
    if (!(invite instanceof InviteServerTransaction) || invite.isFinal || invite.isCancelled) return;
    invite.isCancelled = true;
    this.context.user.cancel(invite, received);
  }

  private response(received: Received<SipResponse>): void {
    const response = received.message;
    // A response is matched by its Via and CSeq alone, so a second tag harms only strict parsers.
    for (const name of ['From', 'To']) {
      const value = response.headers.get(name);
      if (value !== undefined) response.headers.setFirst(name, withFirstTagOnly(value));
    }
    if (!validateResponse(response)) {
      this.statistics.malformed++;
      return;
    }
    const branch = topVia(response)?.branch;
    const method = parseCSeq(response.headers.get('CSeq') ?? '')?.method;
    if (branch === undefined || method === undefined) return;
    const entry = this.clients.find(branch, method);
    if (entry !== undefined) entry.response(received);
    else {
      this.statistics.strayResponses++;
      if (method === 'INVITE' && response.status >= 200 && response.status < 300)
        this.context.user.stray2xx(received);
    }
  }

  /** An answer that leaves nothing behind. The same request gets the same To tag again (RFC 3261 §8.2.7). An ACK gets none. */
  private answerStateless(
    received: Received<SipRequest>,
    status: number,
    reason?: string,
    headers: readonly (readonly [string, string])[] = [],
  ): void {
    const request = received.message;
    if (request.method === 'ACK') return;
    const seed = `${request.headers.get('Via') ?? ''}|${request.headers.get('Call-ID') ?? ''}`;
    const toTag = createHmac('sha256', this.tagSecret).update(seed).digest('hex').slice(0, 16);
    const options = reason === undefined ? { toTag, headers } : { toTag, headers, reason };
    this.context.transport.send(responseFlowOf(received), serialize(respondTo(request, status, options)));
  }
}
