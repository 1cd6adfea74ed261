import { createSocket, type Socket } from 'node:dgram';
import { descriptorOf } from '../../base/inherited-sockets.js';
import { canonicalAddress, familyOf, isWildcard } from '../../naming/address.js';
import type { TransportCounters } from './counters.js';
import { type Flow, type Listener, TransportError } from './flow.js';
import { ownAddress } from './local-addresses.js';
import type { ListenerSettings } from './settings.js';

/** A datagram shorter than any SIP message is a keep-alive: CRLF, zeros, or a STUN probe of a NAT. */
const shortestMessage = 32;

/** Absorbs what arrives while the event loop is busy for some 100 ms; the kernel may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024;

export interface UdpListenerParts {
  /** Tells the sockets apart in flow ids. */
  readonly index: number;
  readonly counters: TransportCounters;
  readonly maximumBytes: number;
  readonly received: (bytes: Buffer, flow: UdpFlow) => void;
  readonly failed: (error: Error) => void;
}

/** One UDP socket. It keeps no state about senders. */
export class UdpListener implements Listener {
  readonly protocol = 'udp';

  readonly index: number;
  readonly address: string;
  readonly port: number;
  readonly advertisedHost: string;
  readonly advertisedPort: number;
  readonly forceRport: boolean;
  /** What a datagram's local address is in traces. */
  readonly localAddress: string;

  private constructor(
    settings: ListenerSettings,
    private readonly socket: Socket,
    private readonly parts: UdpListenerParts,
  ) {
    this.index = parts.index;
    this.address = canonicalAddress(settings.address);
    this.localAddress = isWildcard(this.address)
      ? ownAddress(familyOf(this.address) === 6 ? 6 : 4)
      : this.address;
    this.port = socket.address().port;
    this.advertisedHost = settings.advertisedHost ?? this.localAddress;
    this.advertisedPort = settings.advertisedPort ?? this.port;
    this.forceRport = settings.forceRport ?? false;
    socket.on('message', (bytes, remote) => this.received(bytes, remote.address, remote.port));
  }

  /**
   * Binds the socket; rejects with the system's error.
   * @param inherited descriptor of a bound socket to use instead
   */
  static async open(
    settings: ListenerSettings,
    parts: UdpListenerParts,
    inherited?: number,
  ): Promise<UdpListener> {
    const family = familyOf(settings.address) === 6 ? 6 : 4;
    const socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      ipv6Only: family === 6,
      recvBufferSize: receiveBufferBytes,
      // Destinations are always IP literals; Node's lookup would cost a turn of the event loop for each datagram.
      lookup: (hostname, _options, callback) => callback(null, hostname, family),
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      const bound = { address: settings.address, port: settings.port };
      socket.bind(inherited === undefined ? bound : { fd: inherited }, () => {
        socket.off('error', reject);
        resolve();
      });
    });
    socket.on('error', parts.failed);
    return new UdpListener(settings, socket, parts);
  }

  /** The socket, for a successor. */
  get descriptor(): number | undefined {
    return descriptorOf(this.socket);
  }

  /** The flow to a peer. Flows of one peer are different objects with one id. */
  flowTo(address: string, port: number): UdpFlow {
    return new UdpFlow(this, address, port);
  }

  send(bytes: string, address: string, port: number, failed?: (error: TransportError) => void): void {
    this.parts.counters.bytesSent += bytes.length;
    this.socket.send(Buffer.from(bytes, 'latin1'), port, address, (error) => {
      if (error === null) return;
      this.parts.counters.sendErrors++;
      failed?.(
        datagramError(
          error as NodeJS.ErrnoException,
          `from ${this.address} to ${address} port ${port}`,
          bytes.length,
        ),
      );
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.close(resolve);
    });
  }

  private received(bytes: Buffer, address: string, port: number): void {
    this.parts.counters.bytesReceived += bytes.length;
    if (bytes.length < shortestMessage) {
      this.parts.counters.keepAlives++;
      return;
    }
    if (bytes.length > this.parts.maximumBytes) {
      this.parts.counters.datagramsTooLong++;
      return;
    }
    // Port 0 cannot be answered and is only ever forged.
    if (port === 0) return;
    this.parts.received(bytes, new UdpFlow(this, canonicalAddress(address), port));
  }
}

/** A UDP socket together with a remote address. Always open. */
export class UdpFlow implements Flow {
  readonly protocol = 'udp';
  readonly isOpen = true;

  constructor(
    readonly listener: UdpListener,
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {}

  get id(): string {
    return `udp-${this.listener.index}-${this.remoteAddress}-${this.remotePort}`;
  }

  get localAddress(): string {
    return this.listener.localAddress;
  }

  get localPort(): number {
    return this.listener.port;
  }
}

function datagramError(error: NodeJS.ErrnoException, path: string, size: number): TransportError {
  switch (error.code) {
    case 'EMSGSIZE':
      return new TransportError('unreachable', `${size} octets are too many for a datagram ${path}`);
    case 'ECONNREFUSED':
      return new TransportError('refused', `udp ${path}: refused`);
    case 'ENOBUFS':
    case 'ENOMEM':
      return new TransportError('overloaded', `udp ${path}: ${error.code}`);
    case 'ERR_SOCKET_DGRAM_NOT_RUNNING':
      return new TransportError('closed', 'the UDP socket is closed');
    default:
      return new TransportError('unreachable', `udp ${path}: ${error.code ?? error.message}`);
  }
}
