import { createHash, timingSafeEqual } from 'node:crypto';
import { FrameIds } from '../base/frame-ids.js';
import type { InheritedSockets } from '../base/inherited-sockets.js';
import { pause } from '../base/pause.js';
import { type CountingClock, SystemClock } from '../base/system-clock.js';
import type { EngineSettings } from '../config/engine-settings.js';
import { isLoopback } from '../naming/address-scope.js';
import { advertisedHostPort } from './dialog/local-contact.js';
import { UserAgentCore, type UserAgentCounts } from './dialog/user-agent-core.js';
import { RandomIdentifiers } from './random-identifiers.js';
import { screen } from './screening.js';
import { Standby } from './standby.js';
import { Succession, type SuccessionParts } from './succession.js';
import { type TransactionCounts, TransactionLayer } from './transaction/transaction-layer.js';
import type { EngineTransport, Listener, Received } from './transport/flow.js';
import { HepExporter } from './transport/hep.js';
import { bothObservers, type TransportNotice } from './transport/observer.js';
import { transportSettings } from './transport/settings.js';
import { StreamConnection } from './transport/stream-connection.js';
import { TransportLayer } from './transport/transport-layer.js';
import { WallClock } from './transport/wall-clock.js';
import { AppRegistry } from './wire/app-registry.js';
import { CallTraces } from './wire/call-trace.js';
import { Commands } from './wire/commands.js';
import { FailedHandshakes } from './wire/peer-commands.js';
import { type WireNotice, WireServer } from './wire/wire-server.js';

/** Matches what applications test the version for, and shows which engine it is (wire protocol §4.1). */
export const engineVersion = 'v0.9.10-embedded';

/** What the engine reports to an operator. */
export interface EngineNotices {
  wire(notice: WireNotice): void;
  transport(notice: TransportNotice): void;
  /** A defect of the program: its message is lost, everything else continues. */
  defect(error: unknown): void;
}

/** Live objects; all zero (but connections and listeners) when no call is up and 64·T1 have passed. */
export interface EngineSnapshot {
  readonly userAgent: UserAgentCounts;
  readonly transactions: TransactionCounts;
  readonly timers: number;
  readonly applicationConnections: number;
  readonly openConnections: number;
  readonly hep: { readonly sent: number; readonly dropped: number; readonly errors: number } | undefined;
  /** Messages given to applications that asked for traces, and messages that were lost to them. */
  readonly traces: { readonly sent: number; readonly dropped: number };
}

const maximumBacklog = 16 * 1024 * 1024;
const maximumApplications = 256;
const authenticationTimeout = 10_000;
const drainPollMilliseconds = 50;
const byeGraceMilliseconds = 1_000;

/** The embedded SIP engine: assembles transport, transactions, dialogs and the wire protocol. */
export class Engine {
  readonly transport: EngineTransport;
  readonly transactions: TransactionLayer;
  readonly core: UserAgentCore;
  private readonly registry = new AppRegistry();
  private readonly wire: WireServer;
  private readonly hep: HepExporter | undefined;
  private readonly traces: CallTraces;
  /** Undefined: the addresses stay. */
  readonly standby: Standby | undefined;
  private succession: Succession | undefined;
  private readonly receive: (received: Received) => void;

