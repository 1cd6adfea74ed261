import { createServer, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import { descriptorOf } from '../../base/inherited-sockets.js';
import { canonicalAddress, familyOf, isWildcard } from '../../naming/address.js';
import { sourcePrefix } from '../../naming/address-scope.js';
import type { ConnectionAdmission } from './admission.js';
import type { TransportCounters } from './counters.js';
import type { Listener } from './flow.js';
import { ownAddress } from './local-addresses.js';
import type { ReportNotice } from './observer.js';
import type { ClientCertificates, ListenerSettings } from './settings.js';

/** The kernel detects dead peers behind a NAT after this time and some probes. */
export const tcpKeepAliveMilliseconds = 60_000;

/** Connections the kernel holds while the event loop is busy. */
const backlog = 1024;

export interface StreamListenerParts {
  readonly admission: ConnectionAdmission;
  readonly counters: TransportCounters;
  readonly report: ReportNotice;
  readonly handshakeMilliseconds: number;
  readonly clientCertificates: ClientCertificates;
  /** For `tls`. */
  readonly secureContext?: SecureContextOptions;
  readonly accepted: (listener: StreamListener, socket: Socket) => void;
  readonly failed: (error: Error) => void;
}

/** Accepts TCP or TLS connections, within the limits. */
export class StreamListener implements Listener {
  readonly protocol: 'tcp' | 'tls';
  readonly address: string;
  readonly port: number;
  readonly advertisedHost: string;
  readonly advertisedPort: number;
  private readonly tlsServer: TlsServer | undefined;
  /** Admitted sockets whose TLS handshake is not over, by their addresses. */
  private readonly handshaking = new Map<string, { socket: Socket; source: string }>();

  private constructor(
    settings: ListenerSettings,
    private readonly server: Server,
    private readonly parts: StreamListenerParts,
  ) {
    this.protocol = settings.protocol === 'tls' ? 'tls' : 'tcp';
    this.address = canonicalAddress(settings.address);
    const bound = server.address();
    this.port = bound !== null && typeof bound === 'object' ? bound.port : settings.port;
    const own = isWildcard(this.address) ? ownAddress(familyOf(this.address) === 6 ? 6 : 4) : this.address;
    this.advertisedHost = settings.advertisedHost ?? own;
    this.advertisedPort = settings.advertisedPort ?? this.port;
    if (this.protocol === 'tls') this.tlsServer = this.newTlsServer();
  }

  /**
   * Binds the socket; rejects with the system's error.
   * @param inherited descriptor of a bound socket to use instead
   */
  static async open(
    settings: ListenerSettings,
    parts: StreamListenerParts,
    inherited?: number,
  ): Promise<StreamListener> {
    const server = createServer({
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMilliseconds,
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const { address, port } = settings;
      const bound = { host: address, port, ipv6Only: familyOf(address) === 6, backlog };
      server.listen(inherited === undefined ? bound : { fd: inherited, backlog }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const listener = new StreamListener(settings, server, parts);
    server.on('error', parts.failed);
    server.on('connection', (socket) => listener.connected(socket));
    return listener;
  }

  /** New handshakes use the new pair; connections stay as they are. */
  setSecureContext(context: SecureContextOptions): void {
    this.tlsServer?.setSecureContext(context);
  }

  /** The listening socket, for a successor. */
  get descriptor(): number | undefined {
    return descriptorOf(this.server);
  }

  /** Leaves new connections to the process that has the same socket. */
  stopAccepting(): void {
    this.server.close();
  }

  /** Stops accepting. Open connections belong to the layer and stay. */
  close(): Promise<void> {
    for (const { socket } of this.handshaking.values()) socket.destroy();
    if (!this.server.listening) return Promise.resolve();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private connected(socket: Socket): void {
    const { admission, counters } = this.parts;
    const address = canonicalAddress(socket.remoteAddress ?? '');
    if (address === '') {
      socket.destroy();
      return;
    }
    const source = sourcePrefix(address);
    const refusal = admission.admit(source, this.protocol === 'tls');
    if (refusal !== undefined) {
      counters[refusal]++;
      // A reset reaches the peer at once and leaves no state in the kernel.
      socket.resetAndDestroy();
      this.parts.report({
        kind: 'connection-refused',
        remote: address,
        text: `${this.protocol} connection refused: ${refusal}`,
      });
      return;
    }
    const key = pairOf(socket);
    // Emitted once; a listener by `once` would take more memory for as long as the connection is open.
    socket.on('close', () => {
      // Before the admission is released: that forgets the source.
      this.handshakeOver(key);
      admission.release(source);
    });
    if (this.tlsServer === undefined) {
      counters.connectionsAccepted++;
      this.parts.accepted(this, socket);
      return;
    }
    // Errors of the TCP socket below a TLS socket surface there.
    socket.on('error', ignore);
    this.handshaking.set(key, { socket, source });
    this.startTls(socket, this.tlsServer);
  }

  /**
   * Once the peer has sent something. Node's TLS allocates 64 KB for the first octets if it reads them itself, and keeps them as
   * long as the connection; given octets that were read before, it allocates a buffer of their size.
   */
  private startTls(socket: Socket, server: TlsServer): void {
    const silent = (): void => {
      this.parts.counters.handshakeFailures++;
      socket.destroy();
    };
    socket.setTimeout(this.parts.handshakeMilliseconds, silent);
    socket.once('readable', () => {
      socket.setTimeout(0, silent);
      if (!socket.destroyed) server.emit('connection', socket);
    });
  }

  private handshakeOver(key: string): void {
    const handshake = this.handshaking.get(key);
    if (handshake === undefined) return;
    this.handshaking.delete(key);
    this.parts.admission.handshakeOver(handshake.source);
  }

  private newTlsServer(): TlsServer {
    const { clientCertificates, handshakeMilliseconds, secureContext, counters } = this.parts;
    const server = createTlsServer({
      ...secureContext,
      requestCert: clientCertificates !== 'none',
      rejectUnauthorized: clientCertificates === 'required',
      handshakeTimeout: handshakeMilliseconds,
    });
    server.on('secureConnection', (socket) => {
      this.handshakeOver(pairOf(socket));
      if (socket.destroyed) return;
      if (clientCertificates === 'optional' && !socket.authorized && hasCertificate(socket)) {
        counters.handshakeFailures++;
        this.handshakeFailed(socket, `client certificate refused: ${String(socket.authorizationError)}`);
        socket.destroy();
        return;
      }
      counters.handshakes++;
      counters.connectionsAccepted++;
      this.parts.accepted(this, socket);
    });
    server.on('tlsClientError', (error, socket) => {
      counters.handshakeFailures++;
      this.handshakeFailed(socket, error.message);
      socket.destroy();
    });
    return server;
  }

  private handshakeFailed(socket: TLSSocket, text: string): void {
    const remote = canonicalAddress(socket.remoteAddress ?? '');
    this.parts.report({ kind: 'handshake-failed', text, ...(remote !== '' && { remote }) });
  }
}

const ignore = (): void => {};

/** Unique among the sockets of a listener; the same for a TCP socket and the TLS socket on top of it. */
const pairOf = (socket: Socket): string =>
  `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress}`;

const hasCertificate = (socket: TLSSocket): boolean => Object.keys(socket.getPeerCertificate()).length > 0;
