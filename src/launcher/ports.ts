import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { ownerOfTcpPort } from '../base/port-owner.js';
import type { PortRange } from './settings.js';

export interface WantedPort {
  readonly purpose: string;
  readonly address: string;
  readonly port: number;
  /** The environment variable that changes the port. */
  readonly setting: string;
  /** TCP unless stated otherwise. */
  readonly protocol?: 'tcp' | 'udp';
}

/** One or more of the configured addresses are in use or not local. */
export class PortsTaken extends Error {}

type BindResult = 'free' | 'taken' | 'not-permitted' | 'no-such-address';

function bindResult(failure: NodeJS.ErrnoException): BindResult {
  if (failure.code === 'EACCES' || failure.code === 'EPERM') return 'not-permitted';
  return failure.code === 'EADDRNOTAVAIL' ? 'no-such-address' : 'taken';
}

function tryTcp(address: string, port: number): Promise<BindResult> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (failure: NodeJS.ErrnoException) => resolve(bindResult(failure)));
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

function tryUdp(address: string, port: number): Promise<BindResult> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (failure: NodeJS.ErrnoException) => {
      socket.close();
      resolve(bindResult(failure));
    });
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve('free')));
  });
}

/**
 * Checks all ports before anything starts, so that one message names every port in use.
 * @throws PortsTaken with the owner, where the system reports it, and the setting that changes the port
 */
export async function checkPorts(ports: readonly WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const { purpose, address, port, setting, protocol } of ports) {
    const result = await (protocol === 'udp' ? tryUdp : tryTcp)(address, port);
    const place = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    if (result === 'taken') {
      const owner = protocol === 'udp' ? undefined : ownerOfTcpPort(port);
      const by = owner === undefined ? '' : ` by process ${owner.pid} (${owner.command})`;
      problems.push(
        `${purpose}: port ${port} on ${address} is taken${by}. Choose another: ${setting}=${port + 1}`,
      );
    } else if (result === 'not-permitted') {
      problems.push(`${purpose}: binding ${place} is not permitted. Choose a port above 1023: ${setting}=…`);
    } else if (result === 'no-such-address') {
      problems.push(`${purpose}: ${address} is not an address of this machine. Change it: DEMARC_BIND=…`);
    }
  }
  if (problems.length > 0) throw new PortsTaken(problems.join('\n'));
}

/** Allocates loopback ports for private components that are free on both TCP and UDP; each only once. */
export class PrivatePorts {
  private next: number;

  constructor(
    private readonly range: PortRange,
    private readonly avoid: readonly PortRange[] = [],
    random: () => number = Math.random,
  ) {
    // Random start, so that two simultaneous starts do not try the same ports.
    this.next = range.low + Math.floor(random() * (range.high - range.low + 1));
  }

  /** @throws PortsTaken when the whole range is in use */
  take(): Promise<number> {
    return this.takeRun(1);
  }

  /** True: this very port is in the range and free. */
  async isUsable(port: number): Promise<boolean> {
    return port >= this.range.low && port <= this.range.high && (await this.isFree(port));
  }

  /**
   * @returns the first of `count` consecutive free ports
   * @throws PortsTaken when there are none
   */
  async takeRun(count: number): Promise<number> {
    const { low, high } = this.range;
    let run = 0;
    for (let tried = 0; tried < high - low + 1 + count; tried += 1) {
      // A run must not extend past the end of the range.
      if (this.next > high) {
        this.next = low;
        run = 0;
      }
      const port = this.next;
      this.next += 1;
      run = (await this.isFree(port)) ? run + 1 : 0;
      if (run === count) return port - count + 1;
    }
    throw new PortsTaken(
      `no free loopback port from ${low} to ${high} for the private components. Choose another range: DEMARC_PRIVATE_PORTS=…`,
    );
  }

  private async isFree(port: number): Promise<boolean> {
    if (this.avoid.some(({ low, high }) => port >= low && port <= high)) return false;
    const results = await Promise.all([tryTcp('127.0.0.1', port), tryUdp('127.0.0.1', port)]);
    return results.every((result) => result === 'free');
  }
}
