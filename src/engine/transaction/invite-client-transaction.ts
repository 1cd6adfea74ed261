import type { SipRequest, SipResponse } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { Timer } from '../clock.js';
import { type Flow, isReliable, type Received, TransportError } from '../transport/flow.js';
import { type ClientEntry, type ClientTable, EndedRequest, type PreparedRequest } from './client-table.js';
import { type Attempt, type AttemptOwner, NonInviteClientTransaction } from './client-transaction.js';
import { ackFor, cancelFor } from './derived-requests.js';
import type { SentRequest } from './transaction.js';
import {
  isDue,
  type TransactionContext,
  TransactionStateError,
  transactionTimeout,
} from './transaction-context.js';

type State = 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

const predecessors: Readonly<Record<State, readonly State[]>> = {
  calling: [],
  proceeding: ['calling', 'proceeding'],
  completed: ['calling', 'proceeding'],
  accepted: ['calling', 'proceeding'],
  terminated: ['calling', 'proceeding'],
};

/** RFC 3261 §17.1.1 with RFC 6026 §7.2: a sent INVITE, towards one target. */
export class InviteClientTransaction implements Attempt, ClientEntry {
  readonly key: string;
  readonly method = 'INVITE';
  readonly request: SipRequest;
  readonly size: number;
  /** Emptied when the request will not be sent again. */
  private bytes: string;
  private state: State = 'calling';
  private timer: Timer | undefined;
  private interval: number;
  private deadline: number;
  private currentFlow: Flow;
  private isReopening = false;
  /** Headers of a CANCEL that waits for a provisional response. */
  private wanted: readonly (readonly [string, string])[] | undefined;
  private cancelled: SentRequest | undefined;
  /** The layer gave the INVITE up (timeout, next target); its user no longer waits for it. */
  private isAbandoned = false;

  /** `patience`: timer B, or less while other targets are left; milliseconds. */
  constructor(
    private readonly context: TransactionContext,
    private readonly table: ClientTable,
    private readonly owner: AttemptOwner,
    prepared: PreparedRequest,
    flow: Flow,
    patience: number,
  ) {
    this.key = prepared.branch;
    this.request = prepared.request;
    this.bytes = prepared.bytes;
    this.size = prepared.bytes.length;
    this.currentFlow = flow;
    this.interval = context.timers.t1;
    this.deadline = context.clock.now() + patience;
  }

  get flow(): Flow {
    return this.currentFlow;
  }

  start(): void {
    this.table.add(this);
    this.table.bind(this, this.currentFlow);
    this.arm();
    this.context.transport.send(this.currentFlow, this.bytes, (error) => this.sendingFailed(error));
  }

  /** A process that is gone has sent the INVITE, and the peer has responded to it: only its CANCEL goes out. */
  takeUp(extra: readonly (readonly [string, string])[]): void {
    this.table.add(this);
    this.table.bind(this, this.currentFlow);
    this.become('proceeding');
    this.wanted = extra;
    this.sendCancel();
  }

  /** RFC 3261 §9.1: "If no provisional response has been received, the CANCEL request MUST NOT be sent". */
  cancel(extra: readonly (readonly [string, string])[]): SentRequest | undefined {
    if (this.cancelled !== undefined) return this.cancelled;
    this.wanted ??= extra;
    return this.state === 'proceeding' && !this.isReopening ? this.sendCancel() : undefined;
  }

  response(received: Received<SipResponse>): void {
    const status = received.message.status;
    if (this.state === 'accepted') {
      if (status >= 200 && status < 300) this.owner.further2xx(received);
    } else if (this.isAbandoned) this.lateResponse(received);
    else if (this.state !== 'calling' && this.state !== 'proceeding') return;
    else if (status < 200) this.provisional(received);
    else if (status < 300) this.accept(received);
    else this.refused(received);
  }

  flowClosed(): void {
    const error = new TransportError('closed', 'The connection was closed before a final answer came.');
    if (this.state === 'calling') this.end('transport', error);
    else if (this.state === 'proceeding') void this.reopen(error);
  }

  stop(): void {
    this.timer?.cancel();
  }

  private become(next: State): void {
    if (!predecessors[next].includes(this.state)) {
      throw new TransactionStateError(`INVITE client transaction: ${this.state} → ${next}`);
    }
    this.state = next;
    this.timer?.cancel();
    this.timer = undefined;
    this.bytes = '';
    if (next !== 'proceeding') this.table.unbind(this, this.currentFlow);
  }

  private provisional(received: Received<SipResponse>): void {
    const first = this.state === 'calling';
    if (first) {
      this.become('proceeding');
      this.owner.proceeding(received);
    }
    if (this.wanted !== undefined && this.cancelled === undefined) {
      if (!this.isReopening) this.sendCancel();
    } else if (this.cancelled === undefined && (first || received.message.status > 100)) this.startTimerC();
    if (received.message.status > 100) this.owner.provisional(received);
  }

