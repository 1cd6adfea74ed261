import { standardTimers } from '../../../../src/engine/clock.js';
import type { TransactionLimits } from '../../../../src/engine/transaction/limits.js';
import type {
  ClientTransaction,
  ClientTransactionUser,
  FinalResponse,
  SendOptions,
  ServerTransaction,
  TransactionLayerUser,
} from '../../../../src/engine/transaction/transaction.js';
import {
  TransactionLayer,
  type TransactionLayerParts,
} from '../../../../src/engine/transaction/transaction-layer.js';
import type { Flow, Protocol, Received, Target } from '../../../../src/engine/transport/flow.js';
import type { SipRequest, SipResponse } from '../../../../src/sip/message.js';
import { parseMessage } from '../../../../src/sip/parse.js';
import { respondTo } from '../../../../src/sip/response.js';
import { serialize } from '../../../../src/sip/serialize.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { MemoryTransport, received } from '../../../../src/testkit/memory-transport.js';

export const peerAddress = '198.51.100.20';
export const ourAddress = '192.0.2.10';

/** Records what the layer reports to its user. */
export class RecordingUser implements TransactionLayerUser {
  readonly requests: ServerTransaction[] = [];
  readonly acks: Received<SipRequest>[] = [];
  readonly cancels: ServerTransaction[] = [];
  readonly ended: { transaction: ServerTransaction; why: string }[] = [];
  readonly strays: Received<SipResponse>[] = [];
  onRequest: (transaction: ServerTransaction) => void = () => {};
  onCancel: (transaction: ServerTransaction) => void = () => {};

  request(transaction: ServerTransaction): void {
    this.requests.push(transaction);
    this.onRequest(transaction);
  }

  ack(message: Received<SipRequest>): void {
    this.acks.push(message);
  }

  cancel(invite: ServerTransaction): void {
    this.cancels.push(invite);
    this.onCancel(invite);
  }

  terminated(transaction: ServerTransaction, why: string): void {
    this.ended.push({ transaction, why });
  }

  stray2xx(message: Received<SipResponse>): void {
    this.strays.push(message);
  }
}

/** Records what one client transaction reports to its user. */
export class RecordingCaller implements ClientTransactionUser {
  readonly provisionals: number[] = [];
  readonly finals: FinalResponse[] = [];
  readonly further: number[] = [];

  provisional(response: Received<SipResponse>): void {
    this.provisionals.push(response.message.status);
  }

  final(response: FinalResponse): void {
    this.finals.push(response);
  }

  further2xx(response: Received<SipResponse>): void {
    this.further.push(response.message.status);
  }

  get status(): number | undefined {
    return this.finals[0]?.response.status;
  }
}

/** A transaction layer with a hand-driven clock and a network that only records. */
export class Fixture {
  readonly transport: MemoryTransport;
  readonly user = new RecordingUser();
  readonly layer: TransactionLayer;
  private ids = 0;

  constructor(
    limits: Partial<TransactionLimits> = {},
    readonly clock = new ManualClock(),
    readonly address = ourAddress,
    failed?: (error: unknown) => void,
    screen?: TransactionLayerParts['screen'],
  ) {
    this.transport = new MemoryTransport(address);
    this.layer = new TransactionLayer({
      transport: this.transport,
      clock: this.clock,
      timers: standardTimers,
      user: this.user,
      newId: () => `txn-${++this.ids}`,
      limits,
      ...(failed !== undefined && { failed }),
      ...(screen !== undefined && { screen }),
    });
  }

  flow(protocol: Protocol = 'udp', port = 5060) {
    return this.transport.flow(protocol, peerAddress, port);
  }

  /** A message from the peer. */
  deliver(bytes: string, flow: Flow = this.flow()): void {
    this.layer.receive(received(bytes, flow));
  }

  /** The status codes and methods sent since the last look. */
  wire(): string[] {
    return this.transport.take().map(({ message }) => {
      return message.kind === 'request' ? message.method : `${message.status}`;
    });
  }

  send(request: SipRequest, options: SendOptions, caller = new RecordingCaller()) {
    const transaction: ClientTransaction = this.layer.send(request, options, caller);
    return { transaction, caller };
  }

  /** Answers the last request of that method sent, as its peer would. */
  answer(status: number, options: { method?: string; tag?: string; flow?: Flow } = {}): void {
    const method = options.method ?? 'INVITE';
    const sent = [...this.sentRequests].reverse().find(({ message }) => message.method === method);
    if (sent === undefined) throw new Error(`No ${method} was sent.`);
    const response = respondTo(sent.message, status, { toTag: options.tag ?? 'peer' });
    this.deliver(serialize(response), options.flow ?? sent.flow);
  }

  private readonly sentRequests: { message: SipRequest; flow: Flow }[] = [];

  /** Keeps requests for `answer`, also after `wire` has taken them. */
  remember(): this {
    this.transport.onSent = ({ message, flow }) => {
      if (message.kind === 'request') this.sentRequests.push({ message, flow });
    };
    return this;
  }
}

export const target = (protocol: Protocol = 'udp', port = 5060, address = peerAddress): Target => ({
  protocol,
  address,
  port,
  serverName: address,
});

interface RequestParts {
  method?: string;
  branch?: string;
  callId?: string;
  cseq?: number;
  fromTag?: string;
  toTag?: string;
  protocol?: string;
  sentBy?: string;
  uri?: string;
  via?: string;
  extra?: string[];
  body?: string;
}

/** A request as the peer would send it. */
export function requestBytes(parts: RequestParts = {}): string {
  const method = parts.method ?? 'INVITE';
  const to = parts.toTag === undefined ? '' : `;tag=${parts.toTag}`;
  const via =
    parts.via ??
    `SIP/2.0/${parts.protocol ?? 'UDP'} ${parts.sentBy ?? `${peerAddress}:5060`};branch=${parts.branch ?? 'z9hG4bKa1'}`;
  const body = parts.body ?? '';
  return [
    `${method} ${parts.uri ?? `sip:bob@${ourAddress}`} SIP/2.0`,
    `Via: ${via}`,
    'Max-Forwards: 70',
    `From: "Alice" <sip:alice@example.net>;tag=${parts.fromTag ?? 'at1'}`,
    `To: <sip:bob@${ourAddress}>${to}`,
    `Call-ID: ${parts.callId ?? 'call-1'}`,
    `CSeq: ${parts.cseq ?? 1} ${method}`,
    `Contact: <sip:alice@${peerAddress}>`,
    ...(parts.extra ?? []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** An outgoing request, before the layer put a Via on it. */
export function ourRequest(method = 'INVITE', extra: string[] = [], toTag = ''): SipRequest {
  const text = [
    `${method} sip:bob@${peerAddress} SIP/2.0`,
    'Max-Forwards: 70',
    `From: <sip:demarc@${ourAddress}>;tag=et1`,
    `To: <sip:bob@${peerAddress}>${toTag}`,
    'Call-ID: eng-1',
    `CSeq: 4711 ${method}`,
    ...(method === 'INVITE' ? [`Contact: <sip:demarc@${ourAddress}>`] : []),
    ...extra,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
  const result = parseMessage(Buffer.from(text, 'latin1'));
  if (!result.ok || result.message.kind !== 'request') throw new Error('Bad fixture.');
  return result.message;
}

/** Sends the response as the user of a server transaction would. */
export function respond(transaction: ServerTransaction, status: number): number {
  return transaction.respond(respondTo(transaction.received.message, status, { toTag: transaction.toTag }));
}
