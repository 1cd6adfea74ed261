import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, connect as netConnect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { parseCSeq } from '../sip/cseq.js';
import { StreamFramer } from '../sip/framing.js';
import type { SipMessage, SipRequest, SipResponse } from '../sip/message.js';
import { parseMessage } from '../sip/parse.js';
import { serialize } from '../sip/serialize.js';
import { formatHostPort } from '../sip/uri.js';
import { Inbox } from './inbox.js';
import { within } from './waiting.js';

export type PeerProtocol = 'udp' | 'tcp' | 'tls';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The path back to the sender of a message: the UDP source, or its connection. */
export interface Route {
  readonly remotePort: number;
  readonly remoteAddress: string;
  /** Byte string or octets. */
  send(bytes: string | Buffer): void;
  /** Closes a stream; nothing for UDP. */
  close(): void;
  readonly isOpen: () => boolean;
}

export interface Arrival<M extends SipMessage = SipMessage> {
  readonly message: M;
  readonly text: string;
  readonly route: Route;
  readonly at: number;
}

export interface PeerOptions {
  readonly protocol: PeerProtocol;
  /** The listener of the engine under test; `send` without a route sends there. */
  readonly target: Address;
  /** PEM: what the peer presents over TLS, and the authority it trusts. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly ca?: string;
  readonly host?: string;
  readonly port?: number;
  /** Of the connections that it opens; absent: the system chooses. */
  readonly localAddress?: string;
  /** TLS: ask the engine for its certificate. */
  readonly requestClientCertificate?: boolean;
  /** Takes every arrival, retransmissions included; `inbox` and `everything` stay empty. */
  readonly onArrival?: (arrival: Arrival) => void;
}

const cseqOf = (message: SipMessage) => parseCSeq(message.headers.get('CSeq') ?? '');

function describeMessage(message: SipMessage): string {
  const line =
    message.kind === 'request' ? `${message.method} ${message.uri}` : `${message.status} ${message.reason}`;
  return `${line} (CSeq ${message.headers.get('CSeq')})`;
}

/**
 * A scripted SIP entity over real sockets, without transactions: it sends scripted messages and keeps received ones.
 * `expectRequest` and `expectResponse` skip exact copies (retransmissions).
 */
export class SipPeer {
  readonly inbox: Inbox<Arrival> = new Inbox(({ message }) => describeMessage(message));
  /** All arrivals in order, retransmissions included. */
  readonly everything: Arrival[] = [];
  /** Octets on streams that were keep-alives: `ping` CRLFCRLF, `pong` CRLF. */
  readonly keepAlives: ('ping' | 'pong')[] = [];
  /** Connections the engine has opened to this peer. */
  accepted = 0;
  /** Server name indications of the engine's TLS connections. */
  readonly serverNames: (string | false | null)[] = [];
  private readonly seen = new Set<string>();
  private readonly streams = new Set<Socket>();
  private udp: UdpSocket | undefined;
  private server: Server | undefined;
  private outgoing: Promise<Route> | undefined;
  private readonly elsewhere = new Map<string, Promise<Route>>();
  private localPort = 0;

  private constructor(private readonly options: PeerOptions) {}

  static async open(options: PeerOptions): Promise<SipPeer> {
    const peer = new SipPeer(options);
    await peer.listen();
    return peer;
  }

  get protocol(): PeerProtocol {
    return this.options.protocol;
  }

  get host(): string {
    return this.options.host ?? '127.0.0.1';
  }

  get port(): number {
    return this.localPort;
  }

  /** `;transport=tcp` and the like; empty for UDP. */
  get transportParameter(): string {
    return this.protocol === 'udp' ? '' : `;transport=${this.protocol}`;
  }

  /** A URI at which the engine reaches this peer. */
  uri(user = 'peer'): string {
    return `sip:${user}@${formatHostPort(this.host, this.port)}${this.transportParameter}`;
  }

