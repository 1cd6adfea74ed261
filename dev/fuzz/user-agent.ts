import { tagOf } from '../../src/sip/address.js';
import { parseCSeq } from '../../src/sip/cseq.js';
import type { SipRequest } from '../../src/sip/message.js';
import type { Arrival } from '../../src/testkit/sip-peer.js';
import { decide } from './in-dialog.js';
import { type Dialog, Party } from './party.js';

/** A party that answers what comes to it in its dialogs. */
export abstract class UserAgent extends Party {
  /** As in RFC 2543: its From has no tag. */
  protected isTagless = false;

  protected abstract onInvite(arrival: Arrival<SipRequest>): void;

  protected override onRequest(arrival: Arrival<SipRequest>): void {
    const { message } = arrival;
    const localTag = tagOf(message.headers.get('To') ?? '');
    if (localTag === undefined && message.method === 'INVITE' && !this.isTagless) this.onInvite(arrival);
    else if (message.method === 'CANCEL') this.onCancel(arrival);
    else {
      const dialog = this.dialogWith(tagOf(message.headers.get('From') ?? ''));
      const isOwn = dialog !== undefined && (this.isTagless || dialog.call.localTag === localTag);
      if (message.method === 'ACK') {
        if (isOwn && !this.isAckOfFailure(message)) dialog.isConfirmed = true;
      } else if (isOwn) this.answer(dialog, arrival);
      // Another fork of it, which the caller releases.
      else this.respond(this.rootOf(message), arrival, dialog === undefined ? 481 : 200);
    }
  }

  /** The ACK of a failure belongs to the INVITE's transaction (RFC 3261 §17.1.1.3). */
  protected isAckOfFailure(_ack: SipRequest): boolean {
    return false;
  }

  protected onCancel(arrival: Arrival<SipRequest>): void {
    this.respond(this.rootOf(arrival.message), arrival, 481);
  }

  private answer(dialog: Dialog, arrival: Arrival<SipRequest>): void {
    const { message } = arrival;
    if (message.method === 'BYE') dialog.isOver = true;
    const decision = decide(message, this.chance);
    if (decision === 'silence') return;
    const { status, wait, hasBody } = decision;
    const number = parseCSeq(message.headers.get('CSeq') ?? '')?.number;
    const body = hasBody ? { body: this.description(this.chance.derive(`answer ${number}`)) } : {};
    const send = (): void => this.respond(dialog.call, arrival, status, status < 300 ? body : {});
    if (wait === 0) send();
    else setTimeout(send, wait);
  }
}
