import { connect, createServer, type Server, type Socket } from 'node:net';

/** Sits between an app and the engine and delays every octet, so that what happens "in between" can be tested. */
export class SlowRelay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(target: { host: string; port: number }, delay: number): Promise<SlowRelay> {
    const pipe = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), delay));
      from.on('close', () => setTimeout(() => to.destroy(), delay));
      from.on('error', () => {});
    };
    const server = createServer((near) => {
      const far = connect(target.port, target.host);
      relay.sockets.add(near).add(far);
      pipe(near, far);
      pipe(far, near);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    const relay = new SlowRelay(server, typeof address === 'object' && address !== null ? address.port : 0);
    return relay;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
