import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket as StreamSocket } from 'node:net';

const receiveBuffer = 4 * 1024 * 1024;
const headerLength = 6;
const magic = Buffer.from('HEP3', 'latin1');
/** An engine each, and some to spare; the listener is on loopback or a private network. */
const maximumConnections = 64;
const attempts = 20;

/** Receives HEP3 packets on one port: a packet a datagram (UDP), or one after the other (TCP). */
export class HepListener {
  onPacket: (packet: Buffer) => void = () => {};
  onError: (error: Error) => void = () => {};
  private readonly connections = new Set<StreamSocket>();

  private constructor(
    private readonly datagrams: DatagramSocket,
    private readonly streams: Server,
  ) {
    datagrams.on('message', (packet) => this.onPacket(packet));
    datagrams.on('error', (error) => this.onError(error));
    streams.maxConnections = maximumConnections;
    streams.on('connection', (socket) => this.read(socket));
    streams.on('error', (error) => this.onError(error));
  }

  /** `port` 0: any that is free for both. Rejects when the port is taken. */
  static async start(host: string, port: number): Promise<HepListener> {
    for (let attempt = 1; ; attempt++) {
      const datagrams = await bindDatagrams(host, port);
      try {
        return new HepListener(datagrams, await listen(host, datagrams.address().port));
      } catch (error) {
        await new Promise<void>((resolve) => datagrams.close(resolve));
        if (port !== 0 || attempt === attempts) throw error;
      }
    }
  }

  get port(): number {
    return this.datagrams.address().port;
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    await Promise.all([
      new Promise<void>((resolve) => this.datagrams.close(resolve)),
      new Promise<void>((resolve) => this.streams.close(() => resolve())),
    ]);
  }

  private read(socket: StreamSocket): void {
    this.connections.add(socket);
    socket.on('close', () => this.connections.delete(socket));
    // An engine that dies resets its connection; it connects again when it is back.
    socket.on('error', () => {});
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const consumed = this.cut(bytes);
      if (consumed === undefined) socket.destroy();
      else rest = bytes.subarray(consumed);
    });
  }

  /** Hands over the whole packets; octets consumed, or undefined when this is no HEP3. */
  private cut(bytes: Buffer): number | undefined {
    let at = 0;
    while (bytes.length - at >= headerLength) {
      if (bytes.compare(magic, 0, magic.length, at, at + magic.length) !== 0) return undefined;
      const length = bytes.readUInt16BE(at + magic.length);
      if (length < headerLength) return undefined;
      if (bytes.length - at < length) break;
      // A copy of its own: a call's first message must not keep the chunk's other calls in memory.
      const packet = Buffer.allocUnsafeSlow(length);
      bytes.copy(packet, 0, at, at + length);
      this.onPacket(packet);
      at += length;
    }
    return at;
  }
}

async function bindDatagrams(host: string, port: number): Promise<DatagramSocket> {
  const type = host.includes(':') ? 'udp6' : 'udp4';
  const socket = createSocket({ type, recvBufferSize: receiveBuffer });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  return socket;
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}