  /** @param transport replaces the sockets of `settings`; what it receives goes to `transactions.receive` */
  constructor(
    private readonly settings: EngineSettings,
    notices: EngineNotices,
    private readonly clock: CountingClock = new SystemClock(notices.defect),
    transport?: EngineTransport,
    private readonly inherited?: InheritedSockets,
  ) {
    const { registry } = this;
    const { timers } = settings;
    this.standby = settings.isStandby ? new Standby(settings.listeners.map(({ host }) => host)) : undefined;
    const identifiers = new RandomIdentifiers();
    const frameIds = new FrameIds();
    const failedHandshakes = new FailedHandshakes();
    const report = (notice: TransportNotice): void => {
      if (notice.kind === 'handshake-failed' && notice.remote !== undefined)
        failedHandshakes.add(notice.remote, notice.text, Date.now());
      notices.transport(notice);
    };
    const guarded = (run: () => void): void => {
      try {
        run();
      } catch (error) {
        notices.defect(error);
      }
    };
    this.receive = (received) =>
      guarded(() => {
        if (this.succession?.passOn(received) !== true) this.transactions.receive(received);
      });
    this.hep =
      settings.hep === undefined
        ? undefined
        : new HepExporter({ ...settings.hep, captureId: settings.hepCaptureId });
    this.traces = new CallTraces(clock);
    const ownTransport = (): TransportLayer =>
      new TransportLayer(
        transportSettings(transportOptions(settings)),
        {
          message: (received) => this.receive(received),
          flowClosed: (flow) => {
            guarded(() => this.transactions.flowClosed(flow));
            guarded(() => this.core.flowClosed(flow));
          },
        },
        clock,
        bothObservers(this.traces, this.hep),
        { report, ...(inherited !== undefined && { inherited }) },
      );
    this.transport = transport ?? ownTransport();
    this.core = new UserAgentCore(
      {
        transport: this.transport,
        clock,
        timers,
        identifiers,
        applications: registry,
        settings: {
          // Before the peer's timer F, which ends its request with 408 anyway.
          applicationTimeout: 60 * timers.t1,
          inviteTimeout: settings.inviteTimeout,
          ringingTimeout: settings.ringingTimeout,
          minimumSessionExpires: settings.minimumSessionExpiresSeconds,
          keepDialogs: settings.keepSeconds * 1_000,
          screening: settings.screening,
          retryAfter: 5,
        },
      },
      () => this.transactions,
    );
    this.transactions = new TransactionLayer({
      transport: this.transport,
      clock,
      timers,
      user: this.core,
      newId: () => identifiers.transactionId(),
      screen: (received) => screen(settings.screening, received),
    });
    const wallClock = new WallClock();
    this.wire = new WireServer(
      {
        ...settings.admin,
        maximumFrame: settings.maximumFrame,
        maximumConnections: maximumApplications,
        maximumBacklog,
        authenticationTimeout,
        newMessageId: () => frameIds.next(),
        time: () => wallClock.now(),
        now: () => clock.now(),
        traces: this.traces,
      },
      this.core,
      registry,
      new Commands(this.core, registry, {
        instance: identifiers.transactionId(),
        isReplaced: () => this.succession?.isReplaced ?? false,
        isSecret: secretCheck(settings.secret),
        version: engineVersion,
        hostPorts: () => this.transport.listeners.map(advertised).join(','),
        localHostPorts: () => this.transport.listeners.map(bound).join(','),
        peers: {
          session: (address, port) => {
            const flow = this.transport.openFlow('tls', address, port);
            return flow instanceof StreamConnection ? flow.tlsSession : undefined;
          },
        },
        failedHandshakes,
      }),
      notices.wire,
    );
  }

  get adminPort(): number {
    return this.wire.port;
  }

  get listeners(): readonly Listener[] {
    return this.transport.listeners;
  }

  /**
   * Binds everything; rejects with a text that names the socket when one cannot be bound. On standby it resolves once the machine has
   * the listeners' addresses; until then, applications that connect get no reply.
   */
  async start(): Promise<void> {
    await this.hep?.start();
    if (this.standby !== undefined && this.standby.missing.length > 0) {
      await this.standBy(this.standby);
      return;
    }
    await this.transport.start();
    this.awaitRestore();
    await this.startWire();
  }

  /** Requests within dialogs that are unknown here wait from the moment in which the address can bring them. */
  private async standBy(standby: Standby): Promise<void> {
    this.wire.hold();
    const isEarly = standby.bindsEarly;
    if (isEarly) {
      await this.transport.start();
      if (this.settings.restoreSeconds > 0) this.core.awaitRestore(Number.POSITIVE_INFINITY);
    }
    await this.startWire();
    await standby.arrival();
    if (!isEarly) await this.transport.start();
    this.awaitRestore();
    this.wire.release();
  }

  private awaitRestore(owner?: string): void {
    this.core.awaitRestore(this.settings.restoreSeconds * 1_000, owner);
  }

