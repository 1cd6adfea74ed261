import { tagOf } from '../../sip/address.js';
import { detached } from '../../sip/detached.js';
import { Headers } from '../../sip/headers.js';
import { newRequest, type SipRequest, type SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import type { Timer } from '../clock.js';
import { isReliable, type Received, TransportError } from '../transport/flow.js';
import { ResponsePath } from './response-path.js';
import { AnsweredRequest, type ServerEntry, type ServerTable } from './server-table.js';
import type { ServerTransaction } from './transaction.js';
import {
  isDue,
  type TransactionContext,
  TransactionStateError,
  transactionTimeout,
} from './transaction-context.js';

/** Of T1: the 200 ms within which §17.2.1 wants the 100. */
const tryingShare = 0.4;

type State = 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

const predecessors: Readonly<Record<State, readonly State[]>> = {
  proceeding: [],
  completed: ['proceeding'],
  confirmed: ['completed'],
  accepted: ['proceeding'],
  terminated: ['proceeding', 'completed', 'confirmed', 'accepted'],
};

/**
 * RFC 3261 §17.2.1 with RFC 6026 §7.1: an INVITE from the network. 100 waits a moment: for the user's first response, with which it
 * leaves in one write, or for a refusal, which replaces it. Over UDP the source may be forged, so that nothing is sent unasked
 * before a provisional response has stopped the caller's retransmissions: a refusal without 100 is not repeated by timer G, but
 * for each copy of the INVITE (§8.2.7).
 */
export class InviteServerTransaction implements ServerTransaction, ServerEntry {
  readonly id: string;
  readonly isInvite = true;
  isCancelled = false;
  lastResponse: SipResponse | undefined;
  private request: Received<SipRequest>;
  private state: State = 'proceeding';
  private readonly path: ResponsePath;
  private tag: string | undefined;
  private bytes: string | undefined;
  private timer: Timer | undefined;
  private tryingTimer: Timer | undefined;
  private hasProvisional = false;
  /** Of timer G; 0 before the first. */
  private interval = 0;
  /** End of timer H (Completed) or L (Accepted). */
  private deadline = 0;

  /** `silent`: answered by the layer itself, without its user. */
  constructor(
    private readonly context: TransactionContext,
    private readonly table: ServerTable,
    readonly key: string,
    readonly mergeKey: string | undefined,
    received: Received<SipRequest>,
    private readonly silent = false,
  ) {
    this.id = context.newId();
    this.request = received;
    this.path = new ResponsePath(context.transport, this);
    this.timer = context.clock.after(context.limits.unanswered, () => this.abandon());
  }

  get received(): Received<SipRequest> {
    return this.request;
  }

  get isFinal(): boolean {
    return this.lastResponse !== undefined && this.lastResponse.status >= 200;
  }

  get isTerminated(): boolean {
    return (
      this.state === 'terminated' || (this.state === 'accepted' && isDue(this.context.clock, this.deadline))
    );
  }

  get toTag(): string {
    this.tag ??= tagOf(this.request.message.headers.get('To') ?? '') ?? this.context.newTag();
    return this.tag;
  }

  set toTag(tag: string) {
    this.tag = tag;
  }

  /** The 100 of §17.2.1, unless the user refuses first. A retransmitted INVITE gets it at once, and again. */
  trying(): void {
    if (this.bytes !== undefined || this.state !== 'proceeding') return;
    const { clock, timers } = this.context;
    this.tryingTimer = clock.after(tryingShare * timers.t1, () => this.sendTrying());
  }

  respond(response: SipResponse): number {
    if (this.isFinal)
      throw new TransactionStateError(`Response ${response.status} after the final response.`);
    if (this.state === 'terminated') throw new TransportError('closed', 'The flow of the request is closed.');
    const answered = this.lastResponse !== undefined && this.lastResponse.status > 100;
    if (!answered) this.tag = tagOf(response.headers.get('To') ?? '') ?? this.tag;
    // Some callers rely on getting it before anything else.
    if (this.tryingTimer !== undefined && response.status > 100 && response.status < 300) this.sendTrying();
    this.lastResponse = response;
    const bytes = serialize(response);
    this.bytes = bytes;
    this.tryingTimer?.cancel();
    if (response.status < 200) {
      this.hasProvisional = true;
      this.path.send(bytes);
    } else if (response.status < 300) this.accept(bytes);
    else this.refuse(bytes);
    return bytes.length;
  }

  retransmit2xx(): void {
    if (this.state !== 'accepted' || this.isTerminated) return;
    this.context.statistics.retransmissionsSent++;
    this.path.send(this.bytes!);
  }

  repeated(received: Received<SipRequest>): void {
    this.context.statistics.retransmissionsReceived++;
    this.path.adopt(received.flow);
    // §17.2.1: "the most recent provisional response"; in Completed likewise the final.
    if (this.bytes !== undefined) this.path.send(this.bytes);
    else if (this.state === 'proceeding') this.sendTrying();
  }

  acknowledged(): boolean {
    // An ACK before any final response acknowledges nothing.
    if (this.state !== 'completed') return true;
    this.confirm();
    return true;
  }

  flowClosed(): void {
    if (this.state === 'proceeding') this.path.closed();
  }

  pathLost(): void {
    if (this.state !== 'proceeding') return;
    this.terminate();
    if (!this.silent) this.context.user.terminated(this, 'flow-closed');
  }

  stop(): void {
    this.timer?.cancel();
    this.tryingTimer?.cancel();
  }

  private sendTrying(): void {
    this.tryingTimer?.cancel();
    this.tryingTimer = undefined;
    this.hasProvisional = true;
    this.bytes = serialize(respondTo(this.request.message, 100));
    this.path.send(this.bytes);
  }

  private become(next: State): void {
    if (!predecessors[next].includes(this.state)) {
      throw new TransactionStateError(`INVITE server transaction: ${this.state} → ${next}`);
    }
    this.state = next;
    this.timer?.cancel();
    this.timer = undefined;
    this.tryingTimer?.cancel();
  }

  /** RFC 6026 §7.1: a 2xx leads to Accepted for timer L; INVITEs that come again are absorbed, ACKs go up. */
  private accept(bytes: string): void {
    this.become('accepted');
    const lifetime = transactionTimeout(this.context.timers);
    this.deadline = this.context.clock.now() + lifetime;
    this.table.settle(this, this.rest(false), lifetime);
    this.path.send(bytes);
  }

  private refuse(bytes: string): void {
    this.become('completed');
    this.table.answered(this, false);
    const lifetime = transactionTimeout(this.context.timers);
    if (!this.hasProvisional && !isReliable(this.path.flow.protocol)) {
      this.table.settle(this, this.rest(true, bytes), lifetime);
      this.state = 'terminated';
      this.path.send(bytes);
      return;
    }
    this.deadline = this.context.clock.now() + lifetime;
    this.path.send(bytes);
    this.arm();
  }

  /** Completed: timer G (only over UDP: "for reliable transports, timer G is not set") and timer H. */
  private arm(): void {
    const { t1, t2 } = this.context.timers;
    this.interval = this.interval === 0 ? t1 : Math.min(this.interval * 2, t2);
    const left = this.deadline - this.context.clock.now();
    const repeats = !isReliable(this.path.flow.protocol) || this.interval === t1;
    this.timer = this.context.clock.after(Math.max(0, repeats ? Math.min(this.interval, left) : left), () =>
      this.fire(),
    );
  }

  private fire(): void {
    this.timer = undefined;
    if (isDue(this.context.clock, this.deadline)) {
      // §17.2.1: "If timer H fires while in the Completed state, it implies that the ACK was never received."
      this.terminate();
      if (!this.silent) this.context.user.terminated(this, 'no-ack');
      return;
    }
    if (this.interval === this.context.timers.t1) this.request = identifyingPart(this.request);
    if (!isReliable(this.path.flow.protocol)) {
      this.context.statistics.retransmissionsSent++;
      this.path.send(this.bytes!);
    }
    this.arm();
  }

  /** Timer I absorbs further ACKs: T4 over UDP, nothing over streams. */
  private confirm(): void {
    this.become('confirmed');
    const lifetime = isReliable(this.path.flow.protocol) ? 0 : this.context.timers.t4;
    this.table.settle(this, lifetime > 0 ? this.rest(true) : undefined, lifetime);
    this.state = 'terminated';
  }

  private terminate(): void {
    this.become('terminated');
    this.table.settle(this);
  }

  private rest(absorbsAck: boolean, answer?: string): AnsweredRequest {
    const { transport, statistics } = this.context;
    const mergeKey = absorbsAck ? undefined : this.mergeKey;
    return new AnsweredRequest(
      this.table,
      transport,
      statistics,
      this.key,
      mergeKey,
      this.toTag,
      answer,
      absorbsAck,
    );
  }

  /** No answer for ten minutes: a leak above. The peer must still get a final response. */
  private abandon(): void {
    this.context.statistics.unanswered++;
    this.respond(respondTo(this.request.message, 408, { toTag: this.toTag }));
    if (!this.silent) this.context.user.terminated(this, 'done');
  }
}

/** Copies the little that is needed; a mere reference would keep the whole message in memory. */
function identifyingPart(received: Received<SipRequest>): Received<SipRequest> {
  const { message, flow, size, at } = received;
  const headers = new Headers();
  for (const name of ['Via', 'From', 'To', 'Call-ID', 'CSeq']) {
    for (const value of message.headers.lines(name)) headers.add(name, detached(value));
  }
  return { message: newRequest(message.method, detached(message.uri), headers), flow, size, at };
}
