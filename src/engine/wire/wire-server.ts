import { createServer, type Server, type Socket } from 'node:net';
import { descriptorOf } from '../../base/inherited-sockets.js';
import type { UserAgentCore } from '../dialog/user-agent-core.js';
import { AppConnection, type AppConnectionSettings } from './app-connection.js';
import type { AppRegistry } from './app-registry.js';
import type { Commands } from './commands.js';
import { FrameDecoder, FrameError } from './frame.js';

export interface WireServerSettings extends AppConnectionSettings {
  readonly host: string;
  readonly port: number;
  /** Octets of one frame from an application. */
  readonly maximumFrame: number;
  readonly maximumConnections: number;
  /** Milliseconds until a new connection must have authenticated. */
  readonly authenticationTimeout: number;
}

/** Within it, an unanswered INVITE of a silent application is given to another one. */
const silenceCheckMilliseconds = 250;

/** Events of an application's connection for the operator. */
export interface WireNotice {
  readonly kind: 'connected' | 'authenticated' | 'closed' | 'malformed' | 'failed';
  readonly remote: string;
  readonly text: string;
  readonly error?: unknown;
}

/** Accepts applications on the admin port. A fault of one of them ends its own connection only. */
export class WireServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** Connected, and unread until `release`. */
  private held: Set<Socket> | undefined;
  private silenceCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: WireServerSettings,
    private readonly core: UserAgentCore,
    private readonly registry: AppRegistry,
    private readonly commands: Commands,
    private readonly report: (notice: WireNotice) => void,
  ) {
    this.server = createServer((socket) => {
      if (this.held === undefined) this.accept(socket);
      else this.keepWaiting(socket, this.held);
    });
    this.server.maxConnections = settings.maximumConnections;
  }

  get connections(): number {
    return this.sockets.size;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Applications that connect from now on wait for `release`. */
  hold(): void {
    this.held = new Set();
  }

  release(): void {
    const waiting = this.held ?? [];
    this.held = undefined;
    for (const socket of waiting) this.accept(socket);
  }

  /** @param inherited descriptor of a bound socket to use */
  start(inherited?: number): Promise<void> {
    this.silenceCheck ??= setInterval(() => {
      for (const connection of this.registry.silent()) this.core.applicationSilent(connection);
    }, silenceCheckMilliseconds).unref();
    const { host, port } = this.settings;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(inherited === undefined ? { host, port } : { fd: inherited }, () => {
        this.server.off('error', reject);
        this.server.on('error', (error) =>
          this.report({ kind: 'failed', remote: '', text: 'admin listener', error }),
        );
        resolve();
      });
    });
  }

  /** The listening socket, for a successor. */
  get descriptor(): number | undefined {
    return descriptorOf(this.server);
  }

  /** Leaves new applications to the successor. */
  stopAccepting(): void {
    this.server.close();
  }

  /** Sends the queues, then closes all connections. */
  async stop(): Promise<void> {
    clearInterval(this.silenceCheck);
    const closed = new Promise<void>((resolve) => {
      if (this.server.listening) this.server.close(() => resolve());
      else resolve();
    });
    const gone = [...this.sockets].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    for (const connection of this.registry.all()) connection.end();
    const force = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, 500);
    for (const socket of this.sockets) if (!socket.writableEnded) socket.end();
    await Promise.all([closed, ...gone]);
    clearTimeout(force);
  }

  private keepWaiting(socket: Socket, held: Set<Socket>): void {
    held.add(socket);
    socket.on('error', () => held.delete(socket));
    socket.on('close', () => held.delete(socket));
  }

  private accept(socket: Socket): void {
    const connection = new AppConnection(socket, this.settings);
    const decoder = new FrameDecoder(this.settings.maximumFrame);
    const { remote } = connection;
    this.sockets.add(socket);
    this.report({ kind: 'connected', remote, text: '' });
    const impatience = setTimeout(() => {
      if (!connection.isAuthenticated) connection.destroy();
    }, this.settings.authenticationTimeout);
    impatience.unref();
    socket.on('data', (chunk) => this.read(connection, decoder, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(impatience);
      this.sockets.delete(socket);
      connection.destroy();
      // Before its routes are forgotten: they have its owner.
      this.core.applicationGone(connection);
      this.registry.remove(connection);
      this.report({ kind: 'closed', remote, text: '' });
    });
  }

  private read(connection: AppConnection, decoder: FrameDecoder, chunk: Buffer): void {
    let payloads: string[];
    try {
      payloads = decoder.push(chunk);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.report({ kind: 'malformed', remote: connection.remote, text: error.message });
      connection.destroy();
      return;
    }
    for (const payload of payloads) {
      if (!connection.isOpen) return;
      this.handle(connection, payload);
    }
  }

  private handle(connection: AppConnection, payload: string): void {
    const wasAuthenticated = connection.isAuthenticated;
    try {
      if (this.commands.handle(connection, payload) === 'close') connection.end();
    } catch (error) {
      // A defect loses the frame that caused it, not every call of the application.
      this.report({ kind: 'failed', remote: connection.remote, text: 'frame not handled', error });
    }
    if (!wasAuthenticated && connection.isAuthenticated)
      this.report({ kind: 'authenticated', remote: connection.remote, text: connection.tags.join(',') });
  }
}
