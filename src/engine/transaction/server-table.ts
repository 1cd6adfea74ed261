import type { SipRequest } from '../../sip/message.js';
import type { Flow, Received, Transport } from '../transport/flow.js';
import { isReliable, responseFlowOf } from '../transport/flow.js';
import { type Expiring, Lingering } from './expiry-queue.js';
import type { TransactionContext, TransactionStatistics } from './transaction-context.js';

/** The table's entry for a request: an active transaction, or the remains of an answered one. */
export interface ServerEntry {
  readonly key: string;
  readonly mergeKey: string | undefined;
  readonly toTag: string;
  /** The same request came again. */
  repeated(received: Received<SipRequest>): void;
  /** An ACK for this INVITE; true: it was for a non-2xx and is absorbed here. */
  acknowledged(received: Received<SipRequest>): boolean;
  stop(): void;
}

/** A transaction whose request came by a stream that may close. */
export interface FlowBound {
  readonly received: Received<SipRequest>;
  flowClosed(): void;
}

/** Server transactions by what requests are matched to (RFC 3261 §17.2.3). The table is not the transaction. */
export class ServerTable {
  private readonly entries = new Map<string, ServerEntry>();
  private readonly merged = new Map<string, ServerEntry>();
  private readonly byFlow = new Map<string, Set<FlowBound>>();
  private readonly lingering: Lingering;
  private liveCount = 0;

  constructor(context: TransactionContext) {
    this.lingering = new Lingering(context.clock, context.limits.lingering);
  }

  /** Without a final, or refused and not yet acknowledged. */
  get live(): number {
    return this.liveCount;
  }

  get lingerers(): number {
    return this.entries.size - this.liveCount;
  }

  /** Transactions to notify when a stream closes. */
  get bound(): number {
    let total = 0;
    for (const bound of this.byFlow.values()) total += bound.size;
    return total;
  }

  find(key: string): ServerEntry | undefined {
    return this.entries.get(key);
  }

  /** The transaction, still open or answered 2xx, of another copy of the request. */
  findMerged(mergeKey: string): ServerEntry | undefined {
    return this.merged.get(mergeKey);
  }

  add(entry: ServerEntry & FlowBound): void {
    this.entries.set(entry.key, entry);
    this.liveCount++;
    if (entry.mergeKey !== undefined && !this.merged.has(entry.mergeKey))
      this.merged.set(entry.mergeKey, entry);
    const flow = entry.received.flow;
    if (!isReliable(flow.protocol)) return;
    const bound = this.byFlow.get(flow.id);
    if (bound === undefined) this.byFlow.set(flow.id, new Set([entry]));
    else bound.add(entry);
  }

  /** The request has a final response; the closing of its flow no longer matters. */
  answered(entry: ServerEntry & FlowBound, success: boolean): void {
    this.unbind(entry);
    // A proxy may retry us with the same CSeq after a refusal (serial forking): only a success counts as ongoing for §8.2.2.2.
    if (!success) this.forgetMerge(entry);
  }

  /** Replaces an active transaction by an entry that absorbs retransmissions for `lifetime`, or by nothing. */
  settle(entry: ServerEntry & FlowBound, rest?: AnsweredRequest, lifetime = 0): void {
    if (this.entries.get(entry.key) !== entry) return;
    this.liveCount--;
    this.unbind(entry);
    if (rest !== undefined && this.linger(rest, lifetime)) {
      if (rest.mergeKey !== undefined && this.merged.get(rest.mergeKey) === entry)
        this.merged.set(rest.mergeKey, rest);
    } else this.entries.delete(entry.key);
    this.forgetMerge(entry);
  }

  /** Remembers an answer that never had an active transaction (200 to CANCEL). */
  linger(rest: AnsweredRequest, lifetime: number): boolean {
    if (!this.lingering.add(lifetime, rest)) return false;
    this.entries.set(rest.key, rest);
    return true;
  }

  forget(rest: AnsweredRequest): void {
    if (this.entries.get(rest.key) === rest) this.entries.delete(rest.key);
    this.forgetMerge(rest);
  }

  flowClosed(flow: Flow): void {
    const bound = this.byFlow.get(flow.id);
    if (bound === undefined) return;
    this.byFlow.delete(flow.id);
    for (const entry of bound) entry.flowClosed();
  }

  stop(): void {
    for (const entry of this.entries.values()) entry.stop();
    this.lingering.clear();
    this.entries.clear();
    this.merged.clear();
    this.byFlow.clear();
    this.liveCount = 0;
  }

  private forgetMerge(entry: ServerEntry): void {
    if (entry.mergeKey !== undefined && this.merged.get(entry.mergeKey) === entry)
      this.merged.delete(entry.mergeKey);
  }

  private unbind(entry: FlowBound): void {
    const flow = entry.received.flow;
    const bound = this.byFlow.get(flow.id);
    if (bound?.delete(entry) && bound.size === 0) this.byFlow.delete(flow.id);
  }
}

/**
 * The remains of an answered request: just enough to absorb or answer retransmissions (timers I, J, L).
 * Small on purpose, since tens of thousands may linger.
 */
export class AnsweredRequest implements ServerEntry, Expiring {
  constructor(
    private readonly table: ServerTable,
    private readonly transport: Transport,
    private readonly statistics: TransactionStatistics,
    readonly key: string,
    readonly mergeKey: string | undefined,
    readonly toTag: string,
    /** Absent: the request is absorbed in silence (RFC 6026 §7.1, Accepted; RFC 3261 §17.2.1, Confirmed). */
    private readonly answer?: string,
    private readonly absorbsAck = false,
  ) {}

  repeated(received: Received<SipRequest>): void {
    this.statistics.retransmissionsReceived++;
    if (this.answer !== undefined) this.transport.send(responseFlowOf(received), this.answer);
  }

  acknowledged(): boolean {
    return this.absorbsAck;
  }

  expire(): void {
    this.table.forget(this);
  }

  stop(): void {}
}
