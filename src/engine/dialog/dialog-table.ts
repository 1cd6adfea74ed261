import type { SipRequest } from '../../sip/message.js';
import type { Clock } from '../clock.js';
import { ExpiryQueue } from '../transaction/expiry-queue.js';
import type { Flow } from '../transport/flow.js';
import type { Dialog } from './dialog.js';

const keyOf = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`;

/** Longer than the peers of calls that another engine has taken need to learn its address. */
const elsewhereMilliseconds = 600_000;

/** Forms a dialog out of the first NOTIFY of a subscription that is not answered yet. */
export type DialogFormer = (notify: SipRequest, flow: Flow) => Dialog;

/** All dialogs, by their network identity (RFC 3261 §12) and by the name that applications use. */
export class DialogTable {
  private readonly byIdentity = new Map<string, Dialog>();
  private readonly byName = new Map<string, Dialog>();
  private readonly forming = new Map<string, DialogFormer>();
  /** INVITEs outside dialogs without a final response, by the name that their dialog has or will have. */
  private readonly invites = new Map<string, { readonly role: 'uas' | 'uac' }>();

  /** Identities of dialogs that another engine has. */
  private readonly elsewhere = new Set<string>();
  private readonly elsewhereUntil: ExpiryQueue;

  constructor(clock: Clock) {
    this.elsewhereUntil = new ExpiryQueue(clock, elsewhereMilliseconds);
  }

  get size(): number {
    return this.byIdentity.size;
  }

  get names(): number {
    return this.byName.size;
  }

  /**
   * Makes the dialog the one that its name stands for; forks of one INVITE share the name. A subscription does not take the name of
   * a session, which would then have no way to end.
   */
  add(dialog: Dialog): void {
    this.byIdentity.set(keyOf(dialog.callId, dialog.localTag, dialog.remoteTag), dialog);
    if (dialog.usage === 'subscription' && this.byName.get(dialog.id)?.usage === 'session') return;
    this.byName.set(dialog.id, dialog);
  }

  /** An INVITE outside dialogs waits for its final response: its name belongs to it until `forgetInvite`. */
  expectDialog(name: string, invite: { readonly role: 'uas' | 'uac' }): void {
    if (!this.invites.has(name)) this.invites.set(name, invite);
  }

  forgetInvite(name: string, invite: object): void {
    if (this.invites.get(name) === invite) this.invites.delete(name);
  }

  /** Our role in the session, or in the INVITE without a final response, that has the name. */
  sessionRole(name: string): 'uas' | 'uac' | undefined {
    const dialog = this.byName.get(name);
    return dialog?.usage === 'session' ? dialog.role : this.invites.get(name)?.role;
  }

  remove(dialog: Dialog): void {
    const key = keyOf(dialog.callId, dialog.localTag, dialog.remoteTag);
    if (this.byIdentity.get(key) === dialog) this.byIdentity.delete(key);
    if (this.byName.get(dialog.id) === dialog) this.byName.delete(dialog.id);
  }

  /** Another engine has the dialog, which is not in the table any more. */
  moved({ callId, localTag, remoteTag }: Dialog): void {
    const key = keyOf(callId, localTag, remoteTag);
    this.elsewhere.add(key);
    this.elsewhereUntil.add({ expire: () => this.elsewhere.delete(key) });
  }

  hasMoved(callId: string, localTag: string, remoteTag: string): boolean {
    return this.elsewhere.size > 0 && this.elsewhere.has(keyOf(callId, localTag, remoteTag));
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

  get awaitedNotifies(): number {
    return this.forming.size;
  }

  formerOf(callId: string, localTag: string): DialogFormer | undefined {
    return this.forming.get(keyOf(callId, localTag, ''));
  }

  all(): Dialog[] {
    return [...this.byIdentity.values()];
  }
}
