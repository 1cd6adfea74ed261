import { tagOf } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { respondTo } from '../../sip/response.js';
import type { ServerTransaction } from '../transaction/transaction.js';
import { acknowledge } from './acknowledgement.js';
import type { Dialog } from './dialog.js';
import { removeDialog } from './dialog-end.js';
import type { Environment } from './environment.js';
import { answerQuietly, retrySoon, ServerRequest, unavailable } from './server-request.js';
import { UasInvite } from './uas-invite.js';
import type { UnknownDialogs } from './unknown-dialogs.js';

type HeaderPairs = readonly (readonly [string, string])[];

/** Requests from the network with a To tag: matched to their dialog, kept in order, given to its owner (RFC 3261 §12.2.2). */
export class IncomingInDialog {
  constructor(
    private readonly environment: Environment,
    private readonly unknown: UnknownDialogs,
  ) {}

  request(transaction: ServerTransaction, toTag: string): void {
    const { message, flow } = transaction.received;
    const { headers, method } = message;
    const callId = headers.get('Call-ID') ?? '';
    const fromTag = tagOf(headers.get('From') ?? '') ?? '';
    const { dialogs } = this.environment;
    const existing = dialogs.find(callId, toTag, fromTag);
    const dialog =
      existing ?? (method === 'NOTIFY' ? dialogs.formerOf(callId, toTag)?.(message, flow) : undefined);
    if (dialog === undefined) {
      if (dialogs.hasMoved(callId, toTag, fromTag)) {
        this.answer(transaction, 503, unavailable(this.environment, 'moved'));
        return;
      }
      if (this.unknown.take(transaction, toTag)) return;
      this.answer(transaction, 481);
      return;
    }
    const sequence = parseCSeq(headers.get('CSeq') ?? '')?.number ?? 0;
    if (!dialog.acceptSequence(sequence)) {
      // §12.2.2: "out of order and MUST be rejected with a 500".
      this.answer(transaction, 500, [], 'CSeq Out Of Order');
      return;
    }
    dialog.heardOver(flow);
    if (method === 'INVITE') this.invite(transaction, dialog);
    else if (method === 'PRACK') this.prack(transaction, dialog);
    else if (method === 'BYE') this.bye(transaction, dialog);
    else if (method === 'UPDATE') this.update(transaction, dialog);
    else this.deliver(transaction, dialog);
  }

  private deliver(transaction: ServerTransaction, dialog: Dialog): void {
    if (!dialog.application.isOpen) {
      this.answer(transaction, 481);
      return;
    }
    new ServerRequest(this.environment, transaction, dialog.application, dialog);
  }

  /** §14.2. */
  private invite(transaction: ServerTransaction, dialog: Dialog): void {
    if (dialog.peerInvite !== undefined) {
      this.answer(transaction, 500, [retrySoon(this.environment)], 'Overlapping Requests');
    } else if (dialog.ownInvite !== undefined) this.answer(transaction, 491);
    else if (!dialog.application.isOpen || dialog.usage !== 'session') this.answer(transaction, 481);
    else new UasInvite(this.environment, transaction, dialog.application, dialog);
  }

  /** RFC 3262 §3. */
  private prack(transaction: ServerTransaction, dialog: Dialog): void {
    const { message } = transaction.received;
    const { peerInvite } = dialog;
    if (!(peerInvite instanceof UasInvite) || !peerInvite.acknowledgeProvisional(message)) {
      this.answer(transaction, 481);
      return;
    }
    this.deliver(transaction, dialog);
    peerInvite.provisionalAcknowledged();
  }

  /** §15.1.2: pending transactions of the dialog end first, so that final responses come in order. */
  private bye(transaction: ServerTransaction, dialog: Dialog): void {
    if (!dialog.isConfirmed && dialog.peerInvite instanceof UasInvite) {
      this.answer(transaction, 200);
      dialog.peerInvite.ended();
      return;
    }
    dialog.ownInvite?.dialogEnded();
    dialog.peerInvite?.dialogEnded();
    this.deliver(transaction, dialog);
    // The 2xx is known, so the peer gets its ACK even though the application will never send it.
    acknowledge(this.environment, dialog);
    removeDialog(this.environment, dialog);
  }

  /** RFC 3311 §5.2. */
  private update(transaction: ServerTransaction, dialog: Dialog): void {
    const hasOffer = transaction.received.message.body !== '';
    const isOurs = dialog.hasOpenOffer || (dialog.isConfirmed && dialog.ownInvite !== undefined);
    if (dialog.hasOpenUpdate)
      this.answer(transaction, 500, [retrySoon(this.environment)], 'Overlapping Requests');
    else if (hasOffer && isOurs) this.answer(transaction, 491);
    else this.deliver(transaction, dialog);
  }

  private answer(
    transaction: ServerTransaction,
    status: number,
    headers: HeaderPairs = [],
    reason?: string,
  ): void {
    const { message } = transaction.received;
    answerQuietly(
      transaction,
      respondTo(message, status, {
        toTag: transaction.toTag,
        headers,
        ...(reason === undefined ? {} : { reason }),
      }),
    );
  }
}
