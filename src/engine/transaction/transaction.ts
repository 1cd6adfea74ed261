import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Flow, Received, Target, TransportError } from '../transport/flow.js';

/** A request from the network on its way to one final response (RFC 3261 §17.2). */
export interface ServerTransaction {
  /** Unique among all transactions; the wire protocol's txn id. */
  readonly id: string;
  /**
   * The request. T1 after a refused INVITE only what identifies it is kept (request line, Via, From, To, Call-ID, CSeq),
   * so that a flood of refused and never acknowledged INVITEs costs little memory.
   */
  readonly received: Received<SipRequest>;
  readonly isInvite: boolean;
  /** True once a final response was sent. */
  readonly isFinal: boolean;
  /** True once nothing can be sent (terminated, or its flow is permanently closed). */
  readonly isTerminated: boolean;
  /** True when an INVITE was cancelled (the 200 for the CANCEL is sent by the layer; the 487 by its user). */
  readonly isCancelled: boolean;
  /** The last response sent by the user, provisional or final; the layer's own 100 is not counted. */
  readonly lastResponse: SipResponse | undefined;
  /**
   * The To tag of all responses to this request, also of the layer's own (200 to CANCEL). Made up at the first use;
   * the tag of the request's To when it has one. May be set until the first response was sent; a tag in the To of
   * the first response is taken over likewise.
   */
  toTag: string;
  /**
   * Sends a response; Via, From, To, Call-ID, CSeq must be in it already. Provisional responses are kept for retransmission,
   * finals end the transaction as §17.2 and RFC 6026 say. A second final, or any response after it, is a defect
   * and throws `Error`; a transaction whose flow is permanently closed throws `TransportError` `closed`.
   * When the stream of the request is closed, opens a new one to its source (RFC 3261 §18.2.2), and the response waits for
   * it. Returns the octets sent.
   */
  respond(response: SipResponse): number;
  /** Sends the kept 2xx once more (its user owns the 2xx timers, RFC 3261 §13.3.1.4); nothing 64·T1 after the 2xx. */
  retransmit2xx(): void;
}

/** The result of a CANCEL: the request as sent, and its octets. */
export interface SentRequest {
  readonly request: SipRequest;
  readonly size: number;
}

/** A sent request that waits for its one final response (RFC 3261 §17.1). */
export interface ClientTransaction {
  readonly id: string;
  /** The request as sent: with Via and branch of the target now being tried. */
  readonly request: SipRequest;
  /** Octets of `request` on the wire; 0 while nothing was sent (a connection is being made, or there is no target). */
  readonly size: number;
  readonly flow: Flow | undefined;
  /** True once `final` was called. */
  readonly isFinal: boolean;
  /** True after a 1xx. */
  readonly isProceeding: boolean;
  /**
   * INVITE only. Sends CANCEL when a provisional response has arrived, at once or later (§9.1); nothing if a final comes first.
   * 64·T1 after the CANCEL went out without a final, one 408 is fabricated; one 487 when the INVITE never went out.
   * Returns the CANCEL as sent (undefined: still waiting for the provisional, or nothing to cancel).
   */
  cancel(extra: readonly (readonly [string, string])[]): SentRequest | undefined;
}

/** Callbacks of the sender of a request. All calls come in network order; `final` exactly once, never from within `send`. */
export interface ClientTransactionUser {
  /** The first response to an INVITE is a 100: the peer lives, and nothing more is known. At most once for each target. */
  trying?(response: Received<SipResponse>, transaction: ClientTransaction): void;
  /** 101 to 199 for INVITE; not called for 100, nor for non-INVITE requests. */
  provisional(response: Received<SipResponse>, transaction: ClientTransaction): void;
  /** The final response, from the network or fabricated (408, 503, 487…): then `fabricated` says why. */
  final(response: FinalResponse, transaction: ClientTransaction): void;
  /** A 2xx after the first one: retransmission (same To tag) or another fork (other To tag). INVITE only. */
  further2xx(response: Received<SipResponse>, transaction: ClientTransaction): void;
}

/**
 * Why the layer generated a final response.
 * - `timeout`: 408, the peer stayed silent for 64·T1.
 * - `transport`: 503, no target could be reached, or the layer is overloaded (`error` says which).
 * - `dns`: 503, for layers above that resolve names themselves.
 * - `cancelled`: 487 when the INVITE never went out, 408 when the peer gave no final within 64·T1 of the CANCEL.
 * - `flow-closed`: 410, the only flow given is closed.
 * - `timer-c`: 408, no final for 185 s, and none after the layer's own CANCEL either.
 */
export type Fabrication = 'timeout' | 'transport' | 'dns' | 'cancelled' | 'flow-closed' | 'timer-c';

export interface FinalResponse {
  readonly response: SipResponse;
  /** Absent when the response is fabricated. */
  readonly received?: Received<SipResponse>;
  readonly fabricated?: Fabrication;
  readonly error?: TransportError;
}

export interface SendOptions {
  /** In order of preference; the next is tried when one is refused, unreachable, times out early or (new requests only) answers 503. */
  readonly targets: readonly Target[];
  /** An existing flow to use first (registered flow, connection of the dialog). Without `targets`, its loss is final (410-like). */
  readonly flow?: Flow;
}

/** An ACK to a 2xx on its way: no transaction, no answer. */
export interface SentAck {
  /** With Via and branch. */
  readonly request: SipRequest;
  /** Octets. */
  readonly size: number;
  /** Undefined while a connection is being made, or when no target can be reached. */
  readonly flow: Flow | undefined;
  /** Sends the same octets once more (RFC 3261 §13.2.2.4: for each 2xx received again). */
  resend(): void;
}

/** What happens to requests from the network that are not absorbed as retransmissions. */
export interface TransactionLayerUser {
  /**
   * Any new request but ACK and CANCEL. `merged` (482) and malformed requests are answered below and never come here.
   * When an INVITE has not been answered on return, the layer sends 100.
   */
  request(transaction: ServerTransaction): void;
  /** An ACK that belongs to a 2xx (or to nothing): dialogs match it. ACKs to non-2xx are absorbed. */
  ack(received: Received<SipRequest>): void;
  /**
   * A CANCEL that matches an INVITE still without final: the layer has answered 200 to it; the user sends 487.
   * A CANCEL that matches nothing got 481, one that matches an answered INVITE got 200; neither comes here.
   */
  cancel(invite: ServerTransaction, cancel: Received<SipRequest>): void;
  /**
   * `flow-closed`: an unanswered request's flow is gone and its source cannot be reached again. `no-ack`: 64·T1 passed
   * without the ACK of a non-2xx final. `done`: no answer within the layer's bound (10 minutes), the layer sent 408.
   * Transactions that end as they should are not reported.
   */
  terminated(transaction: ServerTransaction, why: 'flow-closed' | 'no-ack' | 'done'): void;
  /** A 2xx to an INVITE whose client transaction has ended (late retransmission, late fork). */
  stray2xx(received: Received<SipResponse>): void;
}
