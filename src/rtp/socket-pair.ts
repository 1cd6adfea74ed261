import { createSocket, type Socket } from 'node:dgram';

/** An even port for RTP and the next one for RTCP (RFC 3550 §11). */
export interface SocketPair {
  readonly rtp: Socket;
  readonly rtcp: Socket;
}

const attempts = 50;

/** Binds a free pair of ports; rejects if none is free. */
export async function openSocketPair(address: string): Promise<SocketPair> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const rtp = await bind(address, 0);
    const { port } = rtp.address();
    const rtcp = port % 2 === 0 ? await bind(address, port + 1).catch(() => undefined) : undefined;
    if (rtcp !== undefined) return { rtp, rtcp };
    rtp.close();
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
