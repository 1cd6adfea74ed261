import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { canonicalAddress } from '../../naming/address.js';
import { type FramedItem, FramingError, StreamFramer } from '../../sip/framing.js';
import type { SipMessage } from '../../sip/message.js';
import type { Clock } from '../clock.js';
import type { PooledConnection } from './connection-table.js';
import type { TransportCounters } from './counters.js';
import { clientCertificateFailure } from './dialer.js';
import { type Listener, TransportError } from './flow.js';
import type { SendQueue } from './kernel-queues.js';
import type { KeepAliveSettings, TransportLimits } from './settings.js';

/** Events of a connection for the layer that owns it. */
export interface ConnectionHandler {
  /** One whole message. */
  message(connection: StreamConnection, message: SipMessage, bytes: Buffer): void;
  /** The stream can no longer be framed; the connection closes after what the handler still writes. */
  framingFailed(connection: StreamConnection, error: FramingError): void;
  /** Once; `reason` is undefined when the peer simply closed. */
  closed(connection: StreamConnection, reason: string | undefined): void;
}

export interface ConnectionParts {
  readonly id: string;
  readonly protocol: 'tcp' | 'tls';
  readonly listener: Listener;
  readonly socket: Socket;
  readonly direction: 'incoming' | 'outgoing';
  /** Outgoing: the name the certificate was checked against. */
  readonly serverName?: string;
  /** Outgoing: the trust that verified the certificate (`Trust.id`); absent: one of the engine's authorities. */
  readonly trustId?: string;
  readonly limits: TransportLimits;
  readonly keepAlive: KeepAliveSettings;
  readonly counters: TransportCounters;
  readonly clock: Clock;
  readonly handler: ConnectionHandler;
}

export interface TlsSessionFacts {
  /** `TLSv1.3` */
  readonly version: string;
  readonly cipher: string;
  /** Null: the peer presented none. */
  readonly certificate: {
    readonly subject: string;
    readonly issuer: string;
    readonly not_after: string;
    readonly sha256: string;
  } | null;
}

const maximumName = 256;

/** A distinguished name on one line. */
const nameOf = (name: object): string =>
  Object.entries(name)
    .map(([field, value]) => `${field}=${String(value)}`)
    .join(', ')
    .slice(0, maximumName);

const ping = '\r\n\r\n';
const pong = '\r\n';

/** In a row, of the same octets: a lost segment or two are usual. */
const certainRetransmissions = 3;

/** Requests that came before what cannot be framed are answered within this long; then the connection closes. */
const answerMilliseconds = 2_000;

/** After our last octets the peer has this long to close its side; then the socket is destroyed. */
const lingerMilliseconds = 2_000;

type Failed = (error: TransportError) => void;

/** One TCP or TLS connection: frames received octets, batches writes, and detects when it has become unusable. */
export class StreamConnection implements PooledConnection {
  readonly id: string;
  readonly protocol: 'tcp' | 'tls';
  readonly listener: Listener;
  readonly direction: 'incoming' | 'outgoing';
  readonly serverName: string | undefined;
  readonly trustId: string | undefined;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;

  private readonly socket: Socket;
  private readonly framer: StreamFramer;
  closedBecause: TransportError | undefined;
  private open = true;
  private isGone = false;
  private closeReason: string | undefined;

  private pending = '';
  private pendingFailed: Failed[] = [];
  private flushScheduled = false;

  private readonly openedAt: number;
  private receivedAt: number;
  private sentAt: number;
  private messageStartedAt: number | undefined;
  private hadMessage = false;
  private closingSince = 0;
  /** When the stream became unreadable: nothing more is read, but earlier requests may still be answered. */
  private unreadableSince: number | undefined;
  private pingSentAt: number | undefined;
  private answersPings = false;
  /** When the first of the octets was written that the peer may not have; undefined: something came since. */
  private unansweredSince: number | undefined;
  private pingWindowStart = Number.NEGATIVE_INFINITY;
  private pingsInWindow = 0;

