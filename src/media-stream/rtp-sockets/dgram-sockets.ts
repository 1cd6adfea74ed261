import type { Socket } from 'node:dgram';
import { openSocketPair, openSocketPairAt } from '../../rtp/socket-pair.js';
import type { DatagramListener, RtpSocket, RtpSocketPair, RtpSockets } from './rtp-sockets.js';

/** RTP by `node:dgram`, which enters JavaScript for each datagram. */
export class DgramSockets implements RtpSockets {
  readonly kind = 'dgram';

  async open(address: string, port?: number): Promise<RtpSocketPair> {
    const { rtp, rtcp } = await (port === undefined
      ? openSocketPair(address)
      : openSocketPairAt(address, port));
    return { rtp: new DgramSocket(rtp), rtcp: new DgramSocket(rtcp) };
  }

  /** Node.js passes on datagrams when they arrive. */
  read(): void {}
}

class DgramSocket implements RtpSocket {
  readonly port: number;
  listener: DatagramListener | undefined;
  private state: 'unconnected' | 'connecting' | 'connected' | 'closed' = 'unconnected';
  /** Connects to the peer that was named while connecting to another one. */
  private next: (() => void) | undefined;

  constructor(private readonly socket: Socket) {
    this.port = socket.address().port;
    socket.on('message', (datagram) => {
      if (this.state !== 'closed') this.listener?.(datagram, performance.now());
    });
    // A connected socket reports that nothing listens at the other end; without a listener the process would end.
    socket.on('error', () => {});
  }

  connect(port: number, address: string, connected?: () => void): void {
    if (this.state === 'closed') return;
    if (this.state === 'connecting') {
      this.next = () => this.connect(port, address, connected);
      return;
    }
    if (this.state === 'connected') this.socket.disconnect();
    this.state = 'connecting';
    const done = (error?: Error): void => {
      if (this.state === 'closed') return;
      this.state = error === undefined ? 'connected' : 'unconnected';
      const { next } = this;
      this.next = undefined;
      if (next !== undefined) next();
      else if (error === undefined) connected?.();
    };
    this.socket.connect(port, address, done);
  }

  send(datagram: Buffer): void {
    if (this.state !== 'connected') return;
    // A datagram that the kernel did not take at once keeps its buffer.
    this.socket.send(this.socket.getSendQueueCount() === 0 ? datagram : Buffer.from(datagram));
  }

  close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    // A datagram is sent only after this turn of the event loop.
    setImmediate(() => this.socket.close());
  }
}
