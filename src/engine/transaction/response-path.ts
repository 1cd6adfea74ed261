import type { SipRequest } from '../../sip/message.js';
import { topVia } from '../../sip/via.js';
import {
  type Flow,
  type Received,
  responseFlowOf,
  type Target,
  type Transport,
  TransportError,
} from '../transport/flow.js';

export interface PathOwner {
  readonly received: Received<SipRequest>;
  /** The flow is closed and no other can be opened. */
  pathLost(): void;
}

/**
 * The return path of responses (RFC 3261 §18.2.2): the flow of the request. When that is a closed stream, a new one
 * "to the IP address in the 'received' parameter, using the port in the 'sent-by' value".
 */
export class ResponsePath {
  private current: Flow;
  private state: 'open' | 'reopening' | 'lost' = 'open';
  private waiting: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly owner: PathOwner,
  ) {
    this.current = responseFlowOf(owner.received);
  }

  get flow(): Flow {
    return this.current;
  }

  /** Sends now, or when the path is open again; then only the last of several responses is sent. */
  send(bytes: string): void {
    if (this.state === 'open' && this.current.isOpen) this.transport.send(this.current, bytes);
    else if (this.state !== 'lost') {
      this.waiting = bytes;
      if (this.state === 'open') this.reopen();
    }
  }

  /** Switches to the flow of a retransmission when the first one is closed: the peer has reconnected. */
  adopt(flow: Flow): void {
    if (flow === this.current || !flow.isOpen || (this.state === 'open' && this.current.isOpen)) return;
    this.opened(flow);
  }

  /** The flow was closed: tries to get another at once, so that the owner learns whether its peer can still be reached. */
  closed(): void {
    if (this.state === 'open') this.reopen();
  }

  private reopen(): void {
    this.state = 'reopening';
    try {
      const flow = this.transport.connect(this.source());
      if (!(flow instanceof Promise)) this.opened(flow);
      else {
        flow.then(
          (opened) => this.opened(opened),
          () => this.lose(),
        );
      }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.lose();
    }
  }

  private source(): Target {
    const { flow, message } = this.owner.received;
    const via = topVia(message);
    const { protocol, remoteAddress: address } = flow;
    const port = via?.port ?? (protocol === 'tls' ? 5061 : 5060);
    return { protocol, address, port, serverName: via?.host ?? address };
  }

  private opened(flow: Flow): void {
    if (this.state === 'lost') return;
    this.current = flow;
    this.state = 'open';
    const waiting = this.waiting;
    this.waiting = undefined;
    if (waiting !== undefined) this.send(waiting);
  }

  private lose(): void {
    if (this.state !== 'reopening') return;
    this.state = 'lost';
    this.waiting = undefined;
    this.owner.pathLost();
  }
}