  constructor(private readonly parts: ConnectionParts) {
    const { socket, limits, clock } = parts;
    this.id = parts.id;
    this.protocol = parts.protocol;
    this.listener = parts.listener;
    this.direction = parts.direction;
    this.serverName = parts.serverName;
    this.trustId = parts.trustId;
    this.socket = socket;
    this.remoteAddress = canonicalAddress(socket.remoteAddress ?? '');
    this.remotePort = socket.remotePort ?? 0;
    this.localAddress = canonicalAddress(socket.localAddress ?? '');
    this.localPort = socket.localPort ?? 0;
    this.framer = new StreamFramer({
      maximumHeaderBytes: limits.headerBytes,
      maximumMessageBytes: limits.messageBytes,
    });
    this.openedAt = clock.now();
    this.receivedAt = this.openedAt;
    this.sentAt = this.openedAt;
    socket.on('data', (chunk: Buffer) => this.received(chunk));
    socket.on('end', () => {
      this.open = false;
    });
    socket.on('error', (error) => {
      this.closeReason ??= error.message;
      // With TLS 1.3 a server judges our certificate only after the handshake is over for us.
      if (this.protocol === 'tls' && this.direction === 'outgoing') {
        this.closedBecause = clientCertificateFailure(error, this.peerName, true);
      }
    });
    socket.on('close', () => this.gone());
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** True while answers of the peer can still be read. */
  get takesRequests(): boolean {
    return this.open && this.unreadableSince === undefined;
  }

  /** TLS: the peer's certificate when it was verified against our authorities. */
  get verifiedCertificate(): PeerCertificate | undefined {
    if (this.protocol !== 'tls') return undefined;
    const socket = this.socket as TLSSocket;
    return socket.authorized ? socket.getPeerCertificate() : undefined;
  }

  /** TLS: what was negotiated, and what the peer presented. */
  get tlsSession(): TlsSessionFacts | undefined {
    if (this.protocol !== 'tls' || this.isGone) return undefined;
    const socket = this.socket as TLSSocket;
    const { subject, issuer, valid_to, fingerprint256 } = socket.getPeerCertificate();
    return {
      version: socket.getProtocol() ?? '',
      cipher: socket.getCipher()?.standardName ?? '',
      certificate:
        fingerprint256 === undefined
          ? null
          : {
              subject: nameOf(subject),
              issuer: nameOf(issuer),
              not_after: valid_to,
              sha256: fingerprint256,
            },
    };
  }

  /** Queues octets; everything of one turn of the event loop leaves in one write. */
  write(bytes: string, failed?: Failed): void {
    if (!this.open) {
      if (failed !== undefined) process.nextTick(failed, this.closedError());
      return;
    }
    this.pending += bytes;
    if (failed !== undefined) this.pendingFailed.push(failed);
    if (this.socket.writableLength + this.pending.length > this.parts.limits.writeBacklogBytes) {
      this.parts.counters.closedBacklog++;
      this.destroy('the peer does not read what we send');
      return;
    }
    if (this.flushScheduled) return;
    this.flushScheduled = true;
    setImmediate(() => this.flush());
  }

  /** Sends the queue, then closes. */
  close(reason?: string): void {
    if (!this.open) return;
    this.open = false;
    this.closeReason ??= reason;
    this.closingSince = this.parts.clock.now();
    this.flush();
    this.socket.end();
  }

  /** Closes at once; the queue is lost, and reported as lost. */
  destroy(reason: string): void {
    this.open = false;
    this.closeReason ??= reason;
    this.socket.destroy();
  }

  /** Called periodically: closes a connection that is slow, idle or dead, and keeps a good one alive. */
  check(now: number): void {
    const { limits, counters } = this.parts;
    if (!this.open) {
      if (now - this.closingSince > lingerMilliseconds) this.socket.destroy();
      return;
    }
    if (this.unreadableSince !== undefined) {
      if (now - this.unreadableSince > answerMilliseconds) this.close();
      return;
    }
    if (this.messageStartedAt !== undefined && now - this.messageStartedAt > limits.messageMilliseconds) {
      counters.closedSlowMessage++;
      this.destroy('a message did not become complete in time');
    } else if (
      this.direction === 'incoming' &&
      !this.hadMessage &&
      now - this.openedAt > limits.firstMessageMilliseconds
    ) {
      counters.closedNoMessage++;
      this.destroy('no message came after the connection was opened');
    } else if (now - Math.max(this.receivedAt, this.sentAt) > limits.idleMilliseconds) {
      counters.closedIdle++;
      this.close('idle');
    } else if (this.direction === 'outgoing') this.keepAlive(now);
  }

  /** For so long the peer has not answered: the kernel knows whether its host has acknowledged what was sent. */
  isSilentFor(milliseconds: number, now: number): boolean {
    return this.open && this.unansweredSince !== undefined && now - this.unansweredSince > milliseconds;
  }

  /** @param queue what the kernel still holds of what was sent; undefined: nothing */
  judge(queue: SendQueue | undefined): void {
    if (queue === undefined) this.unansweredSince = undefined;
    // Undefined: something came while the tables were read.
    if (queue === undefined || this.unansweredSince === undefined) return;
    // A peer that does not read acknowledges all the same, and probes of its window are no retransmissions.
    if (queue.retransmissions < certainRetransmissions) return;
    this.parts.counters.closedUnacknowledged++;
    this.destroy('the peer does not acknowledge what we send');
  }

  private ping(now: number): void {
    this.pingSentAt = now;
    this.unansweredSince ??= now;
    this.socket.write(ping, 'latin1');
  }

  private keepAlive(now: number): void {
    const { intervalMilliseconds, pongMilliseconds, closeWithoutPong } = this.parts.keepAlive;
    if (intervalMilliseconds === 0) return;
    if (this.pingSentAt === undefined) {
      if (now - this.receivedAt >= intervalMilliseconds) this.ping(now);
    } else if (
      now - this.pingSentAt > pongMilliseconds &&
      (this.answersPings || closeWithoutPong === 'always')
    ) {
      this.parts.counters.closedNoPong++;
      this.destroy('keep-alive not answered');
    } else if (now - this.pingSentAt >= Math.max(intervalMilliseconds, pongMilliseconds)) this.ping(now);
  }

  private received(chunk: Buffer): void {
    // After a framing error the rest of the stream is meaningless; reading on lets our answer arrive before the close.
    if (!this.takesRequests) return;
    const { counters, clock, handler } = this.parts;
    const now = clock.now();
    counters.bytesReceived += chunk.length;
    this.receivedAt = now;
    this.pingSentAt = undefined;
    this.unansweredSince = undefined;
    const wasMidMessage = this.framer.isMidMessage;
    try {
      const items = this.framer.push(chunk);
      this.handle(items, now);
      if (!this.framer.isMidMessage) this.messageStartedAt = undefined;
      else if (items.length > 0 || !wasMidMessage) this.messageStartedAt = now;
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      counters.framingErrors++;
      this.handle(error.items, now);
      if (!this.open) return;
      handler.framingFailed(this, error);
      this.closeReason ??= error.message;
      if (this.hadMessage) this.unreadableSince = now;
      else this.close();
    }
  }

  private handle(items: readonly FramedItem[], now: number): void {
    for (const item of items) {
      if (item.kind === 'message') {
        this.hadMessage = true;
        this.parts.handler.message(this, item.message, item.bytes);
      } else if (!this.keepAliveReceived(item.kind, now)) return;
      if (!this.open) return;
    }
  }

  /** False when the peer sends so many that the connection was closed. */
  private keepAliveReceived(kind: 'ping' | 'pong', now: number): boolean {
    const { counters, limits } = this.parts;
    counters.keepAlives++;
    if (now - this.pingWindowStart >= 1000) {
      this.pingWindowStart = now;
      this.pingsInWindow = 0;
    }
    if (++this.pingsInWindow > limits.pingsPerSecond) {
      counters.closedPingFlood++;
      this.destroy('too many keep-alives');
      return false;
    }
    if (kind === 'ping') this.write(pong);
    else this.answersPings = true;
    return true;
  }

  private flush(): void {
    this.flushScheduled = false;
    if (this.pending === '') return;
    const bytes = this.pending;
    const failed = this.pendingFailed;
    this.pending = '';
    if (failed.length > 0) this.pendingFailed = [];
    this.sentAt = this.parts.clock.now();
    this.unansweredSince ??= this.sentAt;
    this.parts.counters.bytesSent += bytes.length;
    if (failed.length === 0) this.socket.write(bytes, 'latin1');
    else
      this.socket.write(bytes, 'latin1', (error) => {
        if (error) for (const each of failed) each(this.closedError());
      });
  }

  private gone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.open = false;
    const failed = this.pendingFailed;
    this.pending = '';
    this.pendingFailed = [];
    for (const each of failed) each(this.closedError());
    this.parts.handler.closed(this, this.closeReason);
  }

  private get peerName(): string {
    return `tls to ${this.serverName ?? this.remoteAddress} (${this.remoteAddress} port ${this.remotePort})`;
  }

  private closedError(): TransportError {
    if (this.closedBecause !== undefined) return this.closedBecause;
    const peer = `${this.remoteAddress} port ${this.remotePort}`;
    return new TransportError(
      'closed',
      `the ${this.protocol} connection with ${peer} is closed${this.closeReason ? `: ${this.closeReason}` : ''}`,
    );
  }
}
