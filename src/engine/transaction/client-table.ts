import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Timer } from '../clock.js';
import type { Flow, Received } from '../transport/flow.js';
import { isReliable } from '../transport/flow.js';
import { type Expiring, Lingering } from './expiry-queue.js';
import type { TransactionContext } from './transaction-context.js';

/** The table's entry for a sent request: an active transaction, or the remains of an ended one. */
export interface ClientEntry {
  readonly key: string;
  readonly method: string;
  response(received: Received<SipResponse>): void;
  stop(): void;
}

/** A transaction on a stream that may close. */
export interface ClientFlowBound {
  flowClosed(): void;
}

/**
 * RFC 3261 §17.1.3: the branch is ours and unique, only a CANCEL shares it with its INVITE. "The method is needed since
 * a CANCEL request constitutes a different transaction, but shares the same value of the branch parameter."
 */
export const clientKey = (branch: string, method: string): string =>
  method === 'CANCEL' ? `${branch}|CANCEL` : branch;

/** Client transactions by branch. */
export class ClientTable {
  private readonly entries = new Map<string, ClientEntry>();
  private readonly byFlow = new Map<string, Set<ClientFlowBound>>();
  private readonly lingering: Lingering;
  /** Kept by the requests themselves: one that changes targets counts once, also while it connects. */
  live = 0;
  private ended = 0;

  private readonly timers = new Set<Timer>();

  constructor(private readonly context: TransactionContext) {
    this.lingering = new Lingering(context.clock, context.limits.lingering);
  }

  get lingerers(): number {
    return this.ended;
  }

  /** Transactions to notify when a stream closes. */
  get bound(): number {
    let total = 0;
    for (const bound of this.byFlow.values()) total += bound.size;
    return total;
  }

  find(branch: string, method: string): ClientEntry | undefined {
    const entry = this.entries.get(clientKey(branch, method));
    return entry?.method === method ? entry : undefined;
  }

  add(entry: ClientEntry): void {
    this.entries.set(entry.key, entry);
  }

  bind(entry: ClientFlowBound, flow: Flow): void {
    if (!isReliable(flow.protocol)) return;
    const bound = this.byFlow.get(flow.id);
    if (bound === undefined) this.byFlow.set(flow.id, new Set([entry]));
    else bound.add(entry);
  }

  unbind(entry: ClientFlowBound, flow: Flow): void {
    const bound = this.byFlow.get(flow.id);
    if (bound?.delete(entry) && bound.size === 0) this.byFlow.delete(flow.id);
  }

  /** The entry is ended and only absorbs what still comes, for `lifetime`. */
  linger(entry: ClientEntry, lifetime: number): void {
    if (this.lingering.add(lifetime, new Forgetting(this, entry.key))) {
      this.entries.set(entry.key, entry);
      this.ended++;
    } else this.remove(entry);
  }

  /** A timer that ends with the layer. With 0 it calls back from a later turn of the event loop. */
  after(milliseconds: number, callback: () => void): Timer {
    const timer = this.context.clock.after(milliseconds, () => {
      this.timers.delete(timer);
      callback();
    });
    this.timers.add(timer);
    return {
      cancel: () => {
        this.timers.delete(timer);
        timer.cancel();
      },
    };
  }

  expire(key: string): void {
    this.ended--;
    this.entries.delete(key);
  }

  remove(entry: ClientEntry): void {
    if (this.entries.get(entry.key) === entry) this.entries.delete(entry.key);
  }

  flowClosed(flow: Flow): void {
    const bound = this.byFlow.get(flow.id);
    if (bound === undefined) return;
    this.byFlow.delete(flow.id);
    for (const entry of bound) entry.flowClosed();
  }

  stop(): void {
    for (const entry of this.entries.values()) entry.stop();
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
    this.lingering.clear();
    this.entries.clear();
    this.byFlow.clear();
    this.live = 0;
    this.ended = 0;
  }
}

class Forgetting implements Expiring {
  constructor(
    private readonly table: ClientTable,
    private readonly key: string,
  ) {}

  expire(): void {
    this.table.expire(this.key);
  }
}

/** An answered request: its retransmitted responses are absorbed (timer K), those to an INVITE acknowledged (timer D). */
export class EndedRequest implements ClientEntry {
  constructor(
    private readonly context: TransactionContext,
    readonly key: string,
    readonly method: string,
    private readonly flow?: Flow,
    private readonly ack?: string,
  ) {}

  response(received: Received<SipResponse>): void {
    const status = received.message.status;
    if (status < 200) return;
    // A fork that accepts after another refused must still get its ACK and BYE.
    if (this.method === 'INVITE' && status < 300) {
      this.context.user.stray2xx(received);
      return;
    }
    this.context.statistics.retransmissionsReceived++;
    if (this.ack !== undefined && this.flow !== undefined) this.context.transport.send(this.flow, this.ack);
  }

  stop(): void {}
}

/** A request as it is on the wire towards one target. */
export interface PreparedRequest {
  readonly request: SipRequest;
  readonly branch: string;
  readonly bytes: string;
}
