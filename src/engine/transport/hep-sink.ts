import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { connect, type Socket as StreamSocket } from 'node:net';
import { familyOf } from '../../naming/address.js';

/** Carries HEP3 packets to a collector. Never waits, never fails a call. */
export interface HepSink {
  /** Rejects when the host cannot be resolved. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** False: the packet is dropped. */
  write(packet: Buffer): boolean;
}

/** A collector that falls behind gets no more: a trace is worth less than a call. */
const maximumQueuedBytes = 4 * 1024 * 1024;

/** A datagram cannot be longer (RFC 768 over IPv4). */
const maximumDatagramBytes = 65_507;

/** One packet per datagram. */
export class DatagramSink implements HepSink {
  private socket: DatagramSocket | undefined;

  constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private readonly failed: () => void,
  ) {}

  async start(): Promise<void> {
    const { host, port } = this.target;
    const socket = createSocket(familyOf(host) === 6 ? 'udp6' : 'udp4');
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void => {
        socket.close();
        reject(error);
      };
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        resolve();
      });
      // Without a callback, which would be called for a failure as well.
      socket.connect(port, host);
    });
    // A collector that is down refuses datagrams; calls must not notice.
    socket.on('error', this.failed);
    this.socket = socket;
  }

  async stop(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    if (socket !== undefined) await new Promise<void>((resolve) => socket.close(resolve));
  }

  write(packet: Buffer): boolean {
    const { socket } = this;
    if (socket === undefined || packet.length > maximumDatagramBytes) return false;
    if (socket.getSendQueueSize() > maximumQueuedBytes) return false;
    socket.send(packet);
    return true;
  }
}

/** Long enough to batch the messages of several calls, short enough for a trace that is read when the call ends. */
const gatherMilliseconds = 10;
const reconnectMilliseconds = 500;

/**
 * A stream of packets on a TCP connection, batched for some milliseconds: a system call for each message, here and at the
 * collector, would cost a call more than its SIP. Packets wait for a collector that is down, up to `maximumQueuedBytes`.
 */
export class StreamSink implements HepSink {
  private socket: StreamSocket | undefined;
  private isConnected = false;
  private isStopped = false;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private flushTimer: NodeJS.Timeout | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private readonly failed: () => void,
  ) {}

  async start(): Promise<void> {
    this.connect();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnectTimer);
    this.flush();
    const { socket } = this;
    if (socket === undefined) return;
    if (!this.isConnected) {
      socket.destroy();
      return;
    }
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.end();
      socket.setTimeout(1_000, () => socket.destroy());
    });
  }

  write(packet: Buffer): boolean {
    const queued = this.waitingBytes + (this.socket?.writableLength ?? 0);
    if (this.isStopped || queued + packet.length > maximumQueuedBytes) return false;
    this.waiting.push(packet);
    this.waitingBytes += packet.length;
    this.flushTimer ??= setTimeout(() => this.flush(), gatherMilliseconds);
    return true;
  }

  private flush(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    if (!this.isConnected || this.waiting.length === 0) return;
    this.socket?.write(Buffer.concat(this.waiting, this.waitingBytes));
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private connect(): void {
    const socket = connect({ host: this.target.host, port: this.target.port, noDelay: true });
    this.socket = socket;
    socket.on('connect', () => {
      this.isConnected = true;
      this.flush();
    });
    // Collectors don't send anything; whatever arrives is discarded.
    socket.resume();
    socket.on('error', this.failed);
    socket.on('close', () => {
      this.isConnected = false;
      if (this.isStopped) return;
      this.reconnectTimer = setTimeout(() => this.connect(), reconnectMilliseconds);
      this.reconnectTimer.unref();
    });
  }
}
