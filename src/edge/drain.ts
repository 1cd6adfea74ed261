import { pause } from '../base/pause.js';
import { within } from '../base/within.js';
import type { Call } from './call/call.js';
import type { CallTable } from './call/call-table.js';
import type { EdgeParts } from './edge-parts.js';
import { sipReason } from './sip/reason.js';
import type { Survival } from './survival/survival.js';

const handOverPollMilliseconds = 20;
const successorPollMilliseconds = 250;
/** How long an engine that was just replaced may take to have the calls of an edge that stops. */
const settleMilliseconds = 1_000;
/** The same, until another edge is known there. */
const successorMilliseconds = 5_000;

/** Why an edge stops: for good, to be started again, or because another edge takes its place. */
export type DrainPurpose = 'end' | 'restart' | 'replacement';

const goingDown = 'Server is going down';

type DrainDeps = Pick<
  EdgeParts,
  'table' | 'gate' | 'registrations' | 'life' | 'engine' | 'stream' | 'calls' | 'settings' | 'log'
>;

/** The end of an edge's calls when it stops. */
export class Drain {
  constructor(
    private readonly deps: DrainDeps,
    private readonly survival: Pick<
      Survival,
      | 'announceLeaving'
      | 'mayHaveSuccessor'
      | 'hasSuccessor'
      | 'refuseNew'
      | 'handOver'
      | 'mayLeave'
      | 'leave'
    >,
  ) {}

  /**
   * Refuses new calls, lets the others finish for at most `seconds`, ends the rest, writes the records.
   * @param purpose other than `end`: answered calls are left to the next edge instead, where the engine keeps them
   */
  async run(seconds: number, purpose: DrainPurpose): Promise<void> {
    const { table, registrations, life, engine, log } = this.deps;
    const until = performance.now() + seconds * 1_000;
    const hasSuccessor = await this.announceLeaving(purpose);
    // Before we refuse any: the engine gives new calls to the other edge.
    if (hasSuccessor) await this.survival.refuseNew();
    life.isDraining = true;
    // A connection to another engine process announces that we take calls.
    engine.on('up', () => void this.survival.refuseNew());
    log.info({ calls: table.size, seconds, hasSuccessor }, 'Draining, refusing new calls.');
    const released = registrations.stop();
    if (!hasSuccessor || !(await this.handOver(until, released)))
      await this.drainAlone(until, released, purpose !== 'end');
    await released;
  }

  /** An edge that is replaced takes calls until the other edge is known, which the engine may just have got to know itself. */
  private async announceLeaving(purpose: DrainPurpose): Promise<boolean> {
    const patience = purpose === 'replacement' ? successorMilliseconds : settleMilliseconds;
    const until = performance.now() + patience;
    if (await this.survival.announceLeaving(until)) return true;
    if (purpose !== 'replacement' || !this.survival.mayHaveSuccessor) return false;
    while (performance.now() < until) {
      await pause(successorPollMilliseconds);
      if (await this.survival.hasSuccessor()) return true;
    }
    return false;
  }

  /** Waits for the calls to end, or for another edge: one that starts meanwhile takes the answered ones. */
  private async drainAlone(until: number, released: Promise<void>, isRestarted: boolean): Promise<void> {
    const { table } = this.deps;
    const drained = table.drained().then(() => true);
    for (;;) {
      const left = Math.max(0, until - performance.now());
      if ((await within(Math.min(left, successorPollMilliseconds), drained)) === true) return;
      if (left === 0) break;
      if (!(await this.survival.hasSuccessor())) continue;
      await this.survival.refuseNew();
      if (await this.handOver(until, released)) return;
    }
    if (isRestarted && (await this.leave(released))) return;
    endAllByEdge(table, 'drained', goingDown);
    await drained;
  }

  /**
   * Leaves the answered calls to another edge, once the others have ended.
   * @param until monotonic milliseconds until which they may take
   * @returns false: no other edge stays; nothing has happened to the answered calls
   */
  private async handOver(until: number, released: Promise<void>): Promise<boolean> {
    const { table, gate, log } = this.deps;
    await this.settleOthers(until, released);
    const calls = table.size;
    const isHandedOver = await this.survival.handOver();
    if (isHandedOver) gate.leave(true);
    else gate.open();
    if (isHandedOver) log.info({ calls }, 'Handed over answered calls to another edge.');
    else log.info({ calls }, 'No other edge stays: waiting for the answered calls.');
    return isHandedOver;
  }

  /**
   * Leaves the answered calls to the engine, which keeps them for the next edge as after a crash.
   * @returns false: the engine ends with this edge, or cannot keep them; nothing has happened to the answered calls
   */
  private async leave(released: Promise<void>): Promise<boolean> {
    const { table, gate, settings, log } = this.deps;
    if (settings.drachtio === undefined || !this.survival.mayLeave) return false;
    await this.settleOthers(performance.now(), released);
    const calls = table.size;
    const isLeft = await this.survival.leave();
    if (isLeft) gate.leave(false);
    else gate.open();
    if (isLeft) log.info({ calls }, 'Left answered calls to the engine, for the next edge.');
    else log.warn({ calls }, 'Redis does not take the answered calls: ending them.');
    return isLeft;
  }

  /** Waits for calls that are not answered, or in transfer; ends those that no other edge can continue then, and closes the gate. */
  private async settleOthers(until: number, released: Promise<void>): Promise<void> {
    const { table, gate, stream } = this.deps;
    await this.settled(until);
    // A transfer under way fails, as when its edge dies; the call continues if it has both legs.
    for (const call of this.unsettled()) if (!isContinuable(call)) endByEdge(call, 'drained', goingDown);
    while (table.ending > 0) await pause(handOverPollMilliseconds);
    await released;
    // A transfer may have begun meanwhile; from here on none does.
    await this.settled(until);
    gate.close();
    // A call that has ended but is not recorded yet would get another record there.
    await stream.flush();
    const { turns, listenings } = this.deps.calls;
    await Promise.all([turns.stop(), listenings.stop()]);
  }

  /** Resolves at that time at the latest, in monotonic milliseconds. */
  private async settled(until: number): Promise<void> {
    const { table } = this.deps;
    while ((this.unsettled().length > 0 || table.ending > 0) && performance.now() < until)
      await pause(handOverPollMilliseconds);
  }

  private unsettled(): Call[] {
    const calls: Call[] = [];
    this.deps.table.forEach((call) => {
      if (call.state.phase !== 'confirmed' || call.transfer !== undefined) calls.push(call);
    });
    return calls;
  }
}

/** Ends a call that this edge, or its engine, cannot continue. */
export function endByEdge(call: Call, reason: 'drained' | 'engine_lost', text: string): void {
  const engineIsGone = reason === 'engine_lost';
  const retryAfter = String(call.deps.settings.drain.retryAfterSeconds);
  call.end(
    { reason, by: 'edge', detail: engineIsGone ? 'Lost the connection to the SIP engine.' : undefined },
    {
      answer: { status: 503, headers: { 'Retry-After': retryAfter } },
      reason: sipReason(503, text),
      engineIsGone,
    },
  );
}

/** Ends every active call of this edge. */
export function endAllByEdge(table: Pick<CallTable, 'forEach'>, reason: 'drained', text: string): void {
  table.forEach((call) => {
    endByEdge(call, reason, text);
  });
}

const isContinuable = ({ state, dialogs }: Call): boolean =>
  state.phase === 'confirmed' && dialogs.trunk !== undefined && dialogs.agent !== undefined;
