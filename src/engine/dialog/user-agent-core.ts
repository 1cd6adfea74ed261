import { tagOf } from '../../sip/address.js';
import { parseCSeq } from '../../sip/cseq.js';
import { type EngineReason, engineReasonHeader } from '../../sip/engine-reason.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import { type NamedDialog, parseReplaces } from '../../sip/replaces.js';
import { respondTo } from '../../sip/response.js';
import type { Clock, SipTimers } from '../clock.js';
import { answersOptions } from '../screening.js';
import { ExpiryQueue } from '../transaction/expiry-queue.js';
import type { ServerTransaction, TransactionLayerUser } from '../transaction/transaction.js';
import type { Flow, Received, Transport } from '../transport/flow.js';
import { acknowledge, repeatAck } from './acknowledgement.js';
import {
  type Application,
  type ApplicationMessage,
  type ApplicationRouter,
  type Reply,
  refusal,
} from './application.js';
import { Challengers } from './challengers.js';
import { type Dialog, dialogIdOf } from './dialog.js';
import { endDialog, removeDialog } from './dialog-end.js';
import { DialogTable } from './dialog-table.js';
import { type Environment, patience, type Transactions, type UserAgentSettings } from './environment.js';
import type { Identifiers } from './identifiers.js';
import { prackedDialog, sendInDialog } from './in-dialog-request.js';
import { IncomingInDialog } from './incoming-in-dialog.js';
import { cancelLostInvite, type LostInvite } from './lost-invite.js';
import { sendOutOfDialog } from './out-of-dialog-request.js';
import { OwnBindings } from './own-bindings.js';
import { type AdoptedDialog, OwnerlessDialogs } from './ownerless.js';
import { RegisteredFlows } from './registered-flows.js';
import { allowedMethods } from './response-builder.js';
import { type RestoredDialog, restoreDialog } from './restored-dialog.js';
import { answerQuietly, retrySoon, ServerRequest, unavailable } from './server-request.js';
import { wantsTooShortSession } from './session-timer.js';
import { givenUpKey } from './uac-invite.js';
import { UasInvite } from './uas-invite.js';
import { UnknownDialogs } from './unknown-dialogs.js';

/** Requests outside dialogs that any application gets. For other methods it must have asked by name. */
const standaloneMethods: ReadonlySet<string> = new Set([
  'INVITE',
  'REGISTER',
  'MESSAGE',
  'OPTIONS',
  'INFO',
  'NOTIFY',
  'SUBSCRIBE',
  'PUBLISH',
]);
/** Accepted outside a dialog, these begin one. */
const dialogForming: ReadonlySet<string> = new Set(['INVITE', 'SUBSCRIBE', 'REFER']);
/** These make sense within a dialog only. */
const dialogMethods: ReadonlySet<string> = new Set(['BYE', 'UPDATE', 'PRACK']);

export interface LostLegs {
  readonly invites: readonly LostInvite[];
  readonly dialogs: readonly RestoredDialog[];
}

export type RestoreOutcome =
  | { readonly error: string }
  | {
      readonly id: string;
      /** Our Contact from now on. */
      readonly local_contact: string;
    };

/** Live objects, for leak checks and gauges. */
export interface UserAgentCounts {
  readonly dialogs: number;
  readonly dialogNames: number;
  /** SUBSCRIBEs whose NOTIFY may form a dialog. */
  readonly awaitedNotifies: number;
  /** Those that wait for another application. */
  readonly ownerlessDialogs: number;
  readonly confirmedInbound: number;
  readonly confirmedOutbound: number;
  readonly pendingRequests: number;
  readonly outgoingRequests: number;
  readonly givenUpInvites: number;
  /** Challenges whose answer may still come. */
  readonly challengedInvites: number;
  readonly registeredFlows: number;
}

export interface UserAgentParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly identifiers: Identifiers;
  readonly settings: UserAgentSettings;
  readonly applications: ApplicationRouter;
}

/**
 * The user agent (RFC 3261 §8, §12 to §15) between the transaction layer and the applications: dispatches each request,
 * keeps the dialogs, and ensures that every request gets a final response.
 */
export class UserAgentCore implements TransactionLayerUser {
  private readonly environment: Environment;
  private readonly inDialog: IncomingInDialog;
  private readonly ownerless: OwnerlessDialogs;
  private readonly unknown: UnknownDialogs;
  private isDraining = false;
  private readonly requestsReceived = new Map<string, number>();