  /** RFC 6026 §7.2: Accepted for timer M, so that further 2xx (other forks, retransmissions) reach the user. */
  private accept(received: Received<SipResponse>): void {
    this.become('accepted');
    this.table.linger(this, transactionTimeout(this.context.timers));
    this.owner.final(received);
  }

  private refused(received: Received<SipResponse>): void {
    this.become('completed');
    this.acknowledge(received);
    this.owner.final(received);
  }

  /** The ACK goes where the INVITE went; over UDP it is repeated for each copy of the final until timer D. */
  private acknowledge(received: Received<SipResponse>): void {
    const ack = serialize(ackFor(this.request, received.message));
    const flow = this.currentFlow.isOpen ? this.currentFlow : received.flow;
    this.context.transport.send(flow, ack);
    if (this.isAbandoned) return;
    if (isReliable(flow.protocol)) this.table.remove(this);
    else {
      const rest = new EndedRequest(this.context, this.key, this.method, flow, ack);
      // Timer D, "at least 32 seconds" (§17.1.1.2): as long as the peer's timer H repeats its final, which T1 scales.
      this.table.linger(rest, transactionTimeout(this.context.timers));
    }
  }

  /** The answer isn't needed any more, but the peer must not be left ringing, without ACK, or in a call without a caller. */
  private lateResponse(received: Received<SipResponse>): void {
    const status = received.message.status;
    if (status < 200) {
      if (this.cancelled === undefined) this.sendCancel();
    } else if (status < 300) this.context.user.stray2xx(received);
    else this.acknowledge(received);
  }

  private sendCancel(): SentRequest {
    const request = cancelFor(this.request, this.wanted ?? []);
    const bytes = serialize(request);
    this.cancelled = { request, size: bytes.length };
    const prepared = { request, branch: this.key, bytes };
    const patience = transactionTimeout(this.context.timers);
    new NonInviteClientTransaction(
      this.context,
      this.table,
      unheard,
      prepared,
      this.currentFlow,
      patience,
    ).start();
    if (this.state === 'proceeding') {
      // §9.1: without a final within 64*T1 "the client SHOULD then consider the original transaction cancelled".
      this.timer?.cancel();
      this.deadline = this.context.clock.now() + patience;
      this.arm();
    }
    return this.cancelled;
  }

  private startTimerC(): void {
    this.timer?.cancel();
    this.deadline = this.context.clock.now() + this.context.limits.noFinal;
    this.arm();
  }

  private arm(): void {
    const left = Math.max(0, this.deadline - this.context.clock.now());
    const repeats = this.state === 'calling' && !isReliable(this.currentFlow.protocol);
    this.timer = this.context.clock.after(repeats ? Math.min(this.interval, left) : left, () => this.fire());
  }

  private fire(): void {
    this.timer = undefined;
    if (!isDue(this.context.clock, this.deadline)) {
      if (this.state !== 'calling') {
        this.arm();
        return;
      }
      // Timer A, over UDP: "the client transaction MUST retransmit the request"; it doubles without bound until timer B.
      this.interval *= 2;
      this.context.statistics.retransmissionsSent++;
      this.arm();
      this.context.transport.send(this.currentFlow, this.bytes);
    } else if (this.state === 'proceeding' && this.cancelled === undefined) {
      this.owner.timerC();
      this.sendCancel();
    } else this.end('timeout');
  }

  private sendingFailed(error: TransportError): void {
    if (this.state === 'calling') this.end('transport', error);
  }

  /** The peer has the INVITE and may come back by a new connection (§18.2.2); when it cannot be reached it is gone. */
  private async reopen(error: TransportError): Promise<void> {
    if (this.isReopening) return;
    this.isReopening = true;
    const flow = await this.owner.reopen();
    this.isReopening = false;
    if (this.state !== 'proceeding') return;
    if (flow === undefined) this.end('transport', error);
    else {
      this.currentFlow = flow;
      this.table.bind(this, flow);
      if (this.wanted !== undefined && this.cancelled === undefined) this.sendCancel();
    }
  }

  private end(why: 'timeout' | 'transport', error?: TransportError): void {
    this.become('terminated');
    // A silent peer may still answer, perhaps while another target is tried.
    if (why === 'timeout') {
      this.isAbandoned = true;
      this.table.linger(this, transactionTimeout(this.context.timers));
    } else this.table.remove(this);
    this.owner.failed(why, error);
  }
}

/** The answer to a CANCEL has no meaning: the INVITE's final response decides (wire protocol §6.6). */
export const unheard: AttemptOwner = {
  proceeding() {},
  provisional() {},
  final() {},
  further2xx() {},
  failed() {},
  timerC() {},
  reopen: () => Promise.resolve(undefined),
};
