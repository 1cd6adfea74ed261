import { createSocket, type Socket } from 'node:dgram';
import { seededRandom } from '../../src/base/seeded-random.js';
import type { Faults } from '../../src/testkit/faulty-link.js';
import type { Address } from '../../src/testkit/sip-peer.js';

export const noFaults: Faults = { loss: 0, duplication: 0, delay: [0, 0] };

/**
 * A UDP relay to `target` that loses, doubles, delays and so reorders datagrams in both directions, by chances that are
 * the same for the same seed. Each sender has a separate socket towards the target, as behind a NAT.
 */
export class FaultyRelay {
  faults: Faults = noFaults;
  /** Datagrams that pass regardless of the faults. */
  spares: (bytes: Buffer) => boolean = () => false;
  carried = 0;
  lost = 0;
  private readonly towardsTarget = new Map<string, Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly random: () => number;

  private constructor(
    private readonly near: Socket,
    private readonly target: Address,
    seed: number,
  ) {
    this.random = seededRandom(seed);
    near.on('message', (bytes, from) => this.outbound(bytes, from.port, from.address));
  }

  static async to(target: Address, seed: number): Promise<FaultyRelay> {
    const near = createSocket('udp4');
    await new Promise<void>((resolve) => near.bind(0, '127.0.0.1', resolve));
    return new FaultyRelay(near, target, seed);
  }

  /** Where senders send to. */
  get address(): Address {
    return { host: '127.0.0.1', port: this.near.address().port };
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    const sockets = [this.near, ...this.towardsTarget.values()];
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))));
  }

  private outbound(bytes: Buffer, port: number, address: string): void {
    const key = `${address}:${port}`;
    let far = this.towardsTarget.get(key);
    if (far === undefined) {
      far = createSocket('udp4');
      far.on('error', () => {});
      far.on('message', (reply) => this.carry(reply, () => this.near.send(reply, port, address)));
      far.bind(0, '127.0.0.1');
      this.towardsTarget.set(key, far);
    }
    const socket = far;
    this.carry(bytes, () => socket.send(bytes, this.target.port, this.target.host));
  }

  private carry(bytes: Buffer, deliver: () => void): void {
    if (this.spares(bytes)) {
      this.later(deliver);
      return;
    }
    const { loss, duplication } = this.faults;
    if (this.random() < loss) this.lost++;
    else this.later(deliver);
    if (this.random() < duplication) this.later(deliver);
  }

  private later(deliver: () => void): void {
    this.carried++;
    const [shortest, longest] = this.faults.delay;
    const delay = shortest + this.random() * (longest - shortest);
    if (delay === 0) {
      deliver();
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      deliver();
    }, delay);
    this.timers.add(timer);
  }
}
