import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { DnsSource } from '../../base/dns.js';
import { HostsFile } from '../../base/hosts-file.js';
import type { InheritedSockets } from '../../base/inherited-sockets.js';
import { SystemDns } from '../../base/system-dns.js';
import { canonicalAddress, familyOf } from '../../naming/address.js';
import {
  defaultPort,
  ResolutionError,
  type ResolvedTarget,
  TargetResolver,
} from '../../naming/target-resolver.js';
import { parseMessage } from '../../sip/parse.js';
import { topVia } from '../../sip/via.js';
import type { Clock, Timer } from '../clock.js';
import { ConnectionAdmission } from './admission.js';
import { AvoidedTargets } from './avoided-targets.js';
import { CertificateError, type KeyMaterial, readKeyMaterial, trustingContext } from './certificates.js';
import { ConnectionTable, peerKey } from './connection-table.js';
import { newCounters, type TransportCounters } from './counters.js';
import { dial } from './dialer.js';
import {
  type EngineTransport,
  type Flow,
  type Listener,
  type NextHop,
  type Protocol,
  type Received,
  type Target,
  TransportError,
  type TransportEvents,
} from './flow.js';
import { queueKey, readSendQueues } from './kernel-queues.js';
import { preferredListener } from './listener-choice.js';
import { MessageReceiver } from './message-receiver.js';
import { type ReportNotice, sampled, type WireObserver } from './observer.js';
import { RefusalProbe } from './refusal-probe.js';
import { type FlowFacts, type Relay, RelayedConnection, type RelayMessage, returned } from './relay.js';
import type { ListenerSettings, TransportSettings } from './settings.js';
import { type ConnectionHandler, StreamConnection } from './stream-connection.js';
import { StreamListener } from './stream-listener.js';
import { UdpFlow, UdpListener } from './udp-listener.js';
import { WallClock } from './wall-clock.js';

/** Hooks that installations and tests may replace or listen to. */
export interface TransportParts {
  /** Gets refused connections, failed handshakes and similar events; sampled. */
  readonly report?: ReportNotice;
  readonly dns?: DnsSource;
  /** Listening sockets of the process that this one replaces. */
  readonly inherited?: Pick<InheritedSockets, 'take'>;
  /** 0 ≤ value < 1. */
  readonly random?: () => number;
}

/** On stop, connections have this long to send their queues. */
const stopMilliseconds = 1_000;

/** Contexts of customers' own authorities that are kept; one costs some 50 kB. */
const maximumTrusting = 1_000;

const wideCharacter = /[^\x00-\xff]/;

/** Sockets below, messages above: RFC 3261 §18, with RFC 3263 (targets), 3581 (rport), 5626 (keep-alive), 5923 (reuse). */
export class TransportLayer implements EngineTransport {
  readonly counters: TransportCounters = newCounters();
  private readonly wallClock = new WallClock();
  private readonly report: ReportNotice;
  private readonly receiver: MessageReceiver;
  private readonly admission: ConnectionAdmission;
  private readonly table = new ConnectionTable();
  private readonly dns: DnsSource;
  private readonly resolver: TargetResolver;
  private readonly avoided: AvoidedTargets;
  private readonly probe: RefusalProbe;
  private readonly attempts = new Map<string, Promise<Flow>>();
  /** One object for all connections, because an idle connection should take little memory. */
  private readonly handler: ConnectionHandler = {
    message: (from, message, bytes) => this.receiver.framed(message, bytes, from),
    framingFailed: (from, error) => this.receiver.framingFailed(error, from),
    closed: (closed, reason) => this.connectionClosed(closed, reason),
  };
  private udpListeners: UdpListener[] = [];
  private streamListeners: StreamListener[] = [];
  private allListeners: readonly Listener[] = [];
  private material: KeyMaterial | undefined;
  /** By `Trust.id`. */
  private readonly trusting = new Map<string, SecureContext>();
  private sweepTimer: Timer | undefined;
  /** Of the kernel's tables; infinite while one is being read, and where there are none. */
  private nextReadingAt = Number.NEGATIVE_INFINITY;
  private readonly relays = new Map<Relay['peer'], Relay>();
  private readonly inherited: TransportParts['inherited'];
  private readonly stopping = new AbortController();
  private connectionNumber = 0;
  private drained: (() => void) | undefined;

