import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Flow, Received, Target, TransportError } from '../transport/flow.js';

/** A request from the network on its way to one final response (RFC 3261 §17.2). */
export interface ServerTransaction {
  /** Unique among all transactions; the wire protocol's txn id. */
  readonly id: string;
  readonly received: Received<SipRequest>;
  readonly isInvite: boolean;
  /** True once a final response was sent. */
  readonly isFinal: boolean;
  /** True once nothing can be sent any more (terminated, or its flow is closed for good). */
  readonly isTerminated: boolean;
  /** True when an INVITE was cancelled (the 200 for the CANCEL is sent by the layer; the 487 by its user). */
  readonly isCancelled: boolean;
  /** The last response sent, provisional or final. */
  readonly lastResponse: SipResponse | undefined;
  /**
   * Sends a response; Via, From, To, Call-ID, CSeq must be in it already. Provisional responses are kept for retransmission,
   * finals end the transaction as §17.2 and RFC 6026 say. A second final, or any response after it, is a programming mistake
   * and throws, except that an INVITE's 2xx may be sent again in the Accepted state (`retransmit2xx`).
   * Returns the octets sent.
   */
  respond(response: SipResponse): number;
  /** Sends the kept 2xx once more (its user owns the 2xx timers, RFC 3261 §13.3.1.4). */
  retransmit2xx(): void;
}

/** A request of ours on its way to one final response (RFC 3261 §17.1). */
export interface ClientTransaction {
  readonly id: string;
  /** The request as sent: with Via and branch of the target now being tried. */
  readonly request: SipRequest;
  readonly flow: Flow | undefined;
  readonly isFinal: boolean;
  /** True after a 1xx. */
  readonly isProceeding: boolean;
  /**
   * INVITE only. Sends CANCEL when a provisional response has arrived, at once or later (§9.1); nothing if a final comes first.
   * 64·T1 after the CANCEL went out without a final, one 408 is fabricated.
   * Returns the CANCEL as sent (undefined: still waiting for the provisional).
   */
  cancel(extra: readonly (readonly [string, string])[]): { request: SipRequest; size: number } | undefined;
}

/** Who sent a request hears of it here. All calls come in network order; `final` exactly once. */
export interface ClientTransactionUser {
  /** 101 to 199 for INVITE; not called for 100, nor for non-INVITE requests. */
  provisional(response: Received<SipResponse>, transaction: ClientTransaction): void;
  /** The final response, from the network or fabricated (408, 503, 487…): then `fabricated` says why. */
  final(response: FinalResponse, transaction: ClientTransaction): void;
  /** A 2xx after the first one: retransmission (same To tag) or another fork (other To tag). INVITE only. */
  further2xx(response: Received<SipResponse>, transaction: ClientTransaction): void;
}

export interface FinalResponse {
  readonly response: SipResponse;
  /** Absent when the response is fabricated. */
  readonly received?: Received<SipResponse>;
  readonly fabricated?: 'timeout' | 'transport' | 'dns' | 'cancelled' | 'flow-closed' | 'timer-c';
  readonly error?: TransportError;
}

export interface SendOptions {
  /** In order of preference; the next is tried when one is refused, unreachable, times out early or (new requests only) answers 503. */
  readonly targets: readonly Target[];
  /** An existing flow to use first (registered flow, connection of the dialog). Without `targets`, its loss is final (410-like). */
  readonly flow?: Flow;
}

/** What happens to requests from the network that are not absorbed as retransmissions. */
export interface TransactionLayerUser {
  /** Any new request but ACK and CANCEL. `merged` (482) and malformed requests are answered below and never come here. */
  request(transaction: ServerTransaction): void;
  /** An ACK that belongs to a 2xx (or to nothing): dialogs match it. ACKs to non-2xx are absorbed. */
  ack(received: Received<SipRequest>): void;
  /**
   * A CANCEL that matches an INVITE still without final: the layer has answered 200 to it; the user sends 487.
   * A CANCEL that matches nothing got 481, one that matches an answered INVITE got 200; neither comes here.
   */
  cancel(invite: ServerTransaction, cancel: Received<SipRequest>): void;
  /** An unanswered INVITE's or request's flow is gone, or 64·T1 passed without the ACK of a non-2xx final. */
  terminated(transaction: ServerTransaction, why: 'flow-closed' | 'no-ack' | 'done'): void;
  /** A 2xx that matches no client transaction any more (late retransmission, late fork). */
  stray2xx(received: Received<SipResponse>): void;
}
