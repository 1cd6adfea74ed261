import { isIP } from 'node:net';
import { newCounters } from '../engine/transport/counters.js';
import {
  type EngineTransport,
  type Flow,
  type Listener,
  type NextHop,
  type Protocol,
  type Received,
  type Target,
  TransportError,
  type TransportFailure,
} from '../engine/transport/flow.js';
import type { SipMessage, SipRequest, SipResponse } from '../sip/message.js';
import { parseMessage } from '../sip/parse.js';

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

/** How an address answers a connection attempt: with a failure, or never. */
export type Reachability = TransportFailure | 'hangs';

/** A transport without sockets: it keeps what is sent. One listener for each protocol. Hosts are IP addresses. */
export class MemoryTransport implements EngineTransport {
  readonly counters = newCounters();
  readonly certificateExpiresAt = undefined;
  readonly listeners: readonly Listener[];
  readonly sent: Sent[] = [];
  /** Addresses (`host:port`) that cannot be connected to. */
  readonly unreachable = new Map<string, Reachability>();
  /** If true, a new stream opens asynchronously, like a real one. */
  connectsLater = false;
  /** Gets each message as it is sent; a link between two transports sets it. */
  onSent: (sent: Sent) => void = () => {};
  /** Each opens one of the streams that hang. */
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

  get openConnections(): number {
    return [...this.flows.values()].filter((flow) => flow.isOpen && flow.protocol !== 'udp').length;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async reloadCertificates(): Promise<void> {}

  send(flow: Flow, bytes: string, failed?: (error: TransportError) => void): void {
    if (!flow.isOpen) {
      failed?.(new TransportError('closed', 'Closed.'));
      return;
    }
    const sent = { flow, bytes, message: parsed(bytes) };
    this.sent.push(sent);
    this.onSent(sent);
  }

  resolve(nextHop: NextHop): readonly Target[] | Promise<readonly Target[]> {
    const address = nextHop.host.replace(/^\[|\]$/g, '');
    if (isIP(address) === 0) {
      return Promise.reject(new TransportError('dns', 'An in-memory transport resolves no names.'));
    }
    const transport = nextHop.transport?.toLowerCase() ?? 'udp';
    const listener = this.listeners.find(({ protocol }) => protocol === (nextHop.secure ? 'tls' : transport));
    if (listener === undefined) throw new TransportError('unsupported', `No listener for ${transport}.`);
    const { protocol, port: standardPort } = listener;
    const port = nextHop.port ?? standardPort;
    return [{ protocol, address, port, serverName: nextHop.serverName ?? address }];
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

  /** The open flow to or from that address; creates one if there is none. */
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

  /** Returns and removes what was sent so far. */
  take(): Sent[] {
    return this.sent.splice(0);
  }
}

function parsed(bytes: string): SipMessage {
  const result = parseMessage(Buffer.from(bytes, 'latin1'));
  if (!result.ok) throw new Error(`Not a SIP message: ${result.error}\n${bytes}`);
  return result.message;
}

/** The message as if it had arrived over that flow: for `Engine.transactions.receive`. */
export function received<M extends SipRequest | SipResponse = SipRequest>(
  bytes: string,
  flow: Flow,
): Received<M> {
  return { message: parsed(bytes) as M, flow, size: bytes.length, at: 0 };
}
