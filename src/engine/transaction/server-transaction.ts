import { tagOf } from '../../sip/address.js';
import type { SipRequest, SipResponse } from '../../sip/message.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import type { Timer } from '../clock.js';
import { isReliable, type Received, TransportError } from '../transport/flow.js';
import { ResponsePath } from './response-path.js';
import { AnsweredRequest, type ServerEntry, type ServerTable } from './server-table.js';
import type { ServerTransaction } from './transaction.js';
import { type TransactionContext, TransactionStateError, transactionTimeout } from './transaction-context.js';

type State = 'trying' | 'proceeding' | 'completed' | 'terminated';

const predecessors: Readonly<Record<State, readonly State[]>> = {
  trying: [],
  proceeding: ['trying', 'proceeding'],
  completed: ['trying', 'proceeding'],
  terminated: ['trying', 'proceeding', 'completed'],
};

/** RFC 3261 §17.2.2: any other request from the network. */
export class NonInviteServerTransaction implements ServerTransaction, ServerEntry {
  readonly id: string;
  readonly isInvite = false;
  readonly isCancelled = false;
  lastResponse: SipResponse | undefined;
  private state: State = 'trying';
  private readonly path: ResponsePath;
  private tag: string | undefined;
  private bytes: string | undefined;
  private timer: Timer | undefined;

  /** `silent`: answered by the layer itself, without its user. */
  constructor(
    private readonly context: TransactionContext,
    private readonly table: ServerTable,
    readonly key: string,
    readonly mergeKey: string | undefined,
    readonly received: Received<SipRequest>,
    private readonly silent = false,
  ) {
    this.id = context.newId();
    this.path = new ResponsePath(context.transport, this);
    this.timer = context.clock.after(context.limits.unanswered, () => this.abandon());
  }

  get isFinal(): boolean {
    return this.state === 'completed';
  }

  get isTerminated(): boolean {
    return this.state === 'terminated';
  }

  get toTag(): string {
    this.tag ??= tagOf(this.received.message.headers.get('To') ?? '') ?? this.context.newTag();
    return this.tag;
  }

  set toTag(tag: string) {
    this.tag = tag;
  }

  respond(response: SipResponse): number {
    if (this.isFinal)
      throw new TransactionStateError(`Response ${response.status} after the final response.`);
    if (this.state === 'terminated') throw new TransportError('closed', 'The flow of the request is closed.');
    const answered = this.lastResponse !== undefined && this.lastResponse.status > 100;
    if (!answered) this.tag = tagOf(response.headers.get('To') ?? '') ?? this.tag;
    this.lastResponse = response;
    const bytes = serialize(response);
    if (response.status < 200) {
      this.become('proceeding');
      this.bytes = bytes;
      this.path.send(bytes);
    } else this.complete(bytes, response.status < 300);
    return bytes.length;
  }

  /** Only an INVITE's 2xx is repeated by its user. */
  retransmit2xx(): void {}

  repeated(received: Received<SipRequest>): void {
    this.context.statistics.retransmissionsReceived++;
    this.path.adopt(received.flow);
    // §17.2.2: in Trying "any further request retransmissions are discarded", in Proceeding the last response is sent again.
    if (this.bytes !== undefined) this.path.send(this.bytes);
  }

  acknowledged(): boolean {
    return false;
  }

  flowClosed(): void {
    if (!this.isFinal) this.path.closed();
  }

  pathLost(): void {
    if (this.isFinal || this.isTerminated) return;
    this.become('terminated');
    this.table.settle(this);
    if (!this.silent) this.context.user.terminated(this, 'flow-closed');
  }

  stop(): void {
    this.timer?.cancel();
  }

  private become(next: State): void {
    if (!predecessors[next].includes(this.state)) {
      throw new TransactionStateError(`Server transaction: ${this.state} → ${next}`);
    }
    this.state = next;
    if (next === 'proceeding') return;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Timer J: 64·T1 over UDP, nothing over streams, where no request comes twice. */
  private complete(bytes: string, success: boolean): void {
    this.become('completed');
    this.bytes = undefined;
    if (isReliable(this.path.flow.protocol)) this.table.settle(this);
    else {
      const { transport, statistics, timers } = this.context;
      const mergeKey = success ? this.mergeKey : undefined;
      const rest = new AnsweredRequest(
        this.table,
        transport,
        statistics,
        this.key,
        mergeKey,
        this.toTag,
        bytes,
      );
      this.table.settle(this, rest, transactionTimeout(timers));
    }
    this.path.send(bytes);
  }

  /** No answer for ten minutes: a leak above. The peer must still get a final response. */
  private abandon(): void {
    this.context.statistics.unanswered++;
    this.respond(respondTo(this.received.message, 408, { toTag: this.toTag }));
    if (!this.silent) this.context.user.terminated(this, 'done');
  }
}
