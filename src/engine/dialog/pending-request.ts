import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Received } from '../transport/flow.js';
import type { Application, ApplicationMessage, Reply } from './application.js';
import type { Dialog } from './dialog.js';

/** A request from the network that the application has not answered yet. */
export interface PendingRequest {
  /** Changes only when another application adopts the dialog. */
  application: Application;
  /** That it belongs to, or forms. */
  readonly dialog: Dialog | undefined;
  /** Whose application gets it: its own dialog, or the one that an INVITE is to replace. */
  readonly anchor: Dialog | undefined;
  respond(answer: ApplicationMessage, reply: Reply): void;
  /** INVITE only. */
  cancelled(cancel: Received<SipRequest>): void;
  /** The transaction ended below: it can no longer be answered. */
  terminated(why: 'flow-closed' | 'no-ack' | 'done'): void;
  /**
   * Its application has disconnected. Where the dialog has another one, that gets the request.
   * @param another chooses one for a new call
   */
  abandoned(another?: () => Application | undefined): void;
  /** Its application is silent. A new call that it has not reacted to is given to another one. */
  unheard(): void;
}

/** An application's request without a final response yet. */
export interface OutgoingRequest {
  readonly application: Application;
  cancel(message: ApplicationMessage, reply: Reply): void;
  /** Its application has disconnected. */
  abandoned(): void;
}

/** Takes a 2xx that comes after the INVITE was given up: acknowledges and ends it (RFC 3261 §13.2.2.4). */
export interface LateSuccess {
  lateSuccess(received: Received<SipResponse>): void;
}