  /** `transactions` is a function because the transaction layer needs its user first. */
  constructor(parts: UserAgentParts, transactions: () => Transactions) {
    this.environment = {
      ...parts,
      transactions: {
        send: (request, options, user) => transactions().send(request, options, user),
        sendAck: (request, options) => transactions().sendAck(request, options),
        cancelLost: (...parameters) => transactions().cancelLost(...parameters),
      },
      dialogs: new DialogTable(parts.clock),
      pending: new Map(),
      outgoing: new Map(),
      givenUp: new Map(),
      challengers: new Challengers(parts.clock),
      keptAcks: new ExpiryQueue(parts.clock, patience(parts.timers)),
      registeredFlows: new RegisteredFlows(parts.clock),
      ownBindings: new OwnBindings(),
    };
    this.unknown = new UnknownDialogs(
      parts.clock,
      (transaction, toTag) => {
        if (toTag === undefined) this.outOfDialog(transaction);
        else this.inDialog.request(transaction, toTag);
      },
      parts.applications,
    );
    this.inDialog = new IncomingInDialog(this.environment, this.unknown);
    this.ownerless = new OwnerlessDialogs(this.environment, parts.settings.keepDialogs);
  }

  get counts(): UserAgentCounts {
    const { dialogs, pending, outgoing, givenUp, challengers, registeredFlows } = this.environment;
    let confirmedInbound = 0;
    let confirmedOutbound = 0;
    for (const dialog of dialogs.all()) {
      if (!dialog.isConfirmed) continue;
      if (dialog.role === 'uas') confirmedInbound++;
      else confirmedOutbound++;
    }
    return {
      dialogs: dialogs.size,
      dialogNames: dialogs.names,
      awaitedNotifies: dialogs.awaitedNotifies,
      ownerlessDialogs: this.ownerless.size,
      confirmedInbound,
      confirmedOutbound,
      pendingRequests: pending.size,
      outgoingRequests: outgoing.size,
      givenUpInvites: givenUp.size,
      challengedInvites: challengers.size,
      registeredFlows: registeredFlows.size,
    };
  }

  /** Requests since start, by method; unknown methods together as `OTHER`. */
  get received(): ReadonlyMap<string, number> {
    return this.requestsReceived;
  }

  /** True when no application and no peer waits for a response. */
  get isIdle(): boolean {
    const { dialogs, pending, outgoing } = this.environment;
    return dialogs.size === 0 && pending.size === 0 && outgoing.size === 0 && this.unknown.size === 0;
  }

  /** True: applications have marked dialogs to outlive them. */
  get holdsKeptDialogs(): boolean {
    return this.environment.dialogs.all().some(({ isKept, isConfirmed }) => isKept && isConfirmed);
  }

  // The applications' side.

  /** A request outside any dialog; `routeUrl` is the next hop, empty: the Request-URI. */
  sendRequest(application: Application, message: ApplicationMessage, routeUrl: string, reply: Reply): void {
    if (message.method === 'ACK' || message.method === 'CANCEL') {
      reply.refused(`${message.method} outside a transaction`);
      return;
    }
    sendOutOfDialog(this.environment, application, message, routeUrl, reply);
  }

  sendWithinDialog(
    application: Application,
    dialogId: string,
    message: ApplicationMessage,
    reply: Reply,
  ): void {
    const named = this.environment.dialogs.named(dialogId);
    if (named === undefined || named.application !== application) {
      reply.refused(message.method === 'ACK' ? refusal.acknowledgedAlready : refusal.unknownDialog);
      return;
    }
    const dialog = message.method === 'PRACK' ? prackedDialog(this.environment, named, message) : named;
    sendInDialog(this.environment, dialog, message, reply);
  }

  cancelRequest(
    application: Application,
    transactionId: string,
    message: ApplicationMessage,
    reply: Reply,
  ): void {
    const outgoing = this.environment.outgoing.get(transactionId);
    if (outgoing === undefined || outgoing.application !== application) {
      reply.refused(refusal.unknownCancel(transactionId));
      return;
    }
    outgoing.cancel(message, reply);
  }

  respond(application: Application, transactionId: string, message: ApplicationMessage, reply: Reply): void {
    const pending = this.environment.pending.get(transactionId);
    if (pending === undefined || pending.application !== application) {
      reply.refused(refusal.unknownTransaction);
      return;
    }
    pending.respond(message, reply);
  }

