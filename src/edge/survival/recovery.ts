import type { Logger } from '../../base/log.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { describeCall } from '../call/held-call.js';
import { watchMedia } from '../call/watch-media.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { persistently } from '../sip/engine-commands.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { dialogsOf, restoreDialogs } from '../sip/restore-dialogs.js';
import { type AdoptedDialogs, dropDialogs, endIfByeIsLost, readAdopted } from './adopted-dialogs.js';
import type { Adoption } from './adoption.js';
import type { HolderLease } from './holder-lease.js';
import { LostLegs } from './lost-legs.js';

export interface RecoveryDeps {
  readonly engine: EngineLink;
  readonly table: CallTable;
  readonly lease: HolderLease;
  /** Ends calls whose dialogs are gone. */
  readonly endLost: (calls: readonly Call[]) => void;
  readonly graceMilliseconds: number;
  /** Continues the calls of edges that ended with the engine process before this one. Never rejects. */
  readonly adoptLost: () => Promise<void>;
  readonly adoption: Pick<Adoption, 'isUnfinished'>;
  readonly log: Logger;
}

const sides = ['trunk', 'agent'] as const;
/** Redis may come back before the calls have to end. */
const retryMilliseconds = 500;

/**
 * The connection to the engine is lost, but not the calls: the engine keeps their dialogs until this process is back, or, where it
 * was restarted, gets them from here.
 */
export class Recovery {
  private isSuspended = false;
  /** The engine that is connected has our dialogs. */
  isSettled = false;
  /** Calls that wait for the engine. Some end meanwhile, and their BYEs cannot leave. */
  private waiting: readonly Call[] = [];
  /** Calls that were confirmed when the connection was lost. Those that are answered later have their dialogs at the engine. */
  private readonly suspended = new Set<Call>();
  /** Of the connection: what an earlier one began has no effect any more. */
  private attempt = 0;
  /** Calls with an open offer when the connection was lost. */
  private readonly exchanging = new Set<Call>();
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly lostLegs: LostLegs;

