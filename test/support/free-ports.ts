import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

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

/** Below the ephemeral ports of Linux (32768 and up), which outgoing connections of other tests take at any moment. */
const lowestPort = 18_000;
const highestPort = 32_000;

/** A port that is free for both TCP and UDP on that address at this moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if ((await tcpPortIsFree(port, host)) && (await udpPortIsFree(port, host))) return port;
  }
  throw new Error(`No free port on ${host}.`);
}

/** Several different free ports. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort(host));
  return [...ports];
}