  /** The application has begun something for that INVITE that no other one may begin again. */
  beginOnce(application: Application, transactionId: string): void {
    const pending = this.environment.pending.get(transactionId);
    if (pending instanceof UasInvite && pending.application === application) pending.beginOnce();
  }

  /**
   * An application's connection is gone: none of its dialogs and requests may be left open (wire protocol §10.2), but for the
   * dialogs that it marked, and new calls that another application can begin again.
   */
  applicationGone(application: Application): void {
    const { pending, outgoing, dialogs, ownBindings, applications } = this.environment;
    ownBindings.applicationGone(application);
    this.ownerless.leave(application);
    for (const request of [...pending.values()])
      if (request.application === application) request.abandoned(() => applications.choose('invite'));
    for (const request of [...outgoing.values()])
      if (request.application === application) request.abandoned();
    for (const dialog of dialogs.all()) {
      if (dialog.application === application && dialog.isConfirmed)
        endDialog(this.environment, dialog, 'application_gone', false);
    }
  }

  /** What the application has not reacted to goes to another one, if there is one that does react. */
  applicationSilent(application: Application): void {
    for (const request of [...this.environment.pending.values()])
      if (request.application === application) request.unheard();
  }

  /**
   * Gives an owner's dialogs to an application. `deliver` afterwards brings what peers have asked for meanwhile.
   * @param names of the dialogs that it can take; undefined: all. The others are ended.
   */
  adopt(
    owner: string,
    application: Application,
    names: ReadonlySet<string> | undefined,
    keepsOthers = false,
  ): { readonly dialogs: readonly AdoptedDialog[]; deliver(): void } {
    return this.ownerless.adopt(owner, application, names, keepsOthers);
  }

  /**
   * The application leaves these dialogs, by name, for the one that adopts the dialogs of `owner`. False: it cannot leave all of
   * them, and has them still.
   */
  yieldDialogs(application: Application, names: readonly string[], owner: string): boolean {
    return this.ownerless.yield(application, names, owner);
  }

  /** A dialog by its identity, as its peer names it to others (RFC 3891 §3); `isExpecting`: it may still be restored. */
  whereIs({ callId, toTag, fromTag }: NamedDialog): {
    readonly dialog: Dialog | undefined;
    readonly isExpecting: boolean;
  } {
    const dialog = this.environment.dialogs.find(callId, toTag, fromTag);
    return { dialog, isExpecting: this.unknown.isExpecting };
  }

  /** Rebuilds dialogs of an engine that is gone. One outcome for each: its name and Contact, or why it was not restored. */
  restore(application: Application, dialogs: readonly RestoredDialog[]): readonly RestoreOutcome[] {
    const outcomes = dialogs.map((data) => {
      const restored =
        this.restoredBefore(application, data) ?? restoreDialog(this.environment, application, data);
      return typeof restored === 'string'
        ? { error: restored }
        : { id: restored.id, local_contact: restored.localContact };
    });
    this.unknown.retry();
    return outcomes;
  }

  /** The reply to an earlier command may have been late. */
  private restoredBefore(
    application: Application,
    { callId, localParty, remoteParty }: RestoredDialog,
  ): Dialog | undefined {
    const dialog = this.environment.dialogs.find(callId, tagOf(localParty) ?? '', tagOf(remoteParty) ?? '');
    return dialog?.application === application && dialog.isConfirmed ? dialog : undefined;
  }

  /** Ends what an engine that is gone has left at peers: calls that were not established. */
  release(application: Application, legs: LostLegs): void {
    const reason = 'engine_restarted';
    for (const invite of legs.invites)
      cancelLostInvite(this.environment, application, invite, engineReasonHeader(reason, 503));
    for (const data of legs.dialogs) {
      const dialog = restoreDialog(this.environment, application, data);
      if (typeof dialog !== 'string') endDialog(this.environment, dialog, reason, false);
    }
  }

  /** The application holds no dialog that it has not restored. */
  isRestored(application: Application): void {
    this.unknown.isComplete(application);
  }

  /** The engine has been restarted: requests within dialogs that it does not know wait for that time, or longer for applications. */
  awaitRestore(milliseconds: number, owner?: string): void {
    this.unknown.begin(milliseconds, owner);
  }

