import { lostEntry, traceEntry } from '../../hep/trace-frame.js';
import { findCallId } from '../../sip/call-id.js';
import { detached } from '../../sip/detached.js';
import type { Clock, Timer } from '../clock.js';
import type { Flow } from '../transport/flow.js';
import type { WireObserver } from '../transport/observer.js';

/** An application that asked for the traces of its calls. */
export interface TraceTaker {
  /** False: there is no room, and the entry is lost. */
  trace(entries: string): boolean;
}

/** What has no owner yet. */
interface Held {
  entries: string;
  /** Monotonic milliseconds of the first one. */
  readonly since: number;
}

/** A request has its application within the turn; one that the engine answers itself never has. */
const holdMilliseconds = 500;
const maximumHeldBytes = 4 * 1024 * 1024;
/** Longer than a transaction lasts (64·T1): what comes later involves the application, which then becomes the owner again. */
const forgetMilliseconds = 40_000;
const maximumLost = 1_000;

/**
 * Gives each SIP message of the wire to the application that has its call: the one that last sent or was sent a message with
 * that Call-ID. Messages that belong to none go to one of the takers, as every edge forwards them to the operator's collector.
 */
export class CallTraces implements WireObserver {
  readonly counters = { sent: 0, dropped: 0 };
  private readonly takers = new Set<TraceTaker>();
  /** Owners by Call-ID, in two generations: what is not used for a generation is forgotten. */
  private owners = new Map<string, TraceTaker>();
  private earlierOwners = new Map<string, TraceTaker>();
  private rotatedAt: number;
  private readonly held = new Map<string, Held>();
  private heldBytes = 0;
  private readonly lost = new Set<string>();
  private timer: Timer | undefined;

  constructor(private readonly clock: Clock) {
    this.rotatedAt = clock.now();
  }

  get heldCount(): number {
    return this.held.size;
  }

  get ownerCount(): number {
    return this.owners.size + this.earlierOwners.size;
  }

  add(taker: TraceTaker): void {
    this.takers.add(taker);
  }

  remove(taker: TraceTaker): void {
    if (!this.takers.delete(taker)) return;
    for (const generation of [this.owners, this.earlierOwners])
      for (const [callId, owner] of generation) if (owner === taker) generation.delete(callId);
  }

  /** The application takes part in that call from now on. */
  own(callId: string, taker: TraceTaker): void {
    if (this.owners.get(callId) === taker) return;
    this.rotate();
    // A slice would keep the whole message in memory.
    this.owners.set(detached(callId), taker);
    const held = this.held.get(callId);
    if (held === undefined) return;
    this.release(callId, held);
    this.give(taker, callId, held.entries);
  }

  sent(flow: Flow, bytes: string | Buffer, at: number): void {
    if (this.takers.size > 0) this.observe('s', flow, bytes, at);
  }

  received(flow: Flow, bytes: Buffer, at: number): void {
    if (this.takers.size > 0) this.observe('r', flow, bytes, at);
  }

  private observe(direction: 'r' | 's', flow: Flow, bytes: string | Buffer, at: number): void {
    const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
    const callId = findCallId(text) ?? '';
    const entry = traceEntry(direction, flow, Math.floor(at * 1_000), callId, text);
    const owner = this.owners.get(callId) ?? this.earlierOwners.get(callId);
    if (owner !== undefined) this.give(owner, callId, entry);
    else this.hold(callId, entry);
  }

  private give(taker: TraceTaker, callId: string, entries: string): void {
    const before = this.lost.has(callId) ? lostEntry(callId) : '';
    if (taker.trace(before + entries)) {
      this.counters.sent++;
      if (before !== '') this.lost.delete(callId);
    } else this.lose(callId);
  }

  private lose(callId: string): void {
    this.counters.dropped++;
    if (this.lost.size < maximumLost) this.lost.add(detached(callId));
  }

  private hold(callId: string, entry: string): void {
    if (this.heldBytes + entry.length > maximumHeldBytes) {
      this.lose(callId);
      return;
    }
    const held = this.held.get(callId);
    if (held === undefined) this.held.set(callId, { entries: entry, since: this.clock.now() });
    else held.entries += entry;
    this.heldBytes += entry.length;
    this.timer ??= this.clock.after(holdMilliseconds, () => this.expire());
  }

  private release(callId: string, { entries }: Held): void {
    this.held.delete(callId);
    this.heldBytes -= entries.length;
  }

  /** What still has no owner goes to any taker. */
  private expire(): void {
    this.timer = undefined;
    const oldest = this.clock.now() - holdMilliseconds;
    const [taker] = this.takers;
    for (const [callId, held] of this.held) {
      if (held.since > oldest) break;
      this.release(callId, held);
      if (taker !== undefined) this.give(taker, callId, held.entries);
    }
    if (this.held.size > 0) this.timer = this.clock.after(holdMilliseconds, () => this.expire());
  }

  private rotate(): void {
    const now = this.clock.now();
    if (now - this.rotatedAt < forgetMilliseconds) return;
    this.rotatedAt = now;
    this.earlierOwners = this.owners;
    this.owners = new Map();
  }
}