  constructor(
    private readonly settings: TransportSettings,
    private readonly events: TransportEvents,
    private readonly clock: Clock,
    private readonly observer?: WireObserver,
    parts: TransportParts = {},
  ) {
    const now = () => clock.now();
    this.inherited = parts.inherited;
    this.report = sampled(parts.report ?? (() => {}), now);
    this.admission = new ConnectionAdmission(settings.limits);
    this.avoided = new AvoidedTargets(settings.resolver.avoidMilliseconds, now);
    this.probe = new RefusalProbe(clock);
    this.dns = parts.dns ?? new SystemDns(settings.resolver);
    this.resolver = new TargetResolver({
      settings: settings.resolver,
      clock,
      dns: this.dns,
      hosts: new HostsFile(settings.resolver.hostsFile, now),
      supports: (protocol, family) => this.supports(protocol, family),
      random: parts.random ?? Math.random,
    });
    this.receiver = new MessageReceiver({
      maximumHeaderBytes: settings.limits.headerBytes,
      counters: this.counters,
      wallClock: this.wallClock,
      report: this.report,
      observer,
      deliver: (received) => this.deliver(received),
      answer: (flow, bytes) => this.send(flow, bytes),
    });
  }

  get listeners(): readonly Listener[] {
    return this.allListeners;
  }

  /** Unix milliseconds; undefined: there are no TLS listeners. */
  get certificateExpiresAt(): number | undefined {
    return this.material?.expiresAt;
  }

  /** Stream connections open now, in both directions. */
  get openConnections(): number {
    return this.table.size;
  }

  /**
   * Binds every listener, or none. Rejects with an error whose text names the socket and the reason: port taken,
   * certificate unusable. An object starts once.
   */
  async start(): Promise<void> {
    this.material = await readKeyMaterial(this.settings.tls, true);
    for (const text of this.material.warnings) this.report({ kind: 'certificate', text });
    const opened: Listener[] = [];
    try {
      for (const each of this.settings.listeners) opened.push(await this.openListener(each));
    } catch (error) {
      await this.closeListeners();
      throw error;
    }
    this.allListeners = opened;
    this.scheduleSweep();
  }

  /** Closes listeners and connections; queues are still sent, within a second. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.sweepTimer?.cancel();
    this.dns.cancel();
    this.probe.stop();
    const drained = new Promise<void>((resolve) => {
      this.drained = resolve;
    });
    for (const connection of this.table) connection.close('we are stopping');
    const deadline = this.clock.after(stopMilliseconds, () => {
      for (const connection of this.table) connection.destroy('we are stopping');
    });
    const closed = this.closeListeners();
    if (this.table.size > 0) await drained;
    await closed;
    deadline.cancel();
  }

  /** Reads the TLS files again: new connections use them, open ones stay. A bad file changes nothing and rejects with CertificateError. */
  async reloadCertificates(): Promise<void> {
    const material = await readKeyMaterial(this.settings.tls, false);
    const { server } = material;
    for (const listener of this.streamListeners) {
      if (listener.protocol !== 'tls') continue;
      if (server === undefined) throw new CertificateError('the TLS listeners need a key and a certificate');
      listener.setSecureContext(server);
    }
    this.material = material;
    this.trusting.clear();
  }

  send(flow: Flow, bytes: string, failed?: (error: TransportError) => void): void {
    // Encoding would cut such a character down to its low octet, which could be a line end.
    if (wideCharacter.test(bytes)) throw new TypeError('not a byte string: it has characters above U+00FF');
    this.counters.messagesSent++;
    this.observer?.sent(flow, bytes, this.wallClock.now());
    if (flow instanceof StreamConnection || flow instanceof RelayedConnection) flow.write(bytes, failed);
    else if (flow instanceof UdpFlow) this.sendDatagram(flow, bytes, failed);
    else throw new TypeError(`flow ${flow.id} is not of this transport`);
  }

  resolve(nextHop: NextHop): readonly Target[] | Promise<readonly Target[]> {
    const { trust } = nextHop;
    const ordered = (found: readonly ResolvedTarget[]): readonly Target[] =>
      this.avoided.order(trust === undefined ? found : found.map((target) => ({ ...target, trust })));
    try {
      const targets = this.resolver.resolve(nextHop);
      if (!(targets instanceof Promise)) return ordered(targets);
      return targets.then(ordered, (error: unknown) => {
        throw transportErrorOf(error);
      });
    } catch (error) {
      throw transportErrorOf(error);
    }
  }

