import type { SipRequest, SipResponse } from '../../sip/message.js';
import type { Timer } from '../clock.js';
import { type Flow, isReliable, type Received, TransportError } from '../transport/flow.js';
import {
  type ClientEntry,
  type ClientTable,
  clientKey,
  EndedRequest,
  type PreparedRequest,
} from './client-table.js';
import {
  isDue,
  type TransactionContext,
  TransactionStateError,
  transactionTimeout,
} from './transaction-context.js';

/** The sender of the request that an attempt carries; it is called in network order. */
export interface AttemptOwner {
  /** The first response, 100 included, is about to be handled. */
  proceeding(received: Received<SipResponse>): void;
  /** 101 to 199 of an INVITE. */
  provisional(received: Received<SipResponse>): void;
  final(received: Received<SipResponse>): void;
  further2xx(received: Received<SipResponse>): void;
  /** The attempt is over without a final from the peer. */
  failed(why: 'timeout' | 'transport', error?: TransportError): void;
  /** INVITE: the layer cancels it, because timer C has fired. */
  timerC(): void;
  /** The stream is closed after a provisional: another flow to the same peer, or undefined. Resolves; never rejects. */
  reopen(): Promise<Flow | undefined>;
}

/** A request being sent to one target: a client transaction of RFC 3261 §17.1. */
export interface Attempt {
  readonly request: SipRequest;
  readonly size: number;
  readonly flow: Flow;
  start(): void;
  stop(): void;
}

type State = 'trying' | 'proceeding' | 'completed' | 'terminated';

const predecessors: Readonly<Record<State, readonly State[]>> = {
  trying: [],
  proceeding: ['trying', 'proceeding'],
  completed: ['trying', 'proceeding'],
  terminated: ['trying', 'proceeding'],
};

/** RFC 3261 §17.1.2: any sent request but INVITE and ACK, towards one target. */
export class NonInviteClientTransaction implements Attempt, ClientEntry {
  readonly key: string;
  private state: State = 'trying';
  private timer: Timer | undefined;
  private interval: number;
  private deadline: number;
  private readonly startedAt: number;

  /** `patience`: timer F, or less while other targets are left; milliseconds. */
  constructor(
    private readonly context: TransactionContext,
    private readonly table: ClientTable,
    private readonly owner: AttemptOwner,
    private readonly prepared: PreparedRequest,
    readonly flow: Flow,
    patience: number,
  ) {
    this.key = clientKey(prepared.branch, prepared.request.method);
    this.interval = context.timers.t1;
    this.startedAt = context.clock.now();
    this.deadline = this.startedAt + patience;
  }

  get request(): SipRequest {
    return this.prepared.request;
  }

  get method(): string {
    return this.prepared.request.method;
  }

  get size(): number {
    return this.prepared.bytes.length;
  }

  start(): void {
    this.table.add(this);
    this.table.bind(this, this.flow);
    this.arm();
    this.context.transport.send(this.flow, this.prepared.bytes, (error) => this.transportFailed(error));
  }

  response(received: Received<SipResponse>): void {
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    if (received.message.status < 200) {
      this.become('proceeding');
      // A target that answers at all gets the whole of timer F, even if other targets are left.
      this.deadline = this.startedAt + transactionTimeout(this.context.timers);
      this.owner.proceeding(received);
      return;
    }
    this.become('completed');
    const lifetime = isReliable(this.flow.protocol) ? 0 : this.context.timers.t4;
    // Timer K "MUST be set to fire in T4 seconds for unreliable transports, and zero seconds for reliable transports".
    if (lifetime > 0) this.table.linger(new EndedRequest(this.context, this.key, this.method), lifetime);
    else this.table.remove(this);
    this.owner.final(received);
  }

  flowClosed(): void {
    this.transportFailed(
      this.flow.closedBecause ??
        new TransportError('closed', 'The connection was closed before an answer came.'),
    );
  }

  stop(): void {
    this.timer?.cancel();
  }

  private become(next: State): void {
    if (!predecessors[next].includes(this.state)) {
      throw new TransactionStateError(`Client transaction: ${this.state} → ${next}`);
    }
    this.state = next;
    if (next === 'proceeding') return;
    this.timer?.cancel();
    this.timer = undefined;
    this.table.unbind(this, this.flow);
  }

  private arm(): void {
    const left = Math.max(0, this.deadline - this.context.clock.now());
    const delay = isReliable(this.flow.protocol) ? left : Math.min(this.interval, left);
    this.timer = this.context.clock.after(delay, () => this.fire());
  }

  private fire(): void {
    this.timer = undefined;
    if (isDue(this.context.clock, this.deadline)) {
      this.end('timeout');
      return;
    }
    if (isReliable(this.flow.protocol)) {
      this.arm();
      return;
    }
    // Timer E: doubles up to T2 in Trying, is T2 in Proceeding.
    const { t2 } = this.context.timers;
    this.interval = this.state === 'proceeding' ? t2 : Math.min(this.interval * 2, t2);
    this.context.statistics.retransmissionsSent++;
    this.arm();
    this.context.transport.send(this.flow, this.prepared.bytes);
  }

  private transportFailed(error: TransportError): void {
    if (this.state === 'trying' || this.state === 'proceeding') this.end('transport', error);
  }

  private end(why: 'timeout' | 'transport', error?: TransportError): void {
    this.become('terminated');
    this.table.remove(this);
    this.owner.failed(why, error);
  }
}
