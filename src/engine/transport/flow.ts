import type { Protocol, ResolvedTarget, UnresolvedTarget } from '../../naming/target-resolver.js';
import type { SipMessage } from '../../sip/message.js';
import type { TransportCounters } from './counters.js';
import type { Trust } from './trust.js';

export type { Protocol } from '../../naming/target-resolver.js';

/** Streams deliver reliably: no retransmission timers for requests (RFC 3261 §17). */
export const isReliable = (protocol: Protocol): boolean => protocol !== 'udp';

/** A socket that accepts SIP, and the address that is advertised for it. */
export interface Listener {
  readonly protocol: Protocol;
  /** Bind address and port; IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** What Via, Contact, From and host-ports say: external address or DNS name where configured, else the bind address. */
  readonly advertisedHost: string;
  readonly advertisedPort: number;
}

/** A path to one peer: a stream connection, or a UDP socket together with a remote address. */
export interface Flow {
  readonly id: string;
  readonly protocol: Protocol;
  /** The listener whose advertised address stands for us on this flow (for outgoing connections: of the same protocol). */
  readonly listener: Listener;
  /** IPv6 without brackets. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** False once a stream is closed; UDP flows are always open. */
  readonly isOpen: boolean;
  /** Why the peer ended a stream, if known. */
  readonly closedBecause?: TransportError | undefined;
}

/** A parsed message from the network. */
export interface Received<M extends SipMessage = SipMessage> {
  readonly message: M;
  readonly flow: Flow;
  /** A request over UDP: where its responses go, when that is not where it came from (RFC 3261 §18.2.2). */
  readonly responseFlow?: Flow;
  /** Octets on the wire, before `received` and `rport` were written into the top Via. */
  readonly size: number;
  /** Unix time, milliseconds with a fraction. */
  readonly at: number;
}

/** The return path of the responses to a request. */
export const responseFlowOf = ({ flow, responseFlow }: Received): Flow => responseFlow ?? flow;

/** One address to try, result of RFC 3263. */
export interface Target extends ResolvedTarget {
  /** TLS: trusted certificates; absent: the engine's authorities. */
  readonly trust?: Trust;
}

/** What to resolve: taken from a SIP URI (next hop). */
export interface NextHop extends UnresolvedTarget {
  /** As the target's. */
  readonly trust?: Trust;
}

export type TransportFailure =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'closed'
  | 'tls'
  | 'dns'
  | 'unsupported'
  | 'overloaded';

/** The certificate that a TLS handshake failed for: we refuse the peer's, or the peer refuses or misses ours. */
export type CertificateFailure = 'certificate' | 'client-certificate';

/** A message could not be sent, or a target not be reached. An expected failure, not a defect. */
export class TransportError extends Error {
  constructor(
    readonly failure: TransportFailure,
    message: string,
    readonly certificateFailure?: CertificateFailure,
  ) {
    super(message);
    this.name = 'TransportError';
  }
}

/** What the layers above need from the network. */
export interface Transport {
  readonly listeners: readonly Listener[];
  /** Queues the octets (a byte string); errors of the flow come later through `onFlowClosed` or `failed`. */
  send(flow: Flow, bytes: string, failed?: (error: TransportError) => void): void;
  /** RFC 3263. Synchronous for IP literals and cached names. Rejects (or throws) TransportError `dns` / `unsupported`; never an empty list. */
  resolve(nextHop: NextHop): readonly Target[] | Promise<readonly Target[]>;
  /** A flow to the target: an open connection again (RFC 5923), or a new one. UDP and open connections answer synchronously. */
  connect(target: Target): Flow | Promise<Flow>;
  /** The listener whose address a request to that target will carry in Via and Contact; undefined: no listener of that protocol and family. */
  listenerFor(protocol: Protocol, address: string): Listener | undefined;
  /** The open connection from or to that address, if any. */
  openFlow(protocol: Protocol, address: string, port: number): Flow | undefined;
}

/** The whole of a transport: what an engine starts, stops and reports. */
export interface EngineTransport extends Transport {
  readonly counters: TransportCounters;
  /** Unix milliseconds; undefined: there are no TLS listeners. */
  readonly certificateExpiresAt: number | undefined;
  /** Stream connections open now, in both directions. */
  readonly openConnections: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  reloadCertificates(): Promise<void>;
}

/** Events of the network for the layers above. */
export interface TransportEvents {
  message(received: Received): void;
  flowClosed(flow: Flow): void;
}