  connect(target: Target): Flow | Promise<Flow> {
    if (target.protocol === 'udp') {
      const listener = preferredListener(this.udpListeners, 'udp', target.address);
      if (listener === undefined) throw noListener(target);
      return listener.flowTo(target.address, target.port);
    }
    const open = this.table.reusable(target);
    if (open !== undefined) return open;
    const peer = peerKey(target.protocol, target.address, target.port);
    const key = `${peer} ${target.serverName.toLowerCase()} ${target.trust?.id ?? ''}`;
    const running = this.attempts.get(key);
    if (running !== undefined) return running;
    const attempt = this.openConnection(target, target.protocol).finally(() => this.attempts.delete(key));
    this.attempts.set(key, attempt);
    return attempt;
  }

  listenerFor(protocol: Protocol, address: string): Listener | undefined {
    return preferredListener(this.allListeners, protocol, address);
  }

  openFlow(protocol: Protocol, address: string, port: number): Flow | undefined {
    return this.table.find(protocol, address, port);
  }

  private sendDatagram(flow: UdpFlow, bytes: string, failed?: (error: TransportError) => void): void {
    const { listener, remoteAddress, remotePort } = flow;
    listener.send(bytes, remoteAddress, remotePort, failed);
    if (failed === undefined || !this.settings.probeDatagramTargets) return;
    this.probe.watch(listener.address, remoteAddress, remotePort, () =>
      failed(
        new TransportError(
          'refused',
          `connection refused: no listener on udp ${remoteAddress} port ${remotePort}`,
        ),
      ),
    );
  }

  private supports(protocol: Protocol, family?: 4 | 6): boolean {
    return this.allListeners.some(
      (listener) =>
        listener.protocol === protocol && (family === undefined || familyOf(listener.address) === family),
    );
  }

  private async openConnection(target: Target, protocol: 'tcp' | 'tls'): Promise<Flow> {
    const listener = this.listenerFor(protocol, target.address);
    if (listener === undefined) throw noListener(target);
    const { limits, tls } = this.settings;
    if (this.table.outgoingCount + this.attempts.size >= limits.outgoingConnections) {
      throw new TransportError('overloaded', `${limits.outgoingConnections} outgoing connections are open`);
    }
    try {
      const connection = await dial(
        target,
        listener,
        {
          clock: this.clock,
          milliseconds: limits.connectMilliseconds,
          ...(this.material && { secureContext: this.secureContext(this.material, target) }),
          unverifiedHosts: tls.unverifiedHosts,
          signal: this.stopping.signal,
        },
        (socket) => this.newConnection(socket, protocol, listener, 'outgoing', target),
      );
      this.counters.connectionsOpened++;
      if (protocol === 'tls') this.counters.handshakes++;
      this.avoided.worked(target);
      return connection;
    } catch (error) {
      this.counters.connectFailures++;
      this.avoided.failed(target);
      // The application only sees a plain 503, so the reason is reported here.
      if (!this.stopping.signal.aborted)
        this.report({ kind: 'connect-failed', text: (error as Error).message, remote: target.address });
      throw error;
    }
  }

  private secureContext(material: KeyMaterial, { trust }: Target): SecureContext {
    if (trust === undefined) return material.client;
    const existing = this.trusting.get(trust.id);
    if (existing !== undefined) return existing;
    const context = trustingContext(material, trust);
    if (this.trusting.size >= maximumTrusting) this.trusting.delete(this.trusting.keys().next().value!);
    this.trusting.set(trust.id, context);
    return context;
  }

  private newConnection(
    socket: Socket,
    protocol: 'tcp' | 'tls',
    listener: Listener,
    direction: 'incoming' | 'outgoing',
    target?: Target,
  ): StreamConnection {
    const connection = new StreamConnection({
      id: `${protocol}-${++this.connectionNumber}`,
      protocol,
      listener,
      socket,
      direction,
      ...(target !== undefined && { serverName: target.serverName }),
      ...(target?.trust !== undefined && { trustId: target.trust.id }),
      limits: this.settings.limits,
      keepAlive: this.settings.keepAlive,
      counters: this.counters,
      clock: this.clock,
      handler: this.handler,
    });
    this.table.add(connection);
    return connection;
  }

