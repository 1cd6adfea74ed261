import { detached } from '../../sip/detached.js';
import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest } from '../../sip/message.js';
import type { Timer } from '../clock.js';
import type { Flow } from '../transport/flow.js';
import { acknowledgeUnattended } from './acknowledgement.js';
import type { Application, DeliveredRequest } from './application.js';
import type { Dialog } from './dialog.js';
import { endDialog } from './dialog-end.js';
import type { Environment } from './environment.js';

/** A dialog as its new application learns of it. */
export interface AdoptedDialog {
  readonly id: string;
  readonly role: 'uas' | 'uac';
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** CSeq of our last request, which may be a session refresh of the engine. */
  readonly localSequence: number;
  /** CSeq of the peer's last request; undefined: it sent none. */
  readonly remoteSequence: number | undefined;
  /** It ended without an application: a BYE follows. */
  readonly hasEnded: boolean;
}

/**
 * Requests kept for one owner and for one dialog, and their octets; beyond that peers get the 503 that they got without an
 * application. A BYE is always kept: nothing else would end its call.
 */
const keptForOwner = { requests: 4_096, octets: 8 * 1024 * 1024 };
const keptForDialog = { requests: 64, octets: 256 * 1024 };

/**
 * Dialogs that outlive the connection of their application (an extension of the wire protocol): an application that named its
 * owner, and marked the dialogs, may come back, or another one may take its place.
 */
export class OwnerlessDialogs {
  /** By owner. */
  private readonly vacancies = new Map<string, Vacancy>();

  constructor(
    private readonly environment: Environment,
    /** Milliseconds until dialogs that no application adopts are ended. */
    private readonly grace: number,
  ) {}

  /** Dialogs without an application. */
  get size(): number {
    let size = 0;
    for (const { members } of this.vacancies.values())
      for (const dialog of members) if (!dialog.isEnded) size++;
    return size;
  }

  /** The application has disconnected: its marked dialogs, and what their peers asked of it, wait for an adopter. */
  leave(application: Application): void {
    const { owner } = application;
    if (owner === undefined || this.grace === 0) return;
    const { dialogs, pending } = this.environment;
    const kept = dialogs.all().filter((dialog) => dialog.application === application && outlives(dialog));
    // A dialog whose BYE the application has not answered is out of the table already.
    for (const { dialog } of pending.values())
      if (dialog?.application === application && dialog.isEnded && dialog.isKept) kept.push(dialog);
    if (kept.length > 0) this.vacate(kept, owner);
  }

  /**
   * A living application leaves some of its dialogs under a name by which another one adopts them, with the requests of their peers
   * that it has not answered. False, and nothing has changed: it has not all of them, or one could not outlive it.
   */
  yield(application: Application, names: readonly string[], owner: string): boolean {
    const { dialogs, pending } = this.environment;
    const left = names.flatMap((name) => dialogs.named(name) ?? []);
    const isWhole = left.length === names.length && left.length > 0 && this.grace > 0;
    if (!isWhole || !left.every((dialog) => dialog.application === application && outlives(dialog)))
      return false;
    this.vacate(left, owner);
    for (const request of [...pending.values()]) {
      const { anchor } = request;
      if (request.application === application && anchor !== undefined && left.includes(anchor))
        request.abandoned();
    }
    return true;
  }

  private vacate(left: readonly Dialog[], owner: string): void {
    const vacancy = this.vacancyOf(owner);
    for (const dialog of left) {
      vacancy.members.push(dialog);
      dialog.application = vacancy;
      acknowledgeUnattended(this.environment, dialog);
    }
  }

  /**
   * Gives the owner's dialogs to an application; those that it does not name are ended with BYE, or wait on for further adopters.
   * `deliver`, to be called after the application has the list, gives it what peers have asked for meanwhile.
   * The list has those of the named ones, too, that the application has already: the reply to an earlier adoption may have been late.
   * @param names undefined: all
   * @param keepsOthers the application adopts in portions, or shares the dialogs with others
   */
  adopt(
    owner: string,
    application: Application,
    names: ReadonlySet<string> | undefined,
    keepsOthers = false,
  ): { readonly dialogs: readonly AdoptedDialog[]; deliver(): void } {
    const { dialogs } = this.environment;
    const before = [...(names ?? [])]
      .flatMap((name) => dialogs.named(name) ?? [])
      .filter((dialog) => dialog.application === application && dialog.isKept)
      .map(adoptedDialog);
    const vacancy = this.vacancies.get(owner);
    if (vacancy === undefined) return { dialogs: before, deliver: () => {} };
    const isKnown = (name: string): boolean => names === undefined || names.has(name);
    const adopted = vacancy.withdraw(isKnown);
    for (const dialog of adopted) dialog.application = application;
    if (keepsOthers && vacancy.members.length > 0) vacancy.expireAfter(this.grace, () => this.expire(owner));
    else {
      this.vacancies.delete(owner);
      vacancy.close();
      for (const dialog of vacancy.members) endDialog(this.environment, dialog, 'not_adopted', false);
    }
    for (const request of [...this.environment.pending.values()]) {
      if (request.application !== vacancy) continue;
      if (request.anchor?.application === application) request.application = application;
      else if (!vacancy.isOpen) request.abandoned();
    }
    return {
      dialogs: [...before, ...adopted.map(adoptedDialog)],
      deliver: () => vacancy.deliverTo(application, isKnown),
    };
  }

  /** Forgets everything; the dialogs are ended elsewhere. */
  stop(): void {
    for (const vacancy of this.vacancies.values()) vacancy.close();
    this.vacancies.clear();
  }

