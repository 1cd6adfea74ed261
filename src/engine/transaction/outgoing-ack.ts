import type { SipRequest } from '../../sip/message.js';
import { type Flow, type Target, TransportError } from '../transport/flow.js';
import type { PreparedRequest } from './client-table.js';
import { prepare } from './derived-requests.js';
import type { SendOptions, SentAck } from './transaction.js';
import type { TransactionContext } from './transaction-context.js';

/**
 * The ACK to a 2xx (RFC 3261 §13.2.2.4): a new branch, no transaction. When no target can be reached it is lost;
 * the peer's next 2xx has its user send it again.
 */
export class OutgoingAck implements SentAck {
  flow: Flow | undefined;
  private prepared: PreparedRequest | undefined;

  constructor(
    private readonly context: TransactionContext,
    private readonly original: SipRequest,
    private readonly options: SendOptions,
  ) {}

  get request(): SipRequest {
    return this.prepared?.request ?? this.original;
  }

  get size(): number {
    return this.prepared?.bytes.length ?? 0;
  }

  start(): void {
    const flow = this.options.flow;
    if (!flow?.isOpen) this.walk(0);
    else {
      this.prepared = prepare(this.original, flow.listener, this.context.newBranch());
      this.sendOver(flow);
    }
  }

  resend(): void {
    if (this.flow?.isOpen && this.prepared !== undefined) {
      this.context.statistics.retransmissionsSent++;
      this.context.transport.send(this.flow, this.prepared.bytes);
    } else this.start();
  }

  private sendOver(flow: Flow): void {
    this.flow = flow;
    this.context.transport.send(flow, this.prepared!.bytes);
  }

  private walk(from: number): void {
    const { transport } = this.context;
    this.flow = undefined;
    for (let index = from; index < this.options.targets.length; index++) {
      const target: Target = this.options.targets[index]!;
      const listener = transport.listenerFor(target.protocol, target.address);
      if (listener === undefined) continue;
      this.prepared = prepare(this.original, listener, this.context.newBranch());
      try {
        const flow = transport.connect(target);
        if (flow instanceof Promise) {
          flow.then(
            (opened) => this.sendOver(opened),
            () => this.walk(index + 1),
          );
        } else this.sendOver(flow);
        return;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
      }
    }
  }
}