  private async startWire(): Promise<void> {
    try {
      await this.wire.start(this.inherited?.take('admin'));
    } catch (error) {
      await this.transport.stop();
      const { host, port } = this.settings.admin;
      throw new Error(`admin ${host} port ${port}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }

  /** True: applications have marked dialogs to outlive them. */
  get holdsKeptDialogs(): boolean {
    return this.core.holdsKeptDialogs;
  }

  /** Resolves when no application is connected: what it did not mark to outlive it has been ended. Waits for a second at most. */
  async applicationsLeft(): Promise<void> {
    const deadline = this.clock.now() + byeGraceMilliseconds;
    while (this.wire.connections > 0 && this.clock.now() < deadline) await pause(drainPollMilliseconds);
  }

  /** Listening sockets by name, for a successor. */
  get sockets(): Map<string, number> {
    const found =
      this.transport instanceof TransportLayer ? this.transport.sockets : new Map<string, number>();
    const { descriptor } = this.wire;
    if (descriptor !== undefined) found.set('admin', descriptor);
    return found;
  }

  /** What `demarc engine` replaces itself by; undefined on a transport without sockets. */
  beginSuccession(log: SuccessionParts['log']): Succession | undefined {
    const { transport, core, registry, transactions, wire } = this;
    if (!(transport instanceof TransportLayer)) return undefined;
    this.succession ??= new Succession({
      transport,
      wire,
      log,
      knows: (received) => transactions.knows(received) || core.knows(received),
      takesCalls: () => registry.hasTaker('invite'),
      applications: () => registry.all(),
      isQuiet: (application) => core.isQuiet(application),
      forget: (application) => core.forget(application),
      open: () => {
        const { client, server, lingeringClient, lingeringServer } = transactions.counts;
        return client + server + lingeringClient + lingeringServer + core.counts.dialogs;
      },
      connections: () => transport.openConnections,
      awaitRestore: (owner) => this.awaitRestore(owner),
      receive: (received) => this.receive(received),
    });
    return this.succession;
  }

  /** The successor ended before it took any call: applications connect here again. */
  async endSuccession(): Promise<void> {
    await this.wire.start();
  }

  /** Closes at once: another process has the calls. */
  async leave(): Promise<void> {
    this.core.abandon();
    this.transactions.stop();
    await this.wire.stop();
    await this.transport.stop();
    await this.hep?.stop();
  }

  reloadCertificates(): Promise<void> {
    return this.transport.reloadCertificates();
  }

  /** Refuses new calls from now on; resolves when the last one has ended, or after that many seconds. */
  async drain(seconds: number): Promise<void> {
    this.core.drain();
    const deadline = this.clock.now() + seconds * 1000;
    while (!this.core.isIdle && this.clock.now() < deadline) await pause(drainPollMilliseconds);
  }

  /** Ends remaining dialogs and requests with BYE or 503, then closes everything. */
  async stop(): Promise<void> {
    this.core.drain();
    this.core.endAll('shutdown');
    const deadline = this.clock.now() + byeGraceMilliseconds;
    while (this.transactions.counts.client > 0 && this.clock.now() < deadline)
      await pause(drainPollMilliseconds);
    await this.wire.stop();
    this.transactions.stop();
    await this.transport.stop();
    await this.hep?.stop();
  }

  snapshot(): EngineSnapshot {
    return {
      userAgent: this.core.counts,
      transactions: this.transactions.counts,
      timers: this.clock.pendingTimers,
      applicationConnections: this.wire.connections,
      openConnections: this.transport.openConnections,
      hep: this.hep?.counters,
      traces: this.traces.counters,
    };
  }
}

const advertised = (listener: Listener): string => `${listener.protocol}/${advertisedHostPort(listener)}`;

function bound({ protocol, address, port }: Listener): string {
  return `${protocol}/${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Compares digests, so that timing reveals neither length nor content. */
function secretCheck(secret: string): (candidate: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'latin1').digest();
  const expected = digest(Buffer.from(secret, 'utf8').toString('latin1'));
  return (candidate) => timingSafeEqual(digest(candidate), expected);
}

function transportOptions({ listeners, externalHost, tls }: EngineSettings) {
  const unverified = tls.verify
    ? tls.unverifiedHosts.map((host) => ({ host, reason: '--tls-unverified-host' }))
    : [{ host: '*', reason: '--tls-verify off' }];
  // Beside external listeners, a loopback listener serves this machine only, which cannot reach it by the external address.
  const isPrivate = (host: string): boolean =>
    isLoopback(host) && !listeners.every((listener) => isLoopback(listener.host));
  return {
    listeners: listeners.map(({ protocol, host, port, forceRport = false, isInternal = false }) => ({
      protocol,
      address: host,
      port,
      forceRport,
      ...(externalHost === undefined || isInternal || isPrivate(host)
        ? {}
        : { advertisedHost: externalHost }),
    })),
    tls: {
      clientCertificates: tls.clientCertificate,
      unverifiedHosts: unverified,
      ...(tls.keyFile === undefined ? {} : { keyFile: tls.keyFile }),
      ...(tls.certificateFile === undefined ? {} : { certificateFile: tls.certificateFile }),
      ...(tls.chainFile === undefined ? {} : { chainFile: tls.chainFile }),
      ...(tls.outbound === undefined ? {} : { outboundCertificate: tls.outbound }),
      ...(tls.caFile === undefined ? {} : { trustedCaFile: tls.caFile, clientCaFile: tls.caFile }),
    },
  };
}
