import { createSocket, type Socket } from 'node:dgram';

/** An even port for RTP and the next one for RTCP (RFC 3550 §11). */
export interface SocketPair {
  readonly rtp: Socket;
  readonly rtcp: Socket;
}

const attempts = 50;

/**
 * Binds a free pair of ports; rejects if none is free. The ports are bound by number: Linux gives a socket whose port it chose itself
 * another one when the socket is disconnected.
 */
export async function openSocketPair(address: string): Promise<SocketPair> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = await freePort(address);
    const pair = port % 2 === 0 ? await openSocketPairAt(address, port).catch(() => undefined) : undefined;
    if (pair !== undefined) return pair;
  }
  throw new Error(`No free pair of RTP ports on ${address}.`);
}

/** Binds this even port and the next one; rejects if either is taken. */
export async function openSocketPairAt(address: string, port: number): Promise<SocketPair> {
  const rtp = await bind(address, port);
  try {
    return { rtp, rtcp: await bind(address, port + 1) };
  } catch (error) {
    rtp.close();
    throw error;
  }
}

async function freePort(address: string): Promise<number> {
  const socket = await bind(address, 0);
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}

async function bind(address: string, port: number): Promise<Socket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind(port, address, () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
