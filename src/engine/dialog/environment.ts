import type { ScreeningSettings } from '../../config/engine-settings.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Clock, SipTimers } from '../clock.js';
import type { ExpiryQueue } from '../transaction/expiry-queue.js';
import type {
  ClientTransaction,
  ClientTransactionUser,
  SendOptions,
  SentAck,
} from '../transaction/transaction.js';
import type { Flow, Received, Transport } from '../transport/flow.js';
import type { ApplicationRouter } from './application.js';
import type { Challengers } from './challengers.js';
import type { DialogTable } from './dialog-table.js';
import type { Identifiers } from './identifiers.js';
import type { OwnBindings } from './own-bindings.js';
import type { LateSuccess, OutgoingRequest, PendingRequest } from './pending-request.js';
import type { RegisteredFlows } from './registered-flows.js';

/** What the user agent core needs from the transaction layer. */
export interface Transactions {
  send(request: SipRequest, options: SendOptions, user: ClientTransactionUser): ClientTransaction;
  /** The ACK of a 2xx: no transaction, sent once. */
  sendAck(request: SipRequest, options: SendOptions): SentAck;
  /** CANCEL for an INVITE of a process that is gone; `success` gets each 2xx to it. */
  cancelLost(
    invite: SipRequest,
    flow: Flow,
    extra: readonly (readonly [string, string])[],
    success: (received: Received<SipResponse>) => void,
  ): void;
}

/** Times in milliseconds unless said otherwise. */
export interface UserAgentSettings {
  /** Until an application must have answered a request other than INVITE; below 64·T1, when the peer gives up. */
  readonly applicationTimeout: number;
  /** Until an application must have answered an INVITE with anything at all. */
  readonly inviteTimeout: number;
  /** Until an INVITE that got a provisional response must have its final one (RFC 3261 §16.6 step 11 asks for over 3 minutes). */
  readonly ringingTimeout: number;
  /** Seconds; RFC 4028 §5 forbids less than 90. */
  readonly minimumSessionExpires: number;
  /** How long marked dialogs wait for another application; 0: they end with theirs. */
  readonly keepDialogs: number;
  readonly screening: ScreeningSettings;
  /** Seconds in `Retry-After` of the 503 sent without an application or while draining. */
  readonly retryAfter: number;
}

/** Everything that the state machines of this layer share. */
export interface Environment {
  readonly transport: Transport;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly identifiers: Identifiers;
  readonly settings: UserAgentSettings;
  readonly applications: ApplicationRouter;
  readonly dialogs: DialogTable;
  /** Requests from the network without a final response, by transaction id. */
  readonly pending: Map<string, PendingRequest>;
  /** Requests of applications without a final response, by the id that the application knows. */
  readonly outgoing: Map<string, OutgoingRequest>;
  /** INVITEs that were reported as failed without an answer of the peer, while one may still come. */
  readonly givenUp: Map<string, LateSuccess>;
  readonly challengers: Challengers;
  /** ACKs that are kept to answer a repeated 2xx. */
  readonly keptAcks: ExpiryQueue;
  readonly registeredFlows: RegisteredFlows;
  readonly ownBindings: OwnBindings;
}

/** How long to wait for a peer: timers B, F, H of RFC 3261. */
export const patience = (timers: SipTimers): number => 64 * timers.t1;
