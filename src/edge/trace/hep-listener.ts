import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket as StreamSocket } from 'node:net';
import { HepFramer } from '../../hep/framer.js';

const receiveBuffer = 4 * 1024 * 1024;
/** One per engine, with some spare; the listener is on loopback or a private network. */
const maximumConnections = 64;
const attempts = 20;

/** Receives HEP3 packets on one port: one packet per datagram (UDP), or a stream of them (TCP). */
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

  /** `port` 0: any port that is free for both. Rejects when the port is in use. */
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
    // An engine that crashes resets its connection; the next one connects again.
    socket.on('error', () => {});
    const framer = new HepFramer();
    socket.on('data', (chunk) => {
      const packets = framer.push(chunk);
      if (packets === undefined) socket.destroy();
      else for (const packet of packets) this.onPacket(packet);
    });
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
