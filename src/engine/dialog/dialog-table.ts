import type { SipRequest } from '../../sip/message.js';
import type { Flow } from '../transport/flow.js';
import type { Dialog } from './dialog.js';

const keyOf = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`;

/** Forms a dialog out of the first NOTIFY of a subscription that is not answered yet. */
export type DialogFormer = (notify: SipRequest, flow: Flow) => Dialog;

/** All dialogs, by their network identity (RFC 3261 §12) and by the name that applications use. */
export class DialogTable {
  private readonly byIdentity = new Map<string, Dialog>();
  private readonly byName = new Map<string, Dialog>();
  private readonly forming = new Map<string, DialogFormer>();

  get size(): number {
    return this.byIdentity.size;
  }

  get names(): number {
    return this.byName.size;
  }

  /** Makes the dialog the one that its name stands for; forks of one INVITE share the name. */
  add(dialog: Dialog): void {
    this.byIdentity.set(keyOf(dialog.callId, dialog.localTag, dialog.remoteTag), dialog);
    this.byName.set(dialog.id, dialog);
  }

  remove(dialog: Dialog): void {
    const key = keyOf(dialog.callId, dialog.localTag, dialog.remoteTag);
    if (this.byIdentity.get(key) === dialog) this.byIdentity.delete(key);
    if (this.byName.get(dialog.id) === dialog) this.byName.delete(dialog.id);
  }

  named(id: string): Dialog | undefined {
    return this.byName.get(id);
  }

  find(callId: string, localTag: string, remoteTag: string): Dialog | undefined {
    return this.byIdentity.get(keyOf(callId, localTag, remoteTag));
  }

  /** From the sending of a SUBSCRIBE to its final response a NOTIFY may form the dialog (RFC 6665 §4.4.1). */
  expectNotify(callId: string, localTag: string, form: DialogFormer): void {
    this.forming.set(keyOf(callId, localTag, ''), form);
  }

  forgetNotify(callId: string, localTag: string): void {
    this.forming.delete(keyOf(callId, localTag, ''));
  }

  former(callId: string, localTag: string): DialogFormer | undefined {
    return this.forming.get(keyOf(callId, localTag, ''));
  }

  all(): Dialog[] {
    return [...this.byIdentity.values()];
  }
}