  /** Listening sockets by name, for a successor. */
  get sockets(): Map<string, number> {
    const found = new Map<string, number>();
    for (const listener of [...this.udpListeners, ...this.streamListeners])
      if (listener.descriptor !== undefined) found.set(socketName(listener), listener.descriptor);
    return found;
  }

  /** From now on this process and another one are one engine to the peers. */
  useRelay(relay: Relay): void {
    this.relays.set(relay.peer, relay);
  }

  /** Leaves new connections to the successor, which may use the open ones, also those of this process' predecessor. */
  retire(): void {
    for (const listener of this.streamListeners) listener.stopAccepting();
    const successor = this.relays.get('successor');
    for (const connection of this.table)
      if (!(connection instanceof RelayedConnection && connection.relay === successor))
        successor?.post({ type: 'open', flow: successor.factsOf(connection) });
  }

  /** Handles a message of another process about its flows, or a request to this process's flows. */
  relayed(relay: Relay, message: RelayMessage): void {
    if (message.type === 'open') this.relayedFlow(relay, message.flow);
    else if (message.type === 'closed')
      this.table.withId(RelayedConnection.idOf(relay, message.flow))?.close();
    else if (message.type === 'send') this.table.withId(message.flow)?.write(message.bytes);
    else if (message.type === 'message') {
      const flow = this.relayedFlow(relay, message.flow);
      const bytes = Buffer.from(message.bytes, 'latin1');
      const parsed = parseMessage(bytes);
      if (flow === undefined || !parsed.ok) return;
      relay.withSource(() => this.receiver.framed(parsed.message, bytes, flow));
    }
  }

  /** The other process is gone, and its connections with it. */
  relayEnded(relay: Relay): void {
    this.relays.delete(relay.peer);
    for (const connection of [...this.table])
      if (connection instanceof RelayedConnection && connection.relay === relay) connection.close();
  }

  private relayedFlow(relay: Relay, facts: FlowFacts): Flow | undefined {
    const { protocol, id, remoteAddress, remotePort } = facts;
    const { address, port } = facts.listener;
    // A message that was passed on to the other process, and came back.
    const own = id.startsWith(returned) ? this.table.withId(id.slice(returned.length)) : undefined;
    const flow = own ?? this.table.withId(RelayedConnection.idOf(relay, id));
    if (flow !== undefined) return flow;
    const listener =
      this.allListeners.find(
        (each) => each.protocol === protocol && each.address === address && each.port === port,
      ) ?? this.allListeners.find((each) => each.protocol === protocol);
    if (listener === undefined || this.relays.get(relay.peer) !== relay) return undefined;
    if (listener instanceof UdpListener) return listener.flowTo(remoteAddress, remotePort);
    const connection = new RelayedConnection(facts, listener, relay, (closed) => {
      if (relay.peer === 'predecessor') this.relays.get('successor')?.closed(closed);
      this.table.remove(closed);
      this.events.flowClosed(closed);
      if (this.table.size === 0) this.drained?.();
    });
    this.table.add(connection);
    return connection;
  }

  private connectionClosed(connection: StreamConnection, reason: string | undefined): void {
    for (const relay of this.relays.values()) relay.closed(connection);
    this.table.remove(connection);
    this.counters.connectionsClosed++;
    if (reason !== undefined) {
      this.report({ kind: 'connection-closed', text: reason, remote: connection.remoteAddress });
    }
    this.events.flowClosed(connection);
    if (this.table.size === 0) this.drained?.();
  }

  private deliver(received: Received): void {
    const { message, flow } = received;
    if (message.kind === 'request' && flow instanceof StreamConnection && flow.protocol === 'tls') {
      this.rememberAlias(received, flow);
    }
    try {
      this.events.message(received);
    } catch (error) {
      // One message must not end all calls of this process, even if the layers above throw.
      this.counters.defects++;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.report({ kind: 'defect', text, remote: flow.remoteAddress });
    }
  }

  /** RFC 5923 §6: `alias` in the top Via asks that this connection be used for requests to its sent-by port. */
  private rememberAlias({ message }: Received, connection: StreamConnection): void {
    if (!message.headers.get('Via')?.includes(';alias')) return;
    const via = topVia(message);
    if (via?.parameters.has('alias')) this.table.addAlias(connection, via.port ?? defaultPort('tls'));
  }