  via(branch: string, rport = this.protocol === 'udp'): string {
    return `SIP/2.0/${this.protocol.toUpperCase()} ${formatHostPort(this.host, this.port)};branch=${branch}${rport ? ';rport' : ''}`;
  }

  /** The engine's listener this peer talks to. */
  get target(): Address {
    return this.options.target;
  }

  /** Sends to the engine, over one connection opened at the first use, or over the given route. */
  async send(message: SipMessage | string | Buffer, route?: Route): Promise<void> {
    const bytes = typeof message === 'string' || Buffer.isBuffer(message) ? message : serialize(message);
    (route ?? (await this.route())).send(bytes);
  }

  /** The route of messages that answer nothing. */
  route(): Promise<Route> {
    this.outgoing ??= this.protocol === 'udp' ? Promise.resolve(this.udpRoute(this.target)) : this.connect();
    return this.outgoing;
  }

  /** The route to another engine than `target`; one connection for all that goes there, opened again when it is closed. */
  async routeTo(address: Address): Promise<Route> {
    const key = formatHostPort(address.host, address.port);
    const open = await this.elsewhere.get(key)?.catch(() => undefined);
    if (open?.isOpen() === true) return open;
    const route = this.connect(address);
    this.elsewhere.set(key, route);
    return route;
  }

  /** A further connection to the engine (streams), or the same socket (UDP). */
  async connect({ host, port }: Address = this.target): Promise<Route> {
    if (this.protocol === 'udp') return this.udpRoute({ host, port });
    const { localAddress } = this.options;
    const local = localAddress === undefined ? {} : { localAddress };
    const socket: Socket =
      this.protocol === 'tls'
        ? tlsConnect({
            host,
            port,
            ...local,
            ...(this.options.ca === undefined
              ? { rejectUnauthorized: false }
              : { ca: this.options.ca, servername: 'localhost' }),
            ...(this.options.certificate === undefined
              ? {}
              : { cert: this.options.certificate.cert, key: this.options.certificate.key }),
          })
        : netConnect({ host, port, ...local });
    await within(
      new Promise<void>((resolve, reject) => {
        socket.once(this.protocol === 'tls' ? 'secureConnect' : 'connect', () => resolve());
        socket.once('error', reject);
      }),
      5_000,
      `${this.protocol} connection to the engine`,
    );
    return this.adopt(socket);
  }

  /** The next request with that method (of that call, to that user), first copy only. */
  async expectRequest(
    method: string,
    criteria: { callId?: string; user?: string; milliseconds?: number } = {},
  ): Promise<Arrival<SipRequest>> {
    const { callId, user, milliseconds = 5_000 } = criteria;
    const arrival = await this.inbox.take(
      ({ message }) =>
        message.kind === 'request' &&
        message.method === method &&
        (callId === undefined || message.headers.get('Call-ID') === callId) &&
        (user === undefined ||
          message.uri.startsWith(`sip:${user}@`) ||
          message.uri.startsWith(`sips:${user}@`)),
      milliseconds,
      `${method} at the peer`,
    );
    return arrival as Arrival<SipRequest>;
  }

  /** The next response with that status to a request with that method (of that call), first copy only. */
  async expectResponse(
    status: number | ((status: number) => boolean),
    wanted: { method?: string; callId?: string; cseq?: number; milliseconds?: number } = {},
  ): Promise<Arrival<SipResponse>> {
    const isWanted = typeof status === 'number' ? (each: number) => each === status : status;
    const arrival = await this.inbox.take(
      ({ message }) =>
        message.kind === 'response' &&
        isWanted(message.status) &&
        (wanted.method === undefined || cseqOf(message)?.method === wanted.method) &&
        (wanted.cseq === undefined || cseqOf(message)?.number === wanted.cseq) &&
        (wanted.callId === undefined || message.headers.get('Call-ID') === wanted.callId),
      wanted.milliseconds ?? 5_000,
      `response ${typeof status === 'number' ? status : ''} to ${wanted.method ?? 'a request'} at the peer`,
    );
    return arrival as Arrival<SipResponse>;
  }

