import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Address } from '../../../src/testkit/sip-peer.js';

/** A TCP relay whose connections a test can break, as the crash of the far side does. */
export class BreakableLink {
  /** True: the other end is down, connections are closed as soon as they are made. */
  isCut = false;
  private readonly sockets = new Set<Socket>();
  private readonly pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  /** Gets what passes; `near` is the side that connected. */
  onData: ((from: 'near' | 'far', chunk: Buffer) => void) | undefined;

  private constructor(private readonly server: Server) {}

  static async to(target: Address): Promise<BreakableLink> {
    const server = createServer((near) => {
      if (link.isCut) {
        near.destroy();
        return;
      }
      const far = connect(target.port, target.host);
      near.setNoDelay(true);
      far.setNoDelay(true);
      near.pipe(far).pipe(near);
      const pair = { near, far };
      link.pairs.add(pair);
      near.on('data', (chunk) => link.onData?.('near', chunk));
      far.on('data', (chunk) => link.onData?.('far', chunk));
      for (const socket of [near, far]) {
        link.sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          link.sockets.delete(socket);
          link.pairs.delete(pair);
          near.destroy();
          far.destroy();
        });
      }
    });
    const link = new BreakableLink(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return link;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  break(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Passes nothing on any more, as where packets are lost on the way: neither side gets an end or an error. */
  silence(directions: readonly ('near' | 'far')[]): void {
    for (const pair of this.pairs) for (const from of directions) pair[from].unpipe().pause();
  }

  /** Passes on what came meanwhile. */
  resume(): void {
    for (const { near, far } of this.pairs) {
      near.unpipe().pipe(far);
      far.unpipe().pipe(near);
    }
  }

  async close(): Promise<void> {
    this.break();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
