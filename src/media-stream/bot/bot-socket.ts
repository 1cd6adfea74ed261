import * as net from 'node:net';
import * as tls from 'node:tls';
import WebSocket from 'ws';
import { guardedLookup } from '../../base/guarded-lookup.js';
import { type EgressPolicy, egressText } from '../../naming/egress.js';
import type { NativeTls } from '../native-tls/native-tls.js';
import { Allowance, intervalMilliseconds } from './allowance.js';
import type { Handshakes } from './handshakes.js';
import { longestFrame, MaskedFrames } from './masked-frame.js';
import { type Carrier, type Received, readingOptions, TappedSocket } from './tapped-socket.js';

/** Why a connection ended or never began. `clean`: the bot has closed it as one ends a call. */
export interface SocketEnd {
  readonly kind: 'clean' | 'lost' | 'refused' | 'forbidden';
  /** For log and record; never what the bot has sent. */
  readonly text: string;
  /** Of the HTTP answer to the handshake. */
  readonly httpStatus?: number;
}

export interface BotSocketListener {
  open(): void;
  /** @param data valid until the call returns */
  message(data: Buffer, isBinary: boolean): void;
  /** Once. Nothing else follows. */
  end(end: SocketEnd): void;
}

/** One WebSocket to a bot: the seam to the library. */
export interface BotSocket {
  /** Octets that the peer has not taken. */
  readonly buffered: number;
  /** Round trip of the last answered ping in milliseconds; undefined: none yet. */
  readonly latency: number | undefined;
  /** A ping is not answered yet. */
  readonly awaitsPong: boolean;
  /** Beside the regular ones, which end the connection when they are not answered. */
  ping(): void;
  send(message: string | Buffer): void;
  /** One frame of audio: the same in one write. @param message is copied */
  sendAudio(message: Buffer, isText: boolean): void;
  /** True: both sides have closed it. */
  isClosed(): boolean;
  /** Begins the closing handshake; `end` is not called after this. */
  close(code: number, reason: string): void;
}

export interface BotTarget {
  readonly url: string;
  readonly subprotocol: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export type OpenBotSocket = (target: BotTarget, listener: BotSocketListener) => BotSocket;

const handshakeMilliseconds = 3_000;
/** Proxies drop connections that are idle for a minute; a dead peer is noticed within two of these. */
const pingMilliseconds = 12_000;
/** A message of a bot; a second of audio has 11 KB. */
const maximumMessage = 256 * 1_024;
/** After it the connection is cut. */
const closeMilliseconds = 2_000;
/** RFC 6455 §7.4.1: normal closure, going away, no code given. */
const cleanCodes: ReadonlySet<number> = new Set([1_000, 1_001, 1_005]);

export interface BotSocketsDeps {
  /** One for all: reading the authorities for each connection would stop all calls for 20 ms. */
  readonly secureContext: tls.SecureContext;
  /** In place of TLS of Node.js, which takes more of a core. */
  readonly nativeTls?: NativeTls | undefined;
  readonly egress: EgressPolicy;
  readonly handshakes: Handshakes;
}

/** Opens connections to bots' servers. */
export const botSockets =
  (deps: BotSocketsDeps): OpenBotSocket =>
  (target, listener) =>
    new Connection(target, listener, deps);

/** Of a request that the library makes. */
type ConnectionTarget = net.TcpNetConnectOpts & { readonly host: string };

class Connection implements BotSocket {
  private socket: WebSocket | undefined;
  /** Beneath the WebSocket. */
  private tapped: TappedSocket | undefined;
  private isEnded = false;
  private pings: NodeJS.Timeout | undefined;
  private hasAnswered = true;
  private pingedAt = 0;
  latency: number | undefined;
  private forbidden: string | undefined;
  private readonly allowance = new Allowance();
  private readonly frames = new MaskedFrames();

  constructor(
    private readonly target: BotTarget,
    private readonly listener: BotSocketListener,
    private readonly parts: BotSocketsDeps,
  ) {
    parts.handshakes.next(() => {
      if (!this.isEnded) this.connect();
    });
  }

  get buffered(): number {
    return this.tapped?.waiting ?? 0;
  }

  get awaitsPong(): boolean {
    return !this.hasAnswered;
  }

  ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.hasAnswered = false;
    this.pingedAt = performance.now();
    this.socket.ping();
  }

  isClosed(): boolean {
    return this.socket?.readyState === WebSocket.CLOSED;
  }

