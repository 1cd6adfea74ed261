import type { SipResponse } from '../../sip/message.js';
import type { ClientTransactionUser, FinalResponse } from '../transaction/transaction.js';
import { type Received, TransportError } from '../transport/flow.js';
import { acknowledge, dialogDestination, repeatAck } from './acknowledgement.js';
import { isPending } from './destination.js';
import { type Dialog, engineMessage, type OpenInvite } from './dialog.js';
import { type Environment, patience } from './environment.js';
import { advertisedHostPort } from './local-contact.js';

export interface RefreshOutcome {
  refreshed(response: SipResponse): void;
  /** 491. */
  glare(): void;
  /** 422: the peer asks for at least so many seconds. */
  tooShort(minimum: number): void;
  /** The peer does not know UPDATE after all. */
  notAllowed(): void;
  /** The peer is up but did not accept the refresh now; milliseconds until the retry that it asks for, if it does. */
  refused(retryAfter: number | undefined): void;
  /** No answer, or the peer's dialog is gone. */
  failed(): void;
}

/**
 * A session refresh of the engine (RFC 4028 §10): an UPDATE without description where the peer allows it (§7.4), else a
 * re-INVITE with the last local description, unchanged. The application is not involved.
 */
export class SessionRefresh implements ClientTransactionUser, OpenInvite {
  private sequence = 0;
  private isInvite = true;

  constructor(
    private readonly environment: Environment,
    private readonly dialog: Dialog,
    private readonly interval: number,
    private readonly outcome: RefreshOutcome,
  ) {}

  send(): void {
    const { environment, dialog } = this;
    const destination = dialogDestination(environment, dialog);
    if (destination === undefined) {
      this.outcome.failed();
      return;
    }
    const sdp = dialog.peerAllowsUpdate ? undefined : dialog.localSdp;
    this.isInvite = sdp !== undefined;
    const request = dialog.newRequest(
      this.isInvite ? 'INVITE' : 'UPDATE',
      engineMessage(sdp),
      advertisedHostPort(destination.listener),
      sdp === undefined ? undefined : 'application/sdp',
      [
        ['Supported', 'timer'],
        ['Session-Expires', `${this.interval};refresher=uac`],
      ],
    );
    this.sequence = dialog.lastLocalSequence;
    if (this.isInvite) dialog.ownInvite = this;
    const { targets, flow } = destination;
    if (!isPending(targets)) {
      environment.transactions.send(request, { targets, ...(flow === undefined ? {} : { flow }) }, this);
      return;
    }
    targets.then(
      (resolved) => environment.transactions.send(request, { targets: resolved }, this),
      (error: unknown) => {
        if (!(error instanceof TransportError)) throw error;
        this.closed();
        this.outcome.failed();
      },
    );
  }

  provisional(): void {}

  final({ response, received }: FinalResponse): void {
    const { dialog } = this;
    const isInvite = this.isInvite;
    this.closed();
    if (response.status < 300) {
      if (isInvite) this.acknowledge();
      if (dialog.isEnded) return;
      if (received !== undefined) dialog.refreshTarget(response.headers, received.flow);
      this.outcome.refreshed(response);
    } else if (dialog.isEnded) return;
    else if (response.status === 491) this.outcome.glare();
    else if (response.status === 422) {
      const minimum = Number.parseInt(response.headers.get('Min-SE') ?? '', 10);
      if (minimum > this.interval) this.outcome.tooShort(minimum);
      else this.outcome.failed();
    } else if (isUnknownMethod(response.status) && !isInvite && dialog.localSdp !== undefined) {
      dialog.peerAllowsUpdate = false;
      this.outcome.notAllowed();
    } else if (received === undefined || response.status === 408 || response.status === 481) {
      this.outcome.failed();
    } else {
      const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
      this.outcome.refused(Number.isNaN(seconds) ? undefined : seconds * 1_000);
    }
  }

  further2xx(_response: Received<SipResponse>): void {
    repeatAck(this.dialog, this.sequence);
  }

  dialogEnded(): void {
    this.closed();
  }

  private closed(): void {
    if (this.dialog.ownInvite === this) this.dialog.ownInvite = undefined;
  }

  private acknowledge(): void {
    const { environment, dialog } = this;
    dialog.unacknowledged = {
      sequence: this.sequence,
      isInitial: false,
      owesAnswer: false,
      credentials: [],
      timer: environment.clock.after(patience(environment.timers), () => undefined),
      acknowledged: () => undefined,
    };
    acknowledge(environment, dialog);
  }
}

const isUnknownMethod = (status: number): boolean => status === 405 || status === 501;