  /** Whether the request belongs to a dialog of the engine, or would create one of the same name. */
  knows({ message }: Received): boolean {
    if (message.kind === 'response') return false;
    const callId = message.headers.get('Call-ID') ?? '';
    const to = tagOf(message.headers.get('To') ?? '');
    // The name of a new dialog would be that of one here, whose process has to refuse it.
    if (to === undefined)
      return (
        dialogForming.has(message.method) &&
        this.environment.dialogs.sessionRole(nameOf(message)) !== undefined
      );
    const from = tagOf(message.headers.get('From') ?? '') ?? '';
    return this.environment.dialogs.find(callId, to, from) !== undefined;
  }

  /** True: no request of the application or to it is open, and each of its dialogs could be restored elsewhere. */
  isQuiet(application: Application): boolean {
    const { pending, outgoing, dialogs } = this.environment;
    for (const request of pending.values()) if (request.application === application) return false;
    for (const request of outgoing.values()) if (request.application === application) return false;
    return dialogs
      .all()
      .every(
        (dialog) =>
          dialog.application !== application ||
          (dialog.isConfirmed && dialog.awaitedAck === undefined && dialog.unacknowledged === undefined),
      );
  }

  /** Drops the application's dialogs without a word to their peers: another engine process will have them. */
  forget(application: Application): void {
    for (const dialog of this.environment.dialogs.all())
      if (dialog.application === application && dialog.isKept) removeDialog(this.environment, dialog);
  }

  /** Drops all dialogs without a word to their peers, because another process continues them. */
  abandon(): void {
    for (const dialog of this.environment.dialogs.all()) removeDialog(this.environment, dialog);
  }

  /** The same for single dialogs, by name. Their peers get 503 here from now on, which ends no dialog (RFC 5057 §5.1). */
  forgetDialogs(application: Application, names: readonly string[]): void {
    const { dialogs, pending } = this.environment;
    const forgotten = new Set(names.flatMap((name) => dialogs.named(name) ?? []));
    for (const dialog of forgotten) {
      if (dialog.application !== application || !dialog.isKept) continue;
      // A 2xx without ACK would be repeated, and its sender would end the call.
      acknowledge(this.environment, dialog);
      removeDialog(this.environment, dialog);
      dialogs.moved(dialog);
      for (const request of [...pending.values()]) if (request.anchor === dialog) request.abandoned();
    }
  }

  /** A stream was closed. */
  flowClosed(flow: Flow): void {
    this.environment.ownBindings.flowClosed(flow);
  }

  /** From now on requests that start a dialog or transaction are refused; existing ones continue. */
  drain(): void {
    this.isDraining = true;
  }

  /** Ends every dialog with BYE, every unanswered INVITE with 503. */
  endAll(reason: EngineReason): void {
    const { pending, outgoing, dialogs } = this.environment;
    this.ownerless.stop();
    for (const request of [...pending.values()]) request.abandoned();
    for (const request of [...outgoing.values()]) request.abandoned();
    for (const dialog of dialogs.all()) if (dialog.isConfirmed) endDialog(this.environment, dialog, reason);
  }

  // The network's side.

  request(transaction: ServerTransaction): void {
    const { message } = transaction.received;
    this.count(message.method);
    const toTag = tagOf(message.headers.get('To') ?? '');
    if (wantsTooShortSession(this.environment, message)) {
      const minimum = String(this.environment.settings.minimumSessionExpires);
      this.answer(transaction, 422, [['Min-SE', minimum]]);
    } else if (toTag !== undefined) this.inDialog.request(transaction, toTag);
    else this.outOfDialog(transaction);
  }

  ack({ message, flow, size, at }: Received<SipRequest>): void {
    const { headers } = message;
    const dialog = this.environment.dialogs.find(
      headers.get('Call-ID') ?? '',
      tagOf(headers.get('To') ?? '') ?? '',
      tagOf(headers.get('From') ?? '') ?? '',
    );
    const awaited = dialog?.awaitedAck;
    if (dialog === undefined || awaited === undefined) return;
    if (parseCSeq(headers.get('CSeq') ?? '')?.number !== awaited.sequence) return;
    awaited.stop();
    dialog.awaitedAck = undefined;
    dialog.application.request({
      received: { message, flow, size, at },
      transactionId: awaited.transactionId,
      dialogId: dialog.id,
      isInitial: false,
    });
  }

