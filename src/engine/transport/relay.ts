import { tagOf } from '../../sip/address.js';
import type { SipMessage } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { PooledConnection } from './connection-table.js';
import {
  type Flow,
  isReliable,
  type Listener,
  type Protocol,
  type Received,
  TransportError,
} from './flow.js';

/** What the other engine needs to know of a flow. */
export interface FlowFacts {
  readonly id: string;
  readonly protocol: Protocol;
  readonly listener: { readonly address: string; readonly port: number };
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly direction?: 'incoming' | 'outgoing' | undefined;
  readonly serverName?: string | undefined;
  readonly trustId?: string | undefined;
}

/** Between an engine process and its successor. Octets are byte strings. */
export type RelayMessage =
  | { readonly type: 'open'; readonly flow: FlowFacts }
  | { readonly type: 'closed'; readonly flow: string }
  /** `ask`: it comes back as `final` if it is unknown there as well. */
  | {
      readonly type: 'message';
      readonly flow: FlowFacts;
      readonly bytes: string;
      readonly mode: 'ask' | 'final';
    }
  | { readonly type: 'send'; readonly flow: string; readonly bytes: string }
  /** The successor has applications: it takes the new calls. */
  | { readonly type: 'takes calls' }
  /** Dialogs of an application will be restored by it in a moment. */
  | { readonly type: 'restoring' };

export interface RelayParts {
  readonly role: 'predecessor' | 'successor';
  readonly post: (message: RelayMessage) => void;
  /** Whether a transaction or dialog of this process is what the message belongs to. */
  readonly isKnown: (received: Received) => boolean;
  /** Whether an application takes new calls here. */
  readonly takesCalls: () => boolean;
}

/**
 * While an engine process replaces another one, each message goes to the one that knows its transaction or dialog, and new ones to
 * the successor, whichever of them has the peer's connection or read the datagram.
 */
export class Relay {
  /** The predecessor: new calls go to the successor. */
  isRetired = false;
  private mode: 'ask' | 'final' | undefined;

  constructor(private readonly parts: RelayParts) {}

  /** Runs `deliver` for a message that the other process passed on. */
  withMode(mode: 'ask' | 'final', deliver: () => void): void {
    this.mode = mode;
    try {
      deliver();
    } finally {
      this.mode = undefined;
    }
  }

  /** True: the message belongs to the other process, which has it now. */
  passOn(received: Received): boolean {
    const { role, isKnown, takesCalls } = this.parts;
    if (this.mode === 'final' || isKnown(received)) return false;
    const { message, flow } = received;
    if (role === 'predecessor') {
      if (!this.isRetired && message.kind === 'request') return false;
      this.pass(received, 'final');
      return true;
    }
    if (isInitial(message) && isReliable(flow.protocol) && takesCalls()) return false;
    this.pass(received, 'ask');
    return true;
  }

  closed(flow: Flow): void {
    this.parts.post({ type: 'closed', flow: flow.id });
  }

  post(message: RelayMessage): void {
    this.parts.post(message);
  }

  private pass({ message, flow }: Received, mode: 'ask' | 'final'): void {
    this.parts.post({ type: 'message', flow: factsOf(flow), bytes: serialize(message), mode });
  }
}

const isInitial = (message: SipMessage): boolean =>
  message.kind === 'request' &&
  message.method !== 'ACK' &&
  message.method !== 'CANCEL' &&
  tagOf(message.headers.get('To') ?? '') === undefined;

/** What the other engine process has to know of a flow to send on it. */
export function factsOf(flow: Flow): FlowFacts {
  const { id, protocol, listener, remoteAddress, remotePort, localAddress, localPort } = flow;
  const { direction, serverName, trustId } = flow as Partial<PooledConnection>;
  return {
    id,
    protocol,
    remoteAddress,
    remotePort,
    localAddress,
    localPort,
    direction,
    serverName,
    trustId,
    listener: { address: listener.address, port: listener.port },
  };
}

/** A connection that the other engine process has. */
export class RelayedConnection implements PooledConnection {
  readonly id: string;
  readonly protocol: 'tcp' | 'tls';
  readonly direction: 'incoming' | 'outgoing';
  readonly serverName: string | undefined;
  readonly trustId: string | undefined;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** The other process alone has the certificate, and reuses the connection for it. */
  readonly verifiedCertificate = undefined;
  isOpen = true;

  /** @param closed takes it out of the table of connections */
  constructor(
    private readonly facts: FlowFacts,
    readonly listener: Listener,
    private readonly relay: Relay,
    private readonly closed: (connection: RelayedConnection) => void,
  ) {
    this.id = `relayed-${facts.id}`;
    this.protocol = facts.protocol === 'tls' ? 'tls' : 'tcp';
    this.direction = facts.direction ?? 'incoming';
    this.serverName = facts.serverName;
    this.trustId = facts.trustId;
    this.remoteAddress = facts.remoteAddress;
    this.remotePort = facts.remotePort;
    this.localAddress = facts.localAddress;
    this.localPort = facts.localPort;
  }

  get takesRequests(): boolean {
    return this.isOpen;
  }

  write(bytes: string, failed?: (error: TransportError) => void): void {
    if (this.isOpen) this.relay.post({ type: 'send', flow: this.facts.id, bytes });
    else if (failed !== undefined)
      process.nextTick(failed, new TransportError('closed', 'the connection is closed'));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.closed(this);
  }

  destroy(): void {
    this.close();
  }

  /** The other process watches over it. */
  check(): void {}
}