  constructor(private readonly deps: RecoveryDeps) {
    this.lostLegs = new LostLegs(deps.engine, deps.log);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.retry);
  }

  /** Calls that are not confirmed have ended with the connection; the others wait. */
  down(): void {
    const { engine, table, endLost, graceMilliseconds } = this.deps;
    this.isSettled = false;
    this.attempt++;
    clearTimeout(this.retry);
    const lost: Call[] = [];
    const waiting: Call[] = [];
    table.forEach((call) => {
      if (!engine.keepsDialogs || call.state.phase !== 'confirmed') lost.push(call);
      else {
        waiting.push(call);
        this.suspended.add(call);
        if (call.exchange.isOpen) this.exchanging.add(call);
      }
    });
    // The engine may be lost again before it is up.
    this.waiting = [...this.waiting.filter(({ hasEnded }) => hasEnded), ...waiting];
    this.lostLegs.note(lost);
    endLost(lost);
    if (table.size === 0) return;
    this.isSuspended = true;
    this.timer ??= setTimeout(() => this.expire(), graceMilliseconds).unref();
  }

  /** The engine is connected, for the first time or again. */
  async up(): Promise<void> {
    const { engine, lease, endLost, log } = this.deps;
    const attempt = ++this.attempt;
    clearTimeout(this.retry);
    if (!engine.keepsDialogs || engine.owner === undefined) {
      endLost(this.giveUp());
      this.isSettled = true;
      return;
    }
    try {
      const { fields } = await persistently(engine, `owned|${engine.owner}`);
      const [instance = '', , fate] = fields;
      if (fate === 'adopted') {
        // Redis may have lost the mark.
        await lease.lose();
        return;
      }
      const before = lease.engine;
      // An engine that was not restarted ends what it is not asked for.
      if (instance === before) this.lostLegs.forget();
      else {
        this.lostLegs.noteDialogs(this.waiting.filter(({ hasEnded }) => hasEnded));
        await this.lostLegs.release();
      }
      // It does not reject when the connection is lost again.
      if (attempt !== this.attempt) return;
      this.waiting = [];
      if (this.isSuspended) {
        // Another edge may have adopted them while we were not connected.
        const isHolder = await lease.renewed().catch(() => undefined);
        if (isHolder === false || attempt !== this.attempt) return;
        if (isHolder === undefined) {
          // Redis is down, so that this is unknown; the engine keeps the dialogs for as long as we wait.
          if (engine.isUp) this.upAgain();
          return;
        }
        await this.continueCalls(instance === before);
        if (attempt !== this.attempt) return;
        this.settle();
        this.isSuspended = false;
        this.suspended.clear();
        clearTimeout(this.timer);
        this.timer = undefined;
      }
      lease.begin(instance, engine.owner, engine.advertisedListeners);
      this.isSettled = true;
      const { adoption, adoptLost } = this.deps;
      const keptOthers = adoption.isUnfinished;
      await adoptLost();
      if (attempt !== this.attempt) return;
      // Ends the kept dialogs that no call has taken.
      if (keptOthers && !adoption.isUnfinished) await persistently(engine, `adopt|${engine.owner}`, '-');
      await persistently(engine, 'restored');
    } catch (error) {
      // The connection is lost again, or the time for it runs out.
      log.warn({ error: failureText(error) }, 'Continuing the calls after a loss of the SIP engine failed.');
      if (engine.isUp && attempt === this.attempt) this.upAgain();
    }
  }

  private upAgain(): void {
    this.retry = setTimeout(() => void this.up(), retryMilliseconds).unref();
  }

  /**
   * Takes the dialogs that the engine has kept. Another engine process than before knows none of them, or those that it got over a
   * connection that was lost as well; it gets the others.
   */
  private async continueCalls(isSameEngine: boolean): Promise<void> {
    const { engine, log } = this.deps;
    const calls = this.confirmed();
    const held = isSameEngine ? [] : calls.flatMap((call) => describeCall(call) ?? []);
    const { ids, ended } = await this.adopt(calls);
    const unknown = held.flatMap(dialogsOf).filter(({ leg }) => !ids.has(leg.dialog_id));
    const restored =
      unknown.length === 0 ? new Map<string, string>() : await restoreDialogs(engine, unknown, log);
    this.endIncomplete(calls, (id) => ids.has(id) || restored.has(id));
    for (const call of calls) endIfByeIsLost(call, ended);
    const what = isSameEngine
      ? 'Continued the calls after the connection to the SIP engine was lost.'
      : 'Restored the calls in a SIP engine that was restarted.';
    log.info({ calls: calls.length }, what);
  }

  /** What was under way when the connection was lost has no outcome. */
  private settle(): void {
    for (const call of this.confirmed()) {
      call.transfer?.connectionLost();
      if (!this.exchanging.has(call) || call.media === undefined) continue;
      // The sides may have descriptions of different exchanges.
      call.media.unsettle('description');
      watchMedia(call);
    }
    this.exchanging.clear();
  }

  private confirmed(): Call[] {
    return [...this.suspended].filter(({ state }) => state.phase === 'confirmed');
  }

  private async adopt(calls: readonly Call[]): Promise<AdoptedDialogs> {
    const { engine, adoption } = this.deps;
    for (const { dialogs } of calls)
      for (const side of sides) if (dialogs[side] !== undefined) engine.rebind(dialogs[side]);
    const names = calls.flatMap((call) => sides.flatMap((side) => call.dialogs[side]?.id ?? []));
    const command = `adopt|${engine.owner}${adoption.isUnfinished ? '|some' : ''}`;
    const { body } = await persistently(engine, command, names.join('\r\n') || '-');
    return readAdopted(body);
  }

  /** Ends the calls that the engine lacks a dialog of; where it has the other one, its peer gets BYE. */
  private endIncomplete(calls: readonly Call[], isThere: (id: string) => boolean): void {
    const lost: Call[] = [];
    for (const call of calls) {
      const missing = missingSides(call, isThere);
      const detail = `The SIP engine does not have the dialog of the ${missing[0]} any more.`;
      if (missing.length === sides.length) lost.push(call);
      else if (missing.length > 0) endWithBye(call, missing, detail, 'Other leg lost');
    }
    this.deps.endLost(lost);
  }

  private expire(): void {
    const { engine, endLost } = this.deps;
    const lost = this.giveUp();
    if (lost.length > 0 && engine.isUp && engine.keepsDialogs) void this.hangUp(lost);
    else endLost(lost);
  }

  /** Waits no more; the calls that were waited for. */
  private giveUp(): Call[] {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isSuspended) return [];
    this.isSuspended = false;
    this.exchanging.clear();
    const lost = this.confirmed();
    this.suspended.clear();
    return lost;
  }

  /** The engine is connected, but the calls were not continued in time: their peers get BYE. Never rejects. */
  private async hangUp(calls: readonly Call[]): Promise<void> {
    const { engine, lease, endLost, log } = this.deps;
    const before = lease.engine;
    try {
      const { fields } = await persistently(engine, `owned|${engine.owner}`);
      const [instance, , fate] = fields;
      if (fate === 'adopted') {
        await lease.lose();
        return;
      }
      const { ids } = await this.adopt(calls);
      if (instance !== before) {
        // It ends those that it does not know.
        this.lostLegs.noteDialogs(calls);
        await this.lostLegs.release();
      }
      this.endIncomplete(calls, (id) => ids.has(id));
      const detail = 'The SIP engine was connected again, but the call was not continued in time.';
      for (const call of calls) if (!call.hasEnded) endWithBye(call, [], detail, 'Engine lost');
    } catch (error) {
      log.warn({ error: failureText(error) }, 'Ending the calls after a loss of the SIP engine failed.');
      endLost(calls);
    }
  }
}

const missingSides = ({ dialogs }: Call, isThere: (id: string) => boolean): MediaSide[] =>
  sides.filter((side) => dialogs[side] === undefined || !isThere(dialogs[side].id));

/** @param missing sides whose peers the engine cannot reach */
function endWithBye(call: Call, missing: readonly MediaSide[], detail: string, text: string): void {
  dropDialogs(call, missing);
  // With the connection, its new party's INVITE or dialog has ended.
  call.transfer?.connectionLost();
  call.end({ reason: 'engine_lost', by: 'edge', detail }, { reason: sipReason(503, text) });
}
