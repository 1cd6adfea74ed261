import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';

async function tcpPortIsFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

async function udpPortIsFree(port: number, host: string): Promise<boolean> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, host, () => socket.close(() => resolve(true)));
  });
}

const reserved = new Set<Server>();

/** For the end of a test file: a worker runs many, and there are fewer ports than all of them need. */
export function releasePorts(): void {
  for (const lock of reserved) lock.close();
  reserved.clear();
}

/**
 * Takes a name that no other process of this machine has, until this process or its test file ends: between the choice of a port and its use
 * seconds may go by, in which tests that run beside this one choose ports as well.
 */
async function reserve(name: string): Promise<boolean> {
  // A Unix socket in the abstract name space leaves no file behind; its queue is never read.
  const lock = createServer();
  return new Promise((resolve) => {
    lock.once('error', () => resolve(false));
    lock.listen(`\0demarc-test-${name}`, () => {
      lock.unref();
      reserved.add(lock);
      resolve(true);
    });
  });
}

/**
 * Beside the media ports (10000 to 20000) and the private ports (21000 to 31999) of a system that is started, and below the
 * ephemeral ports of Linux (32768 and up), which outgoing connections of other tests take at any moment.
 */
const zones = [
  { low: 20_001, high: 20_999 },
  { low: 32_000, high: 32_767 },
] as const;

/** A port that is free for both TCP and UDP on that address, and that no other test gets while this process lives. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const { low, high } = zones[randomInt(zones.length)]!;
    const port = randomInt(low, high + 1);
    if (!(await reserve(`port-${port}`))) continue;
    if ((await tcpPortIsFree(port, host)) && (await udpPortIsFree(port, host))) return port;
  }
  throw new Error(`No free port on ${host}.`);
}

/** Several different free ports. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort(host));
  return ports;
}

/** The private ports of systems that are started, in blocks. */
const systemZone = { low: 21_000, blocks: 22, size: 500 } as const;

/** 500 consecutive ports for the processes of one system that no other test gets while this process lives. */
export async function systemPorts(): Promise<{ readonly low: number; readonly high: number }> {
  const { low, blocks, size } = systemZone;
  const first = randomInt(blocks);
  for (let at = 0; at < blocks; at++) {
    const block = (first + at) % blocks;
    if (await reserve(`system-${block}`)) {
      return { low: low + block * size, high: low + (block + 1) * size - 1 };
    }
  }
  throw new Error('No free ports for a system.');
}

/**
 * Among the ephemeral ports, for below them nothing is left: rtpengine skips a port that is taken, and a program that binds any
 * free port gets one that rtpengine has not.
 */
const mediaZone = { low: 33_000, blocks: 60, size: 400 } as const;

/**
 * First and last of `count` consecutive ports for media, at most 400, that no other test gets while this process lives: what
 * another test's agent still sends must not reach a call of this one.
 */
export async function mediaPorts(count: number): Promise<readonly [number, number]> {
  const { low, blocks, size } = mediaZone;
  if (count > size) throw new Error(`No more than ${size} media ports can be had.`);
  const first = randomInt(blocks);
  for (let at = 0; at < blocks; at++) {
    const block = (first + at) % blocks;
    if (await reserve(`media-${block}`)) return [low + block * size, low + block * size + count - 1];
  }
  throw new Error('No free media ports.');
}
