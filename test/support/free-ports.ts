import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

async function tcpPortIsFree(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

async function udpPortIsFree(port: number, host: string): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, host, () => socket.close(() => resolve(true)));
  });
}

/** A port that is free for both TCP and UDP on that address at this moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = await tcpPortIsFree(0, host);
    if (port !== undefined && (await udpPortIsFree(port, host))) return port;
  }
  throw new Error(`No free port on ${host}.`);
}

/** Several different free ports. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort(host));
  return [...ports];
}