  private vacancyOf(owner: string): Vacancy {
    let vacancy = this.vacancies.get(owner);
    if (vacancy === undefined) {
      vacancy = new Vacancy(owner, this.environment);
      this.vacancies.set(owner, vacancy);
    }
    vacancy.expireAfter(this.grace, () => this.expire(owner));
    return vacancy;
  }

  private expire(owner: string): void {
    const vacancy = this.vacancies.get(owner);
    if (vacancy === undefined) return;
    this.vacancies.delete(owner);
    vacancy.close();
    for (const request of [...this.environment.pending.values()])
      if (request.application === vacancy) request.abandoned();
    for (const dialog of vacancy.members) endDialog(this.environment, dialog, 'application_gone', false);
  }
}

/** Marked, established, acknowledged once by the application, and not being ended by it. */
function outlives(dialog: Dialog): boolean {
  if (!dialog.isKept || !dialog.isConfirmed || dialog.isEnding || dialog.usage !== 'session') return false;
  return dialog.unacknowledged?.isInitial !== true;
}

const adoptedDialog = (dialog: Dialog): AdoptedDialog => ({
  id: dialog.id,
  role: dialog.role,
  callId: dialog.callId,
  localTag: dialog.localTag,
  remoteTag: dialog.remoteTag,
  localSequence: dialog.lastLocalSequence,
  remoteSequence: dialog.lastRemoteSequence,
  hasEnded: dialog.isEnded,
});

type Kept =
  | { readonly kind: 'request'; readonly delivered: DeliveredRequest }
  | {
      readonly kind: 'unsolicited';
      readonly bye: SipRequest;
      readonly flow: Flow | undefined;
      readonly dialogId: string;
    };

interface Room {
  requests: number;
  octets: number;
}

const fits = ({ requests, octets }: Room, size: number, limit: Readonly<Room>): boolean =>
  requests < limit.requests && octets + size <= limit.octets;

/** What the successor needs of a BYE for which there is no room: hundreds of octets instead of a whole message. */
function bare({ received, ...delivered }: DeliveredRequest): DeliveredRequest {
  const { headers, method, uri } = received.message;
  const needed = ['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Reason'].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, detached(value.slice(0, longestValue))]];
  });
  const message = newRequest(method, detached(uri), Headers.from(needed));
  return { ...delivered, received: { ...received, message, size: 0 } };
}

const longestValue = 1_024;

/** Takes the place of an application that is gone: keeps what peers ask for, and agrees to their BYE. */
class Vacancy implements Application {
  isOpen = true;
  readonly isSilent = false;
  readonly wantsTrying = false;
  readonly wantsLostFlows = false;
  /** Also those that have ended meanwhile. */
  members: Dialog[] = [];
  private kept: Kept[] = [];
  private readonly room: Room = { requests: 0, octets: 0 };
  /** By the dialog's name. */
  private readonly rooms = new Map<string, Room>();
  private timer: Timer | undefined;

  constructor(
    readonly owner: string,
    private readonly environment: Environment,
  ) {}

  expireAfter(milliseconds: number, expire: () => void): void {
    this.timer?.cancel();
    this.timer = this.environment.clock.after(milliseconds, expire);
  }

  close(): void {
    this.isOpen = false;
    this.timer?.cancel();
  }

  /** Takes the dialogs with these names out. */
  withdraw(isKnown: (name: string) => boolean): readonly Dialog[] {
    const taken = this.members.filter((dialog) => isKnown(dialog.id));
    this.members = this.members.filter((dialog) => !isKnown(dialog.id));
    return taken;
  }

  request(delivered: DeliveredRequest): void {
    const pending = this.environment.pending.get(delivered.transactionId);
    const isBye = delivered.received.message.method === 'BYE';
    const hasRoom = this.takeRoom(delivered);
    if (hasRoom || isBye)
      this.kept.push({ kind: 'request', delivered: hasRoom ? delivered : bare(delivered) });
    // A BYE needs no consent (RFC 3261 §15.1.2); the successor learns of it.
    if (!hasRoom || isBye) pending?.abandoned();
  }

  /** False: the owner or the dialog has as much as is kept for it. */
  private takeRoom({ dialogId, received: { size } }: DeliveredRequest): boolean {
    const own = this.rooms.get(dialogId) ?? { requests: 0, octets: 0 };
    if (!fits(own, size, keptForDialog) || !fits(this.room, size, keptForOwner)) return false;
    this.rooms.set(dialogId, own);
    for (const room of [own, this.room]) {
      room.requests++;
      room.octets += size;
    }
    return true;
  }

  /** To requests of the application that is gone; its successor does not know them. */
  response(): void {}

  flowLost(): void {}

  unsolicited(bye: SipRequest, flow: Flow | undefined, dialogId: string): void {
    this.kept.push({ kind: 'unsolicited', bye, flow, dialogId });
  }

  /** What was kept for dialogs with these names. */
  deliverTo(application: Application, isKnown: (dialogId: string) => boolean): void {
    const { kept } = this;
    this.kept = [];
    for (const each of kept) {
      if (!isKnown(this.dialogOf(each))) this.kept.push(each);
      else if (each.kind === 'unsolicited') application.unsolicited(each.bye, each.flow, each.dialogId);
      else if (this.isDue(each.delivered)) application.request(each.delivered);
    }
  }

  private dialogOf(each: Kept): string {
    if (each.kind === 'unsolicited') return each.dialogId;
    const { transactionId, dialogId } = each.delivered;
    return this.environment.pending.get(transactionId)?.anchor?.id ?? dialogId;
  }

  /** The others have no meaning once they are answered, by a CANCEL or at their end of patience. */
  private isDue({ received, transactionId }: DeliveredRequest): boolean {
    const { method } = received.message;
    return method === 'BYE' || method === 'ACK' || this.environment.pending.get(transactionId) !== undefined;
  }
}
