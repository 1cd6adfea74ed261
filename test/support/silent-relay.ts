import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Sits between a process and its server and can become a black hole: both ends keep their connections and hear nothing, as when
 * a firewall drops all packets. What is held arrives when the hole closes, as TCP would send it again, unless the
 * connection has ended meanwhile.
 */
export class SilentRelay {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isSilent = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(target: number): Promise<SilentRelay> {
    const server = createServer((near) => {
      const pair = [near, connect(target, '127.0.0.1')] as const;
      relay.pairs.add(pair);
      const end = (): void => {
        relay.pairs.delete(pair);
        for (const socket of pair) socket.destroy();
      };
      for (const [index, socket] of pair.entries()) {
        socket.on('data', (chunk) => pair[1 - index]!.write(chunk));
        socket.on('error', () => {});
        socket.on('close', end);
        if (relay.isSilent) socket.pause();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const relay = new SilentRelay(server, typeof address === 'object' && address !== null ? address.port : 0);
    return relay;
  }

  silence(): void {
    this.isSilent = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  restore(): void {
    this.isSilent = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /** Ends all connections, with what they hold; new ones are served. */
  cut(): void {
    this.isSilent = false;
    for (const [near] of this.pairs) near.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
