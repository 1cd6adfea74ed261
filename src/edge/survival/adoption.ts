import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import { type HeldCall, heldCallVersion } from '../../contract/held-call.js';
import { maximumTakeovers, type Takeover } from '../../contract/live.js';
import type { SecretBox } from '../../contract/secret.js';
import type { AdmissionChain } from '../admission/chain.js';
import type { Call, CallDeps } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { limitDuration } from '../call/established.js';
import { endingOnThrow } from '../call/fail.js';
import { attachInDialog } from '../call/in-dialog.js';
import { watchMedia } from '../call/watch-media.js';
import { stopByApi } from '../call-control/actions.js';
import { MediaSession } from '../media/media-session.js';
import type { OrderedCalls } from '../outbound/ordered-calls.js';
import type { OutboundPlaces } from '../outbound/pacing/outbound-places.js';
import { refreshSession } from '../outbound/session-refresh.js';
import { routeOf } from '../routing/targets.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import { type DigestClient, digestClientFor } from '../sip/digest-client.js';
import { persistently } from '../sip/engine-commands.js';
import type { EngineLink } from '../sip/engine-link.js';
import { type Dialog, failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { authenticate } from '../sip/request-in-dialog.js';
import { dialogsOf, restoreDialogs } from '../sip/restore-dialogs.js';
import { dropDialogs, endIfByeIsLost, forgetCall, readAdopted } from './adopted-dialogs.js';
import type { HeldCalls } from './held-calls.js';
import type { HolderLease, TakenCalls } from './holder-lease.js';
import { failTransfer } from './lost-transfer.js';
import type { OtherHolder } from './other-holders.js';
import type { OtherMachines } from './other-machines.js';
import { RestoredCall } from './restored-call.js';

export interface AdoptionDeps {
  readonly calls: CallDeps;
  readonly table: CallTable;
  readonly engine: EngineLink;
  readonly admission: Pick<AdmissionChain, 'adopt'>;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly places: Pick<OutboundPlaces, 'adopt'>;
  readonly secrets: SecretBox;
  readonly orders: Pick<OrderedCalls, 'adopt' | 'leave'>;
  readonly held: HeldCalls;
  readonly lease: HolderLease;
  readonly lookMilliseconds: number;
  readonly machines: Pick<OtherMachines, 'watch' | 'stateOf' | 'edgeState' | 'hasNewlySilent'>;
  readonly isDraining: () => boolean;
  /** The engine is connected and is the one that the lease names. */
  readonly hasEngine: () => boolean;
  /** Shown to operators; the latest first. */
  readonly takeovers: Takeover[];
  /** Ends calls that were taken over and cannot be continued. */
  readonly endLost: (calls: readonly Call[]) => void;
  readonly log: Logger;
}

/** `gone`: it ended, or lost the engine; a lease would take seconds to run out. `works`: it answers the engine. */
type HolderState = 'gone' | 'works' | 'unknown';

/** Redis may list some of that holder's calls as ours although this process does not have them. */
interface Unfinished {
  readonly otherHolder: OtherHolder;
  /** When it was interrupted first; monotonic milliseconds. */
  readonly since: number;
  /** Undefined: the reply that names them was lost. */
  readonly callIds: ReadonlySet<string> | undefined;
}

const sides = ['trunk', 'agent'] as const;

/** It can continue the calls that we write. */
const readsOurs = ({ document_version: version }: OtherHolder): boolean => version >= heldCallVersion;

/** Gives the call the Contacts that its dialogs have at our engine. True: the peers do not know one of them. */
function announces(call: RestoredCall, contacts: ReadonlyMap<string, string>): boolean {
  let isNew = false;
  for (const side of sides) {
    const { local, id } = call.dialogs[side]!;
    const contact = contacts.get(id) ?? '';
    if (contact === '' || contact === local.contact) continue;
    local.contact = contact;
    isNew = true;
  }
  return isNew;
}

/** As long as the engine keeps what it does not know: an edge that lives may need all of it on a busy machine. */
const lostMilliseconds = 20_000;
const pollMilliseconds = 200;
/** As long as the engine keeps dialogs without an application: later attempts find none. */
const repeatedMilliseconds = 30_000;
/** Between two looks while a machine may just have died: the peers of its calls wait. */
const silentLookMilliseconds = 100;
/** Calls taken at once: half a megabyte, with which Redis is busy for a few milliseconds. */
const portion = 50;

/**
 * Continues the answered calls of edges on the same engine that are gone: takes their documents, in portions, rebuilds the calls,
 * and only then has the engine deliver what their peers have asked for meanwhile.
 */
export class Adoption {
  private readonly task: RecurringTask;
  /** Holders whose documents are of a later version. */
  private readonly unreadable = new Set<string>();
  /** By name of the holder. */
  private readonly unfinished = new Map<string, Unfinished>();
  /** Rebuilt calls whose dialogs the engine has not given us yet, with their former holders. */
  private readonly unsettled = new Map<RestoredCall, OtherHolder>();
  /** How often the connection to the engine was lost. */
  private losses = 0;

  constructor(private readonly deps: AdoptionDeps) {
    const look = async (): Promise<number | undefined> => {
      await this.look();
      return deps.machines.hasNewlySilent ? silentLookMilliseconds : undefined;
    };
    this.task = new RecurringTask(look, {
      everyMilliseconds: deps.lookMilliseconds,
      retryMilliseconds: deps.lookMilliseconds,
      failed: (error) =>
        deps.log.debug({ error: error.message }, 'Searching for lost edges failed; retrying.'),
    });
  }

  start(): void {
    this.task.start(0);
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  /** Edges on the same engine that would take over our calls. */
  async successors(): Promise<OtherHolder[]> {
    const found: OtherHolder[] = [];
    for (const otherHolder of await this.deps.lease.readOtherHolders())
      if (otherHolder.hasEngine && otherHolder.hasLease && !otherHolder.is_leaving && readsOurs(otherHolder))
        if ((await this.stateOf(otherHolder)) !== 'gone') found.push(otherHolder);
    return found;
  }

  /**
   * The last look of an edge that is stopping: takes what others have left to it before they could know. Edges that leave later
   * look for another one.
   */
  async takeLeft(): Promise<void> {
    await this.task.stop();
    for (const otherHolder of await this.deps.lease.readOtherHolders())
      if (
        otherHolder.has_left &&
        otherHolder.isFree &&
        !otherHolder.isElsewhere &&
        this.isReadable(otherHolder)
      )
        await this.adoptFrom(otherHolder, false);
  }

  /**
   * The engine was restarted and holds requests within dialogs that it does not know: continues the calls of the edges that ended
   * with it, once it is known that they did, and waits for those that live. Never rejects.
   */
  async adoptLost(): Promise<void> {
    const until = performance.now() + lostMilliseconds;
    let isReported = false;
    while (this.deps.engine.isUp && performance.now() < until) {
      try {
        if ((await this.look()) === 0) return;
      } catch (error) {
        // Redis may be restarted together with the engine.
        if (!isReported)
          this.deps.log.warn(
            { error: failureText(error) },
            'Looking up the calls of the previous engine failed; retrying.',
          );
        isReported = true;
      }
      // Fake clocks of tests do not advance `timers/promises`.
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
  }

  /** The connection to the engine is lost: what it was asked for has no outcome. */
  engineLost(): void {
    this.losses++;
    for (const [call, otherHolder] of this.unsettled) this.putOff(otherHolder, [call], [call.state.id]);
  }

  /** The engine may have given us dialogs of calls that are still to be rebuilt. */
  get isUnfinished(): boolean {
    return this.unfinished.size > 0;
  }

  /** Takes over the calls of edges that are known to be gone, at once. */
  async takeLost(): Promise<void> {
    await this.look();
  }

  /** Looks for lost edges now, in turn with its other looks. */
  lookNow(): void {
    void this.task.next();
  }

  /** Takes the call that another edge has left for this one under that holder. */
  async takeCall(holder: string): Promise<void> {
    for (const otherHolder of await this.deps.lease.readOtherHolders())
      if (otherHolder.holder === holder) await this.adoptFrom(otherHolder, true);
  }

  /** How many edges of the engine process before this one may still come back to it. */
  private async look(): Promise<number> {
    const { engine, lease, isDraining } = this.deps;
    if (engine.owner === undefined) return 0;
    let undecided = 0;
    const holders = await lease.readOtherHolders();
    // An engine on standby connects when its address has come: by then it must be known who has answered before.
    this.deps.machines.watch(holders.filter(({ hasEngine }) => !hasEngine));
    if (!engine.keepsDialogs || lease.engine === undefined || !this.deps.hasEngine()) return 0;
    let failure: unknown;
    if (!isDraining())
      await this.adoptUnclaimed().catch((error: unknown) => {
        failure = error;
      });
    for (const otherHolder of holders) {
      if (otherHolder.isReserved) continue;
      const isAwaited = !otherHolder.hasEngine && !otherHolder.isElsewhere;
      // One that is draining takes no calls, but the engine still has to wait for those of others.
      if (isDraining() || !this.isReadable(otherHolder)) {
        if (isAwaited) undecided++;
        continue;
      }
      const state = await this.stateOf(otherHolder);
      if (isDraining()) continue;
      // One that works keeps its calls, whatever keeps it from renewing its lease: they are nowhere safer.
      // Elsewhere, an engine that works keeps what was left for the next edge there.
      const isFree =
        otherHolder.isFree && (state !== 'works' || (otherHolder.has_left && !otherHolder.isElsewhere));
      if (state === 'gone' || isFree) await this.adoptFrom(otherHolder, state === 'gone');
      else if (isAwaited) undecided++;
    }
    // Only now, because other edges are gone as well.
    if (failure !== undefined) throw failure;
    return undecided;
  }

  /** Its calls stay up for edges of its release: an edge that took them could only lose them. */
  private isReadable(otherHolder: OtherHolder): boolean {
    if (otherHolder.document_version <= heldCallVersion) return true;
    if (!this.unreadable.has(otherHolder.holder)) {
      this.unreadable.add(otherHolder.holder);
      const { edge_id: edge, document_version: version } = otherHolder;
      this.deps.log.warn(
        { edge, version, readable: heldCallVersion },
        'An edge of a newer release has calls that this one cannot continue; only an edge of that release can.',
      );
    }
    return false;
  }

  /** That it renews late proves nothing: its machine may be busy, or Redis refuse its writes. */
  private async stateOf(otherHolder: OtherHolder): Promise<HolderState> {
    const { owners, hasEngine, hasEnded } = otherHolder;
    if (otherHolder.isElsewhere) return this.deps.machines.stateOf(otherHolder);
    // Its way to the new engine may take long.
    if (!hasEngine) return hasEnded() ? 'gone' : this.deps.machines.edgeState(otherHolder);
    for (const owner of owners) {
      const { fields } = await this.deps.engine.command(`owned|${owner}`);
      const [instance, connections, fate, responsive] = fields;
      // A new process: the other edge may still be on its way to it, as this one was a moment ago.
      if (instance !== this.deps.lease.engine) return hasEnded() ? 'gone' : 'unknown';
      if (connections !== '0') return Number(responsive) > 0 ? 'works' : 'unknown';
      // This engine may have disconnected it, for its successor.
      if (fate === 'replaced' && !hasEnded()) return 'unknown';
    }
    return 'gone';
  }

  /** Takes its calls in portions, so that Redis serves others meanwhile, and until none is left: other edges may take some of them. */
  private async adoptFrom(otherHolder: OtherHolder, isGone: boolean): Promise<void> {
    const { engine, lease, log } = this.deps;
    const most = engine.sharesDialogs || !otherHolder.hasEngine ? portion : Number.MAX_SAFE_INTEGER;
    let adopted: number | undefined;
    for (let left = 1; left > 0; ) {
      // Without the engine this edge could not continue the calls.
      if (!this.deps.hasEngine()) break;
      let taken: TakenCalls | undefined;
      try {
        taken = await lease.take(otherHolder, isGone, most);
      } catch (error) {
        this.noteUnfinished(otherHolder, undefined);
        throw error;
      }
      if (taken === undefined) break;
      const isPart = adopted !== undefined || taken.left > 0;
      left = taken.left;
      adopted = (adopted ?? 0) + (await this.continueCalls(otherHolder, taken, isPart));
    }
    if (adopted === undefined) return;
    if (otherHolder.left_for === null) {
      this.noteTakeover(otherHolder, adopted);
      log.info({ edge: otherHolder.edge_id, calls: adopted }, 'Took over the calls of an edge that is gone.');
    } else {
      const { edge_id: edge } = otherHolder;
      log.info({ edge, calls: adopted }, 'Another edge has handed over a call for a transfer.');
    }
  }

  /** Continues calls that Redis has given to this edge and that the edge has not continued. */
  private async adoptUnclaimed(): Promise<void> {
    const failures: unknown[] = [];
    for (const unfinished of [...this.unfinished.values()])
      await this.repeat(unfinished).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async repeat(unfinished: Unfinished): Promise<void> {
    const { lease, table, log } = this.deps;
    const { otherHolder, callIds } = unfinished;
    let adopted = 0;
    const unclaimed = await lease.unclaimed((id) => table.find(id) !== undefined);
    const ids = unclaimed.filter((id) => callIds?.has(id) ?? true);
    await lease.nameOwners(otherHolder.owners);
    for (let at = 0; at < ids.length; at += portion) {
      const documents = await lease.documentsOf(ids.slice(at, at + portion));
      const taken = { documents, left: 0, unanswered: [] };
      adopted += await this.continueCalls(otherHolder, taken, true, true);
    }
    // Another look may have been interrupted meanwhile.
    if (this.unfinished.get(otherHolder.holder) === unfinished) this.unfinished.delete(otherHolder.holder);
    if (adopted === 0) return;
    this.noteTakeover(otherHolder, adopted);
    log.info(
      { edge: otherHolder.edge_id, calls: adopted },
      'Took over calls after an interrupted first attempt.',
    );
  }

  /** @param callIds undefined: not known */
  private noteUnfinished(otherHolder: OtherHolder, callIds: readonly string[] | undefined): void {
    const before = this.unfinished.get(otherHolder.holder);
    const isKnown = callIds !== undefined && (before === undefined || before.callIds !== undefined);
    this.unfinished.set(otherHolder.holder, {
      otherHolder,
      since: before?.since ?? performance.now(),
      callIds: isKnown ? new Set([...(before?.callIds ?? []), ...callIds]) : undefined,
    });
  }

  private noteTakeover({ edge_id: from_edge_id }: OtherHolder, calls: number): void {
    if (calls === 0) return;
    const { takeovers } = this.deps;
    takeovers.unshift({ at: new Date().toISOString(), from_edge_id, calls });
    takeovers.length = Math.min(takeovers.length, maximumTakeovers);
  }

  /**
   * How many of them it has continued. When it rejects, the next look tries again.
   * @param isPart others may take further dialogs of the same owner
   * @param isRepeated the engine may have given us some of the dialogs already
   */
  private async continueCalls(
    otherHolder: OtherHolder,
    taken: TakenCalls,
    isPart: boolean,
    isRepeated = false,
  ): Promise<number> {
    const { table, lease, held, log } = this.deps;
    const { losses } = this;
    const calls: RestoredCall[] = [];
    const unusable: string[] = [];
    const ended: string[] = [];
    try {
      for (const [callId, sealed] of taken.documents) {
        const document = held.open(callId, sealed);
        const digest = document && (await this.digestFor(document.call));
        this.expectEngine(losses);
        // Checked for each, because another look may be continuing it.
        if (this.hasHad(callId)) {
          const own = table.find(callId);
          if (own === undefined) ended.push(callId);
          // It is written once it is confirmed.
          else if (own.state.phase === 'confirmed') held.restore(own);
          log.debug(
            { call: callId, edge: otherHolder.edge_id },
            'A call that this edge has was given to it again.',
          );
          continue;
        }
        const call = document && this.rebuild(document.call, document.trace, otherHolder, digest);
        if (call === undefined) unusable.push(callId);
        else if (!call.hasEnded) calls.push(call);
      }
      this.expectEngine(losses);
      await this.adoptDialogs(otherHolder, calls, isPart, isRepeated);
    } catch (error) {
      // No other edge can continue them: we have their documents.
      await this.putOffOrEnd(otherHolder, calls, [...taken.documents.keys()], losses);
      throw error;
    }
    // The engine has ended their legs; control writes their records.
    for (const callId of [...taken.unanswered, ...unusable])
      if (!this.hasHad(callId)) void this.deps.calls.pool.deleteEverywhere(callId);
    await lease.giveBack(otherHolder, unusable);
    await lease.dropDocuments(ended);
    return calls.length;
  }

  /** Throws if the connection was lost since then: replies from before are out of date. */
  private expectEngine(losses: number): void {
    if (losses !== this.losses || !this.deps.hasEngine())
      throw new Error('The SIP engine was lost meanwhile.');
  }

  /** Puts the calls off, unless the engine stays connected and has refused them for too long: then they end. */
  private async putOffOrEnd(
    otherHolder: OtherHolder,
    calls: readonly RestoredCall[],
    documents: readonly string[],
    losses: number,
  ): Promise<void> {
    const { endLost, lease } = this.deps;
    const { since = performance.now() } = this.unfinished.get(otherHolder.holder) ?? {};
    if (losses !== this.losses || performance.now() - since < repeatedMilliseconds) {
      this.putOff(otherHolder, calls, documents);
      return;
    }
    const lost = calls.filter((call) => this.unsettled.delete(call) && !call.hasEnded);
    endLost(lost);
    // Control records the others.
    await lease.giveBack(
      otherHolder,
      documents.filter((id) => !this.hasHad(id)),
    );
  }

  /** Forgets those calls of it that the engine has not given us: the next look reads their documents again. */
  private putOff(
    otherHolder: OtherHolder,
    calls: readonly RestoredCall[],
    documents: readonly string[],
  ): void {
    this.noteUnfinished(otherHolder, documents);
    for (const call of calls) if (this.unsettled.delete(call)) forgetCall(call, this.deps.orders);
  }

  /**
   * Another process may have had it before and have written it again: one that stalled runs on before it learns that it has lost its
   * calls. Continued twice, a call would have no messages in its record, and hold its slot forever.
   */
  private hasHad(callId: string): boolean {
    const { table } = this.deps;
    return table.findUnrecorded(callId) !== undefined || table.isJustRecorded(callId);
  }

  private async adoptDialogs(
    otherHolder: OtherHolder,
    calls: readonly RestoredCall[],
    isPart: boolean,
    isRepeated: boolean,
  ): Promise<void> {
    const { engine, lease, log } = this.deps;
    const names = calls.flatMap((call) => sides.map((side) => call.dialogs[side]!.id));
    const listed = new Set<string>();
    const contacts = new Map<string, string>();
    const ended = new Set<string>();
    const adopt = async (owner: string): Promise<void> => {
      // A name that no dialog has, where there is none to take: no body would mean all of them.
      const command = isPart ? `adopt|${owner}|some` : `adopt|${owner}`;
      const { body } = await persistently(engine, command, names.join('\r\n') || '-');
      const adopted = readAdopted(body);
      for (const id of adopted.ids) listed.add(id);
      for (const id of adopted.ended) ended.add(id);
    };
    // First: the engine restores no dialog that it keeps.
    if (isRepeated) await adopt(engine.owner!);
    // The engine process may be another one than at the first attempt.
    if (otherHolder.engine !== lease.engine) {
      const dialogs = calls.flatMap(({ held }) => dialogsOf(held));
      const lost = dialogs.filter(({ leg }) => !ended.has(leg.dialog_id));
      for (const [id, contact] of await restoreDialogs(engine, lost, log)) {
        listed.add(id);
        contacts.set(id, contact);
      }
    }
    for (const owner of otherHolder.owners) await adopt(owner);
    lease.adopted(otherHolder.owners);
    for (const call of calls) {
      // Otherwise it was put off meanwhile.
      if (!this.unsettled.delete(call)) continue;
      if (announces(call, contacts)) call.media?.unsettle('contact');
      endingOnThrow(call, () => this.settle(call, listed))();
      endIfByeIsLost(call, ended);
    }
  }

  /**
   * The call with its dialogs and media, before the engine knows that it is ours; ended, when something failed halfway.
   * Undefined: the document is unusable.
   */
  private rebuild(
    document: HeldCall,
    trace: Buffer,
    otherHolder: OtherHolder,
    digest: DigestClient | undefined,
  ): RestoredCall | undefined {
    const { calls, table, engine, admission, orders, log } = this.deps;
    const { legs, media, organization, number } = document;
    if (legs.trunk === null || legs.agent === null || media === null) return undefined;
    const built: Dialog[] = [];
    let call: RestoredCall | undefined;
    try {
      for (const side of sides) built.push(engine.rebuild(legs[side]!));
      const restored = new RestoredCall(calls, document);
      call = restored;
      call.useMedia(MediaSession.restored(media, call.state.descriptions, calls.pool, call));
      table.add(call);
      if (number !== null && organization !== null)
        call.holdSlot(
          admission.adopt({ direction: document.direction, number, organization }, otherHolder.holder),
        );
      for (const slot of document.shared_slots) call.holdSlot(this.deps.places.adopt(slot));
      if (document.is_ordered && number !== null)
        call.tell = orders.adopt({ callId: document.call_id, number }, () => stopByApi(restored));
      sides.forEach((side, index) => {
        const leg = legs[side]!;
        calls.traces.expect(document.call_id, leg.sip_call_id, side, leg.role === 'uas' ? 'peer' : 'edge');
        restored.setDialog(side, built[index]!);
        attachInDialog(restored, side, built[index]!);
      });
      calls.traces.receiveCopy(trace);
      if (digest !== undefined) authenticate(built[0]!, digest);
      call.noteAdoption(otherHolder.edge_id);
      this.unsettled.set(call, otherHolder);
      return call;
    } catch (error) {
      for (const dialog of built) engine.forget(dialog);
      log.error({ call: document.call_id, error: failureText(error) }, 'A held call cannot be continued.');
      if (call === undefined || table.find(document.call_id) !== call) return undefined;
      this.deps.endLost([call]);
      return call;
    }
  }

  /** The number's credentials of that user answer the trunk's challenges again; without them the call continues all the same. */
  private async digestFor({ call_id: id, number, legs }: HeldCall): Promise<DigestClient | undefined> {
    const { trunks, secrets, log } = this.deps;
    const username = legs.trunk?.credential ?? null;
    if (username === null || number === null) return undefined;
    try {
      const document = await trunks.find(number);
      const route = document === undefined ? undefined : routeOf(document);
      const server = route?.servers.find(({ credential }) => credential?.username === username);
      return digestClientFor(secrets, server?.credential, document?.organization ?? null);
    } catch (error) {
      const text =
        'The credential of a call that was taken over is not known: its trunk may refuse our requests.';
      log.warn({ call: id, error: failureText(error) }, text);
      return undefined;
    }
  }

  /** The engine has given us its dialogs: those that it lists. */
  private settle(call: RestoredCall, listed: ReadonlySet<string>): void {
    const { held } = call;
    const missing = sides.filter((side) => !listed.has(held.legs[side]!.dialog_id));
    dropDialogs(call, missing);
    // Also when it has ended meanwhile: then its BYEs follow.
    call.acknowledge();
    if (call.hasEnded) return;
    const [lost] = missing;
    if (lost !== undefined) {
      const detail = 'Its dialog had ended when another edge took over the call.';
      call.end({ ...call.hangUpBy(lost), detail }, { reason: sipReason(503, 'Other leg lost') });
      return;
    }
    call.confirm();
    // An exchange had no outcome, so that the sides may have descriptions of different ones.
    if (held.is_modifying) call.media?.unsettle('description');
    // Its process ended between making a session for a lost one and giving it to the call.
    if (held.next_media_id !== null) void this.deps.calls.pool.deleteEverywhere(held.next_media_id);
    const { deadline } = held;
    const until = deadline?.kind === 'maximum_duration' ? deadline.at : undefined;
    const left = until === undefined ? held.maximum_seconds : (until - Date.now()) / 1_000;
    limitDuration(call, Math.max(0, left));
    watchMedia(call);
    if (held.legs.trunk?.credential != null) refreshSession(call);
    failTransfer(call, held.open_transfer);
    // Digits that were being sent ended with their process; the agent must be heard again.
    if (
      held.direction === 'outbound' &&
      call.media?.audio.isOnHold === false &&
      held.media?.plays_digits === true
    )
      call.media.audio.silenceAgent(false).catch(() => {});
    call.log.info({ media: call.media?.summary }, 'Call taken over.');
  }
}
