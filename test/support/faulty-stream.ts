import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { seededRandom } from '../../src/base/seeded-random.js';
import type { Faults } from '../../src/testkit/faulty-link.js';

/** The shortest retransmission timeout of Linux. */
const retransmissionMilliseconds = 200;

/**
 * A line for TCP: what is sent arrives in order, each part after another time. A lost part arrives after a retransmission
 * timeout, and what follows waits for it, as the receiver of a real connection would see it.
 */
export class FaultyStream {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(
    target: { host: string; port: number },
    { loss, delay: [shortest, longest] }: Omit<Faults, 'duplication'>,
    seed = 1,
  ): Promise<FaultyStream> {
    const random = seededRandom(seed);
    const travelTime = (): number => shortest + (longest - shortest) * random();
    const pipe = (from: Socket, to: Socket): void => {
      let busyUntil = 0;
      // Timers of nearly the same time may fire in another order.
      const waiting: (() => void)[] = [];
      const inOrder = (act: () => void): void => {
        waiting.push(act);
        const repeated = random() < loss ? retransmissionMilliseconds : 0;
        busyUntil = Math.max(busyUntil, performance.now() + travelTime() + repeated);
        setTimeout(() => waiting.shift()?.(), busyUntil - performance.now());
      };
      from.on('data', (part) => inOrder(() => to.writable && to.write(part)));
      from.on('close', () => inOrder(() => to.destroy()));
      from.on('error', () => {});
    };
    const server = createServer({ noDelay: true }, (near) => {
      const far = connect({ ...target, noDelay: true });
      line.sockets.add(near).add(far);
      pipe(near, far);
      pipe(far, near);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const line = new FaultyStream(server, typeof address === 'object' && address !== null ? address.port : 0);
    return line;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