  /** Fails when something that matches has arrived or arrives within that time. */
  expectNothing(
    matches: (message: SipMessage) => boolean,
    milliseconds: number,
    what: string,
  ): Promise<void> {
    return this.inbox.none(({ message }) => matches(message), milliseconds, what);
  }

  /** How often exactly these octets have arrived so far. */
  copies(arrival: Arrival): number {
    return this.everything.filter(({ text }) => text === arrival.text).length;
  }

  /** Arrivals that match, retransmissions included. */
  all(matches: (message: SipMessage) => boolean): Arrival[] {
    return this.everything.filter(({ message }) => matches(message));
  }

  async close(): Promise<void> {
    for (const socket of this.streams) socket.destroy();
    if (this.udp !== undefined) await new Promise<void>((resolve) => this.udp!.close(() => resolve()));
    this.udp = undefined;
    if (this.server !== undefined) await new Promise<void>((resolve) => this.server!.close(() => resolve()));
    this.server = undefined;
  }

  /** Stops listening but keeps open connections. */
  async stopListening(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    server?.close();
  }

  /** Closes all open connections, as a peer that dies does. */
  closeConnections(): void {
    for (const socket of this.streams) socket.destroy();
    this.outgoing = undefined;
  }

  private async listen(): Promise<void> {
    const port = this.options.port ?? 0;
    if (this.protocol === 'udp') {
      const socket = createSocket(this.host.includes(':') ? 'udp6' : 'udp4');
      this.udp = socket;
      socket.on('message', (bytes, from) => {
        this.accept(bytes, this.udpRoute({ host: from.address, port: from.port }));
      });
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.bind(port, this.host, resolve));
      this.localPort = socket.address().port;
      return;
    }
    const server =
      this.protocol === 'tls' && this.options.certificate !== undefined
        ? createTlsServer(
            {
              cert: this.options.certificate.cert,
              key: this.options.certificate.key,
              ...(this.options.requestClientCertificate === true
                ? { requestCert: true, rejectUnauthorized: false }
                : {}),
            },
            (socket) => {
              this.serverNames.push(socket.servername ?? null);
              this.inbound(socket);
            },
          )
        : createServer((socket) => this.inbound(socket));
    server.on('tlsClientError', () => {});
    this.server = server;
    await new Promise<void>((resolve) => server.listen(port, this.host, () => resolve()));
    const address = server.address();
    this.localPort = typeof address === 'object' && address !== null ? address.port : 0;
  }

  private inbound(socket: Socket | TLSSocket): void {
    this.accepted += 1;
    this.adopt(socket);
  }

  private adopt(socket: Socket): Route {
    socket.setNoDelay(true);
    this.streams.add(socket);
    const framer = new StreamFramer({ maximumHeaderBytes: 1_000_000, maximumMessageBytes: 2_000_000 });
    const route: Route = {
      remoteAddress: socket.remoteAddress ?? '',
      remotePort: socket.remotePort ?? 0,
      send: (bytes) => {
        socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      },
      close: () => socket.destroy(),
      isOpen: () => !socket.destroyed && socket.readyState === 'open',
    };
    socket.on('data', (chunk: Buffer) => {
      for (const item of framer.push(chunk)) {
        if (item.kind === 'message') this.accept(item.bytes, route);
        else this.keepAlives.push(item.kind);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => this.streams.delete(socket));
    return route;
  }

  private udpRoute(to: Address): Route {
    return {
      remoteAddress: to.host,
      remotePort: to.port,
      send: (bytes) => {
        this.udp?.send(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, to.port, to.host);
      },
      close: () => {},
      isOpen: () => true,
    };
  }

  private accept(bytes: Buffer, route: Route): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const text = bytes.toString('latin1');
    const arrival: Arrival = { message: parsed.message, text, route, at: Date.now() };
    if (this.options.onArrival !== undefined) {
      this.options.onArrival(arrival);
      return;
    }
    this.everything.push(arrival);
    if (this.seen.has(text)) return;
    this.seen.add(text);
    this.inbox.put(arrival);
  }
}
