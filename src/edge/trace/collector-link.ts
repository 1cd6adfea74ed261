import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { connect, type Socket as StreamSocket } from 'node:net';
import type { OutageLog } from '../../base/outage-log.js';

type State = Pick<OutageLog, 'failed' | 'passed'>;

/**
 * The connection to a collector. Never waits and never fails: packets that cannot be sent are dropped, and the caller counts
 * them.
 */
export interface CollectorLink {
  /** False: dropped. */
  send(packet: Buffer): boolean;
  stop(): void;
}

export interface Collector {
  readonly transport: 'udp' | 'tcp';
  readonly host: string;
  readonly port: number;
}

/** Limit of what waits for a collector that is slow or down. */
const maximumQueuedBytes = 2 * 1024 * 1024;
const retryMilliseconds = 2_000;
/** A datagram cannot be longer (RFC 768 over IPv4). */
const maximumDatagram = 65_507;

/** @param state called for each packet sent and for each failure of the connection */
export const linkTo = (collector: Collector, state: State): CollectorLink =>
  collector.transport === 'tcp' ? new StreamLink(collector, state) : new DatagramLink(collector, state);

/** A socket connected to the collector, so that it is bound to the one address that leads there. */
class DatagramLink implements CollectorLink {
  private socket: DatagramSocket | undefined;
  private isConnected = false;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly collector: Collector,
    private readonly state: State,
  ) {
    this.connect();
  }

  send(packet: Buffer): boolean {
    const { socket } = this;
    if (socket === undefined || !this.isConnected || packet.length > maximumDatagram) return false;
    if (socket.getSendQueueSize() > maximumQueuedBytes) return false;
    // An unreachable port is reported for this datagram or the next one; either way the packet is lost.
    socket.send(packet, (error) => (error === null ? this.state.passed() : this.state.failed(error)));
    return true;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private connect(): void {
    if (this.isStopped) return;
    const { host, port } = this.collector;
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    this.socket = socket;
    socket.unref();
    socket.on('error', (error) => {
      this.state.failed(error);
      // The name did not resolve.
      if (this.isConnected || this.socket !== socket) return;
      this.socket = undefined;
      socket.close();
      this.timer = setTimeout(() => this.connect(), retryMilliseconds);
      this.timer.unref();
    });
    socket.on('connect', () => {
      this.isConnected = true;
    });
    // Without a callback, which would be called for a failure as well.
    socket.connect(port, host);
  }
}

/** Packets back to back; each contains its length. */
class StreamLink implements CollectorLink {
  private socket: StreamSocket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly collector: Collector,
    private readonly state: State,
  ) {
    this.connect();
  }

  send(packet: Buffer): boolean {
    const { socket } = this;
    // While it connects, the socket itself keeps what is written.
    if (socket === undefined || socket.writableLength + packet.length > maximumQueuedBytes) return false;
    socket.write(packet, (error) => {
      // Its failure is an event as well.
      if (error === null || error === undefined) this.state.passed();
    });
    return true;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.socket?.destroySoon();
  }

  private connect(): void {
    const socket = connect({ host: this.collector.host, port: this.collector.port, noDelay: true });
    this.socket = socket;
    socket.unref();
    socket.on('error', (error) => this.state.failed(error));
    // A collector sends nothing; anything it sends is discarded.
    socket.resume();
    socket.on('close', () => {
      this.socket = undefined;
      if (this.isStopped) return;
      this.timer = setTimeout(() => this.connect(), retryMilliseconds);
      this.timer.unref();
    });
  }
}