  cancel(invite: ServerTransaction, cancel: Received<SipRequest>): void {
    const pending = this.environment.pending.get(invite.id);
    if (pending !== undefined) pending.cancelled(cancel);
    else this.answer(invite, 487);
  }

  terminated(transaction: ServerTransaction, why: 'flow-closed' | 'no-ack' | 'done'): void {
    this.environment.pending.get(transaction.id)?.terminated(why);
  }

  stray2xx(received: Received<SipResponse>): void {
    const { headers } = received.message;
    const callId = headers.get('Call-ID');
    const from = headers.get('From');
    const dialog = this.environment.dialogs.find(
      callId ?? '',
      tagOf(from ?? '') ?? '',
      tagOf(headers.get('To') ?? '') ?? '',
    );
    const sequence = parseCSeq(headers.get('CSeq') ?? '')?.number ?? -1;
    if (dialog !== undefined && repeatAck(dialog, sequence)) return;
    this.environment.givenUp.get(givenUpKey(callId, from))?.lateSuccess(received);
  }

  private outOfDialog(transaction: ServerTransaction): void {
    const { environment } = this;
    const { method } = transaction.received.message;
    if (dialogMethods.has(method)) {
      this.answer(transaction, 481);
      return;
    }
    if (this.isDraining) {
      this.answer(transaction, 503, unavailable(environment, 'shutdown'));
      return;
    }
    if (answersOptions(environment.settings.screening, transaction.received.message)) {
      this.answer(transaction, 200, [['Allow', allowedMethods]]);
      return;
    }
    if (dialogForming.has(method)) {
      const role = environment.dialogs.sessionRole(nameOf(transaction.received.message));
      if (role !== undefined) {
        this.refuseTakenName(transaction, role);
        return;
      }
    }
    const replaces = method === 'INVITE' ? this.replacesOf(transaction) : undefined;
    const replaced = replaces === undefined ? undefined : this.whereIs(replaces).dialog;
    if (replaces !== undefined && replaced === undefined && this.unknown.take(transaction, undefined)) return;
    if (replaced?.application.isOpen === true) {
      // No other application can replace it (RFC 3891 §3).
      new UasInvite(environment, transaction, replaced.application, undefined, replaced);
      return;
    }
    const application = environment.applications.choose(method.toLowerCase(), this.challengerOf(transaction));
    if (application === undefined) {
      if (standaloneMethods.has(method))
        this.answer(transaction, 503, unavailable(environment, 'no_application'));
      else this.answer(transaction, 405, [['Allow', allowedMethods]]);
    } else if (method === 'INVITE') new UasInvite(environment, transaction, application);
    else new ServerRequest(environment, transaction, application, undefined);
  }

  /**
   * RFC 3261 §8.2.2.2 has a UAS look at the From tag and Call-ID of ongoing requests: two dialogs with both in common would share a
   * name, and one of them could not be ended. A request that the engine sent itself has gone in a circle (482). With another CSeq than the
   * transaction layer's merged requests, it is the caller's next request before the end of the first one, as in §14.2: 500.
   */
  private refuseTakenName(transaction: ServerTransaction, role: 'uas' | 'uac'): void {
    if (role === 'uac') this.answer(transaction, 482);
    else this.answer(transaction, 500, [retrySoon(this.environment)], 'Call-ID And From Tag In Use');
  }

  private challengerOf({ received: { message } }: ServerTransaction): Application | undefined {
    if (message.method !== 'INVITE') return undefined;
    return this.environment.challengers.take(message.headers.get('Call-ID') ?? '');
  }

  private replacesOf({ received }: ServerTransaction): NamedDialog | undefined {
    const value = received.message.headers.get('Replaces');
    return value === undefined ? undefined : parseReplaces(value);
  }

  private answer(
    transaction: ServerTransaction,
    status: number,
    headers: readonly (readonly [string, string])[] = [],
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

  private count(method: string): void {
    const name =
      standaloneMethods.has(method) || dialogMethods.has(method) || method === 'REFER' ? method : 'OTHER';
    this.requestsReceived.set(name, (this.requestsReceived.get(name) ?? 0) + 1);
  }
}

const nameOf = ({ headers }: SipRequest): string =>
  dialogIdOf(headers.get('Call-ID') ?? '', tagOf(headers.get('From') ?? '') ?? '');
