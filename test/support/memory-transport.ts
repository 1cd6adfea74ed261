import {
  type Flow,
  type Listener,
  type NextHop,
  type Protocol,
  type Received,
  type Target,
  type Transport,
  TransportError,
  type TransportFailure,
} from '../../src/engine/transport/flow.js';
import type { SipMessage, SipRequest, SipResponse } from '../../src/sip/message.js';
import { parseMessage } from '../../src/sip/parse.js';

class MemoryFlow implements Flow {
  isOpen = true;

  constructor(
    readonly id: string,
    readonly protocol: Protocol,
    readonly listener: Listener,
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {}

  get localAddress(): string {
    return this.listener.address;
  }

  get localPort(): number {
    return this.listener.port;
  }
}

export interface Sent {
  readonly flow: Flow;
  readonly bytes: string;
  readonly message: SipMessage;
}

/** How an address answers a connection attempt: a failure, or nothing for ever. */
export type Reachability = TransportFailure | 'hangs';

/** A network of nothing: keeps what is sent, and delivers what a test says. One listener for each protocol. */
export class MemoryTransport implements Transport {
  readonly listeners: readonly Listener[];
  readonly sent: Sent[] = [];
  /** Addresses (`host:port`) that cannot be connected to. */
  readonly unreachable = new Map<string, Reachability>();
  /** When true a new stream is open only after a turn, as a real one. */
  connectsLater = false;
  /** Sees each message as it is sent; what a link between two transports hooks into. */
  onSent: (sent: Sent) => void = () => {};
  /** Opens, late, the streams that hang. */
  readonly hanging: (() => void)[] = [];
  private readonly flows = new Map<string, MemoryFlow>();
  private count = 0;

  constructor(
    readonly address: string,
    protocols: readonly Protocol[] = ['udp', 'tcp', 'tls'],
  ) {
    this.listeners = protocols.map((protocol) => {
      const port = protocol === 'tls' ? 5061 : 5060;
      return { protocol, address, port, advertisedHost: address, advertisedPort: port };
    });
  }

  send(flow: Flow, bytes: string, failed?: (error: TransportError) => void): void {
    if (!flow.isOpen) {
      failed?.(new TransportError('closed', 'Closed.'));
      return;
    }
    const sent = { flow, bytes, message: parsed(bytes) };
    this.sent.push(sent);
    this.onSent(sent);
  }

  resolve(_nextHop: NextHop): readonly Target[] | Promise<readonly Target[]> {
    throw new TransportError('dns', 'There are no names here.');
  }

  connect(target: Target): Flow | Promise<Flow> {
    const open = this.openFlow(target.protocol, target.address, target.port);
    if (open !== undefined) return open;
    const obstacle = this.unreachable.get(`${target.address}:${target.port}`);
    if (obstacle === 'hangs') {
      return new Promise((resolve) => {
        this.hanging.push(() => resolve(this.flow(target.protocol, target.address, target.port)));
      });
    }
    if (obstacle !== undefined) {
      const error = new TransportError(obstacle, 'Not reachable.');
      if (this.connectsLater) return Promise.reject(error);
      throw error;
    }
    const flow = this.flow(target.protocol, target.address, target.port);
    return this.connectsLater && target.protocol !== 'udp' ? Promise.resolve(flow) : flow;
  }

  listenerFor(protocol: Protocol, _address: string): Listener | undefined {
    return this.listeners.find((listener) => listener.protocol === protocol);
  }

  openFlow(protocol: Protocol, address: string, port: number): MemoryFlow | undefined {
    const flow = this.flows.get(`${protocol}/${address}:${port}`);
    return flow?.isOpen ? flow : undefined;
  }

  /** The open flow to or from that address, made when there is none. */
  flow(protocol: Protocol, address: string, port: number): MemoryFlow {
    const open = this.openFlow(protocol, address, port);
    if (open !== undefined) return open;
    const flow = new MemoryFlow(
      `flow-${++this.count}`,
      protocol,
      this.listenerFor(protocol, address)!,
      address,
      port,
    );
    this.flows.set(`${protocol}/${address}:${port}`, flow);
    return flow;
  }

  /** Takes and forgets what was sent so far. */
  take(): Sent[] {
    return this.sent.splice(0);
  }
}

function parsed(bytes: string): SipMessage {
  const result = parseMessage(Buffer.from(bytes, 'latin1'));
  if (!result.ok) throw new Error(`Sent what cannot be parsed: ${result.error}\n${bytes}`);
  return result.message;
}

/** The message as if it had come by that flow. */
export function received<M extends SipRequest | SipResponse = SipRequest>(
  bytes: string,
  flow: Flow,
): Received<M> {
  return { message: parsed(bytes) as M, flow, size: bytes.length, at: 0 };
}
