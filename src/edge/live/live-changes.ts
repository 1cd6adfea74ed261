import { type LiveEvent, maximumLiveCalls } from '../../contract/live.js';
import type { Call } from '../call/call.js';
import { endOf, stateOf, viewOf } from './live-view.js';

/** What one look at the calls brought: fields of the hash to write and to delete, and what happened. */
export interface LiveChanges {
  readonly written: [callId: string, json: string][];
  readonly deleted: string[];
  readonly events: LiveEvent[];
  /** More happened than was published. */
  readonly lost: boolean;
}

/** Events of one tick; a burst beyond it is published in the hash alone. */
const maximumEvents = 300;
/** Calls made into JSON in one look, a few milliseconds; the others wait for the next one. */
const maximumWritten = 500;
/** A new call is published once admission has found its organization, or after this time. */
const unknownMilliseconds = 2_000;

/**
 * Compares the calls with the published state. A tick costs one comparison per call; only changes are serialized to JSON.
 * Calls that begin and end between two ticks are published as ended.
 */
export class LiveCallChanges {
  /** Call id → what was published: its state, and whether its organization was known. */
  private readonly written = new Map<string, string>();
  private ended: Call[] = [];
  /** Ids of published calls that another edge has. */
  private left: string[] = [];
  private hasLost = false;

  /** Calls that were published and have not ended. */
  get size(): number {
    return this.written.size;
  }

  /** Every call that ends; those that leave no record leave no event either. */
  noteEnd(call: Call): void {
    const isWritten = this.written.has(call.state.id);
    if (!isWritten && (call.state.isUnrecorded || call.state.isChallenged)) return;
    if (isWritten || this.ended.length < maximumEvents) this.ended.push(call);
    else this.hasLost = true;
  }

  /** Another edge publishes the call from now on. */
  noteLeft(call: Call): void {
    if (this.written.delete(call.state.id)) this.left.push(call.state.id);
  }

  /** Publishes everything again at the next tick: what was published is lost. */
  forget(): void {
    this.written.clear();
    this.ended = [];
    this.left = [];
    this.hasLost = true;
  }

  /** @param settled called for each call that changes no more before it ends: it is answered, and that was published */
  look(
    calls: { forEach(visit: (call: Call) => void): void },
    now: number = Date.now(),
    settled: (call: Call) => void = () => {},
  ): LiveChanges {
    const written: LiveChanges['written'] = [];
    const events: LiveEvent[] = [];
    const deleted = this.left.splice(0);
    let lost = this.hasLost;
    this.hasLost = false;
    const tell = (event: LiveEvent): void => {
      if (events.length < maximumEvents) events.push(event);
      else lost = true;
    };
    calls.forEach((call) => {
      const { id, organization, startedAt } = call.state;
      const state = stateOf(call);
      const entry = organization === null ? `${state} of no organization` : state;
      const before = this.written.get(id);
      if (before === entry) {
        if (entry === 'answered') settled(call);
        return;
      }
      if (written.length >= maximumWritten) {
        lost = true;
        return;
      }
      if (before === undefined) {
        if (organization === null && now - startedAt < unknownMilliseconds) return;
        if (this.written.size >= maximumLiveCalls) return;
      }
      this.written.set(id, entry);
      const view = viewOf(call);
      written.push([id, JSON.stringify(view)]);
      tell({ change: before === undefined || state === 'setup' ? 'began' : state, call: view, end: null });
    });
    for (const call of this.ended.splice(0)) {
      if (this.written.delete(call.state.id)) deleted.push(call.state.id);
      const end = endOf(call);
      if (end !== undefined) tell({ change: 'ended', call: viewOf(call), end });
    }
    return { written, deleted, events, lost };
  }
}