  private async openListener(settings: ListenerSettings): Promise<Listener> {
    const name = `${settings.protocol} ${settings.address} port ${settings.port}`;
    const inherited = this.inherited?.take(socketName(settings));
    const failed = (error: Error): void =>
      this.report({ kind: 'listener', text: `${name}: ${error.message}` });
    if (familyOf(settings.address) === 0)
      throw new Error(`${name}: a listener's address must be an IP address`);
    try {
      if (settings.protocol === 'udp') {
        const listener = await UdpListener.open(
          settings,
          {
            index: this.udpListeners.length,
            counters: this.counters,
            maximumBytes: this.settings.limits.messageBytes,
            received: (bytes, flow) => {
              this.probe.heard(flow.remoteAddress, flow.remotePort);
              this.receiver.datagram(bytes, flow);
            },
            failed,
          },
          inherited,
        );
        this.udpListeners.push(listener);
        return listener;
      }
      const server = this.material?.server;
      if (settings.protocol === 'tls' && server === undefined) {
        throw new CertificateError('it needs a key and a certificate');
      }
      const listener = await StreamListener.open(
        settings,
        {
          admission: this.admission,
          counters: this.counters,
          report: this.report,
          handshakeMilliseconds: this.settings.limits.handshakeMilliseconds,
          clientCertificates: this.settings.tls.clientCertificates,
          ...(server && { secureContext: server }),
          accepted: (from, socket) => this.newConnection(socket, from.protocol, from, 'incoming'),
          failed,
        },
        inherited,
      );
      this.streamListeners.push(listener);
      return listener;
    } catch (error) {
      throw new Error(`${name}: ${listenFailure(error)}`, { cause: error });
    }
  }

  private async closeListeners(): Promise<void> {
    const all = [...this.udpListeners, ...this.streamListeners];
    this.udpListeners = [];
    this.streamListeners = [];
    await Promise.all(all.map((listener) => listener.close()));
  }

  /** Closes connections whose peers do not acknowledge what was sent: by the tables of the kernel, one reading for all of them. */
  private async judgeSilent(now: number): Promise<void> {
    const { unacknowledgedMilliseconds } = this.settings.keepAlive;
    const silent = [...this.table].filter(
      (connection): connection is StreamConnection =>
        connection instanceof StreamConnection &&
        connection.direction === 'outgoing' &&
        connection.isSilentFor(unacknowledgedMilliseconds, now),
    );
    if (silent.length === 0 || now < this.nextReadingAt) return;
    this.nextReadingAt = Number.POSITIVE_INFINITY;
    const queues = await readSendQueues();
    if (queues === undefined) return;
    this.nextReadingAt = now + readingMilliseconds;
    for (const connection of silent) connection.judge(queues.get(queueKey(connection)));
  }

  private scheduleSweep(): void {
    const { limits, keepAlive } = this.settings;
    const shortest = Math.min(
      limits.messageMilliseconds,
      limits.firstMessageMilliseconds,
      limits.idleMilliseconds,
      keepAlive.pongMilliseconds,
    );
    const interval = Math.max(20, Math.min(1_000, shortest / 4));
    const sweep = (): void => {
      const now = this.clock.now();
      for (const connection of this.table) connection.check(now);
      void this.judgeSilent(now);
      this.wallClock.adjust();
      this.sweepTimer = this.clock.after(interval, sweep);
    };
    this.sweepTimer = this.clock.after(interval, sweep);
  }
}

/** The table of a host with 10,000 connections takes some 10 ms to read. */
const readingMilliseconds = 2_000;

const socketName = ({
  protocol,
  address,
  port,
}: Pick<ListenerSettings, 'protocol' | 'address' | 'port'>): string =>
  `${protocol} ${canonicalAddress(address)} ${port}`;

const noListener = (target: Target): TransportError =>
  new TransportError('unsupported', `no ${target.protocol} listener of the family of ${target.address}`);

function listenFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'already in use';
  if (code === 'EACCES') return 'not permitted';
  if (code === 'EADDRNOTAVAIL') return 'no interface has this address';
  return error.message;
}

const transportErrorOf = (error: unknown): unknown =>
  error instanceof ResolutionError ? new TransportError(error.failure, error.message) : error;