  send(message: string | Buffer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  sendAudio(message: Buffer, isText: boolean): void {
    const { tapped } = this;
    if (tapped === undefined || message.length > longestFrame)
      this.send(isText ? message.toString() : Buffer.from(message));
    else if (this.socket?.readyState === WebSocket.OPEN)
      tapped.writeFrame(this.frames.of(message, isText, tapped.waiting === 0));
  }

  close(code: number, reason: string): void {
    if (this.isEnded) return;
    this.settle();
    const { socket } = this;
    if (socket === undefined) return;
    // The library reports the end of a handshake that it gives up as an error.
    socket.on('error', () => {});
    socket.close(code, reason.slice(0, 100));
    setTimeout(() => socket.terminate(), closeMilliseconds).unref();
  }

  private connect(): void {
    const { url, subprotocol, headers } = this.target;
    const { egress } = this.parts;
    const { hostname, port, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const isAllowed = (address: string): boolean => {
      const problem = egress.problemOf({
        address,
        port: port === '' ? (protocol === 'wss:' ? 443 : 80) : Number(port),
        protocol: protocol === 'wss:' ? 'tls' : 'tcp',
      });
      if (problem !== undefined) this.forbidden = egressText(hostname, problem);
      return problem === undefined;
    };
    if (net.isIP(host) !== 0 && !isAllowed(host)) {
      this.end({ kind: 'forbidden', text: this.forbidden! });
      return;
    }
    const lookup: net.LookupFunction = guardedLookup(isAllowed, () => new Error(this.forbidden));
    const options: WebSocket.ClientOptions & { lookup: net.LookupFunction } = {
      headers: { ...headers },
      handshakeTimeout: handshakeMilliseconds,
      maxPayload: maximumMessage,
      perMessageDeflate: false,
      followRedirects: false,
      lookup,
      // Any stream serves as the connection of a request.
      createConnection: ((to: ConnectionTarget) => this.tap(to)) as unknown as typeof net.createConnection,
    };
    let socket: WebSocket;
    try {
      socket = new WebSocket(url, subprotocol === undefined ? [] : [subprotocol], options);
    } catch (error) {
      this.end({ kind: 'refused', text: (error as Error).message });
      return;
    }
    this.socket = socket;
    socket.on('unexpected-response', (request, response) => {
      const { statusCode = 0 } = response;
      response.resume();
      request.destroy();
      this.end({
        kind: 'refused',
        text: `the server answered the handshake with HTTP ${statusCode}`,
        httpStatus: statusCode,
      });
    });
    socket.on('open', () => this.opened());
    socket.on('message', (data, isBinary) => this.received(data as Buffer, isBinary));
    socket.on('pong', () => {
      if (!this.hasAnswered) this.latency = performance.now() - this.pingedAt;
      this.hasAnswered = true;
    });
    socket.on('error', (error) => this.failed(error));
    socket.on('close', (code) => this.closed(code));
  }

  private tap(to: ConnectionTarget): TappedSocket {
    this.tapped = new TappedSocket((received) => this.carry(to, received));
    return this.tapped;
  }

  private carry(to: ConnectionTarget, received: Received): Carrier {
    const { secureContext, nativeTls } = this.parts;
    // The path of the URL would be that of a Unix socket.
    const target = { ...to, path: undefined, onread: readingOptions(received) };
    if (!this.target.url.startsWith('wss:')) return net.connect(target);
    const servername = net.isIP(to.host) === 0 ? to.host : '';
    if (nativeTls === undefined) return tls.connect({ ...target, servername, secureContext });
    const connection = nativeTls.connect({
      host: to.host,
      port: Number(to.port),
      // Certificates have names without the dot that ends the DNS.
      servername: servername.replace(/\.$/, ''),
      lookup: to.lookup!,
      received,
    });
    connection.setTimeout(handshakeMilliseconds);
    return connection;
  }

  private opened(): void {
    if (this.isEnded) return;
    this.tapped?.tap((data, isBinary) => this.received(data, isBinary));
    this.pings = setInterval(() => {
      if (this.hasAnswered) {
        this.ping();
        return;
      }
      this.end({ kind: 'lost', text: `no pong within ${pingMilliseconds / 1_000} s` });
      this.socket?.terminate();
    }, pingMilliseconds);
    this.listener.open();
    // After the first messages; its answer is the latency that people see.
    this.ping();
  }

  private received(data: Buffer, isBinary: boolean): void {
    if (this.isEnded) return;
    const { socket } = this;
    const verdict = this.allowance.take(data.length, performance.now());
    if (verdict === 'end') {
      this.end({ kind: 'lost', text: 'the server sent too many messages' });
      socket?.terminate();
      return;
    }
    if (verdict === 'wait') this.tapped?.rest(intervalMilliseconds);
    this.listener.message(data, isBinary);
  }

  private failed(error: Error): void {
    const { code } = error as NodeJS.ErrnoException;
    const text = this.forbidden ?? (code === undefined ? error.message : `${error.message} (${code})`);
    const kind = this.forbidden === undefined ? 'lost' : 'forbidden';
    this.end({ kind, text: text.slice(0, 200) });
    this.socket?.terminate();
  }

  private closed(code: number): void {
    this.end({ kind: cleanCodes.has(code) ? 'clean' : 'lost', text: `closed with code ${code}` });
  }

  private end(end: SocketEnd): void {
    if (this.isEnded) return;
    this.settle();
    this.listener.end(end);
  }

  private settle(): void {
    this.isEnded = true;
    clearInterval(this.pings);
  }
}
