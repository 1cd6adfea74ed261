import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DgramSockets } from '../../../../src/media-stream/rtp-sockets/dgram-sockets.js';
import { NativeSockets } from '../../../../src/media-stream/rtp-sockets/native-sockets.js';
import type {
  RtpSocket,
  RtpSocketPair,
  RtpSockets,
} from '../../../../src/media-stream/rtp-sockets/rtp-sockets.js';
import { loadSystemCalls } from '../../../../src/media-stream/system-calls/system-calls.js';
import { until } from '../../../../src/testkit/waiting.js';

const kinds = process.platform === 'linux' ? (['native', 'dgram'] as const) : (['dgram'] as const);
const longest = 2_048;
const waitMilliseconds = 10_000;

const peers: Socket[] = [];
const pairs: RtpSocketPair[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
  for (const { rtp, rtcp } of pairs.splice(0)) for (const socket of [rtp, rtcp]) socket.close();
});

async function openPeer(address = '127.0.0.1', port = 0): Promise<Socket> {
  const peer = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  peers.push(peer);
  peer.bind(port, address);
  await once(peer, 'listening');
  return peer;
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe.each(kinds)('RTP sockets: %s', (kind) => {
  let sockets: RtpSockets;
  beforeEach(async () => {
    sockets = kind === 'native' ? new NativeSockets(await loadSystemCalls()) : new DgramSockets();
  });

  async function open(address = '127.0.0.1', port?: number): Promise<RtpSocketPair> {
    const pair = await sockets.open(address, port);
    pairs.push(pair);
    return pair;
  }

  /** Copies of what the socket receives from now on. */
  function heardBy(socket: RtpSocket): Buffer[] {
    const heard: Buffer[] = [];
    socket.listener = (datagram) => heard.push(Buffer.from(datagram));
    return heard;
  }

  const readUntil = (condition: () => boolean, what: string): Promise<void> =>
    until(
      () => {
        sockets.read();
        return condition();
      },
      waitMilliseconds,
      what,
    );

  const connect = (socket: RtpSocket, port: number, address: string): Promise<void> =>
    new Promise((resolve) => socket.connect(port, address, resolve));

  it.each(['127.0.0.1', '::1'])(
    'binds two ports in a row of %s, and carries datagrams both ways',
    async (address) => {
      const { rtp, rtcp } = await open(address);
      expect(sockets.kind).toBe(kind);
      expect(rtp.port % 2).toBe(0);
      expect(rtcp.port).toBe(rtp.port + 1);
      for (const socket of [rtp, rtcp]) {
        const peer = await openPeer(address);
        const heard = heardBy(socket);
        const received = once(peer, 'message');
        await connect(socket, peer.address().port, address);
        const sent = Buffer.from('to the peer');
        socket.send(sent);
        await received.then(([datagram, { port }]) => {
          expect(String(datagram)).toBe('to the peer');
          expect(port).toBe(socket.port);
        });
        peer.send('from the peer', socket.port, address);
        await readUntil(() => heard.length > 0, 'the datagram');
        expect(heard.map(String)).toEqual(['from the peer']);
      }
    },
  );

  it('reads the datagram before its memory is used again', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const heard: string[] = [];
    peer.on('message', (datagram) => heard.push(String(datagram)));
    await connect(rtp, peer.address().port, '127.0.0.1');
    const memory = Buffer.alloc(4);
    for (const text of ['one.', 'two.', 'last']) {
      memory.write(text);
      rtp.send(memory);
      await until(() => heard.includes(text), waitMilliseconds, text);
    }
    expect(heard).toEqual(['one.', 'two.', 'last']);
  });

  it('takes datagrams of its peer alone, and sends nothing before it has one', async () => {
    const { rtp } = await open();
    const [peer, stranger] = [await openPeer(), await openPeer()];
    const heard = heardBy(rtp);
    rtp.send(Buffer.from('to whom'));
    await connect(rtp, peer.address().port, '127.0.0.1');
    stranger.send('stranger', rtp.port, '127.0.0.1');
    peer.send('peer', rtp.port, '127.0.0.1');
    await readUntil(() => heard.length > 0, 'the datagram of the peer');
    sockets.read();
    expect(heard.map(String)).toEqual(['peer']);
  });

  it('keeps its port when its peer moves, also twice in one turn', async () => {
    const { rtp } = await open();
    const { port } = rtp;
    const heard = heardBy(rtp);
    const before = await openPeer();
    for (let move = 0; move < 3; move++) {
      const peer = await openPeer();
      const received = once(peer, 'message');
      rtp.connect(before.address().port, '127.0.0.1');
      await connect(rtp, peer.address().port, '127.0.0.1');
      rtp.send(Buffer.from('audio'));
      const [, from] = await received;
      expect(from.port).toBe(port);
      peer.send(`audio ${move}`, port, '127.0.0.1');
      await readUntil(() => heard.length > move, 'audio of the new peer');
      expect(String(heard.at(-1))).toBe(`audio ${move}`);
    }
  });

  it('connects to a host name', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const received = once(peer, 'message');
    await connect(rtp, peer.address().port, 'localhost');
    rtp.send(Buffer.from('audio'));
    expect(String((await received)[0])).toBe('audio');
  });

  it('passes on each datagram with its own length and octets', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const heard = heardBy(rtp);
    await connect(rtp, peer.address().port, '127.0.0.1');
    const sent = [172, 1, longest, 0, 172, 12, longest - 1, 172].map((length, index) =>
      Buffer.alloc(length, index + 1),
    );
    for (const datagram of sent) peer.send(datagram, rtp.port, '127.0.0.1');
    await readUntil(() => heard.length >= sent.length, 'all datagrams');
    expect(heard).toEqual(sent);
  });

  it('passes on a burst in order', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const heard = heardBy(rtp);
    await connect(rtp, peer.address().port, '127.0.0.1');
    const sent = Array.from({ length: 100 }, (_, index) => `datagram ${index}`);
    for (const text of sent) peer.send(text, rtp.port, '127.0.0.1');
    await readUntil(() => heard.length >= sent.length, 'all datagrams');
    expect(heard.map(String)).toEqual(sent);
  });

  it('survives that nothing listens at the other end, or that no route leads there', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const { port } = peer.address();
    await connect(rtp, port, '127.0.0.1');
    await new Promise<void>((resolve) => peers.pop()!.close(() => resolve()));
    for (let packet = 0; packet < 5; packet++) {
      rtp.send(Buffer.from('lost'));
      sockets.read();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const again = await openPeer('127.0.0.1', port);
    const heard: string[] = [];
    again.on('message', (datagram) => heard.push(String(datagram)));
    await readUntil(() => {
      rtp.send(Buffer.from('audio'));
      return heard.includes('audio');
    }, 'audio after the peer is back');
    // A socket of a loopback address has no route to others.
    rtp.connect(9, '192.0.2.1');
    rtp.connect(9, '::1');
    rtp.send(Buffer.from('nowhere'));
    sockets.read();
  });

  it('passes on nothing after its close, not even what was read with the datagram before', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    const heard: string[] = [];
    rtp.listener = (datagram) => {
      heard.push(String(datagram));
      rtp.close();
    };
    await connect(rtp, peer.address().port, '127.0.0.1');
    for (const text of ['first', 'second', 'third']) peer.send(text, rtp.port, '127.0.0.1');
    await readUntil(() => heard.length > 0, 'the first datagram');
    sockets.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['first']);
    rtp.send(Buffer.from('late'));
    rtp.connect(peer.address().port, '127.0.0.1');
  });

  it('binds ports that were closed again, and rejects those that are taken without keeping one', async () => {
    const { rtp, rtcp } = await open();
    const { port } = rtp;
    await expect(sockets.open('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    rtp.close();
    // The port of RTP is free, that of RTCP is not.
    await until(
      async () => {
        const error = await sockets.open('127.0.0.1', port).catch((problem: Error) => problem);
        return error instanceof Error && error.message.includes(`:${port + 1}`);
      },
      waitMilliseconds,
      'the port of RTCP is the one that is taken',
    );
    rtcp.close();
    const rebind = (): Promise<RtpSocketPair | undefined> => open('127.0.0.1', port).catch(() => undefined);
    let again = await rebind();
    await until(
      async () => {
        again ??= await rebind();
        return again !== undefined;
      },
      waitMilliseconds,
      'the ports are free',
    );
    expect([again!.rtp.port, again!.rtcp.port]).toEqual([port, port + 1]);
  });

  it('rejects an address that the machine does not have', async () => {
    await expect(sockets.open('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  });

  it.runIf(process.platform === 'linux')('leaks no descriptor in 1,000 opens and closes', async () => {
    const before = descriptors();
    for (let index = 0; index < 1_000; index++) {
      const { rtp, rtcp } = await sockets.open('127.0.0.1');
      for (const socket of [rtp, rtcp]) socket.close();
    }
    await until(() => descriptors() <= before, waitMilliseconds, 'all descriptors are closed');
  });

  it('closes its descriptor once', async () => {
    const { rtp, rtcp } = await open();
    for (const socket of [rtp, rtcp]) socket.close();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    // They have the numbers that the sockets had.
    const files = Array.from({ length: 8 }, () => openSync(process.execPath, 'r'));
    for (const socket of [rtp, rtcp]) socket.close();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (const file of files) expect(fstatSync(file).isFile()).toBe(true);
    for (const file of files) closeSync(file);
  });

  it('says when a datagram arrived', async () => {
    const { rtp } = await open();
    const peer = await openPeer();
    let arrivedAt: number | undefined;
    rtp.listener = (_datagram, at) => {
      arrivedAt = at;
    };
    await connect(rtp, peer.address().port, '127.0.0.1');
    /** The moments of sending and of arrival. */
    const send = async (): Promise<readonly [before: number, after: number, arrival: number]> => {
      arrivedAt = undefined;
      const before = performance.now();
      await new Promise((resolve) => peer.send('audio', rtp.port, '127.0.0.1', resolve));
      const after = performance.now();
      if (kind === 'native') await until(() => performance.now() > after + 50, waitMilliseconds, '50 ms');
      await readUntil(() => arrivedAt !== undefined, 'the datagram');
      return [before, after, arrivedAt!];
    };
    let [before, after, arrival] = await send();
    // The kernel begins to note arrivals some time after the first socket has asked for it.
    for (let attempt = 0; kind === 'native' && arrival > after + 1 && attempt < 20; attempt++)
      [before, after, arrival] = await send();
    expect(arrival).toBeGreaterThan(before - 1);
    // What is read late counts from its arrival.
    if (kind === 'native') expect(arrival).toBeLessThan(after + 1);
  });
});

describe.runIf(process.platform === 'linux')('native RTP sockets', () => {
  it('drop datagrams that are longer than their memory, and read those around them whole', async () => {
    const sockets = new NativeSockets(await loadSystemCalls());
    const pair = await sockets.open('127.0.0.1');
    pairs.push(pair);
    const peer = await openPeer();
    const heard: Buffer[] = [];
    pair.rtp.listener = (datagram) => heard.push(Buffer.from(datagram));
    pair.rtp.connect(peer.address().port, '127.0.0.1');
    const lengths = [172, longest + 1, 160, 60_000, 180];
    for (const length of lengths) peer.send(Buffer.alloc(length, length & 0xff), pair.rtp.port, '127.0.0.1');
    await until(
      () => {
        sockets.read();
        return heard.length >= 3;
      },
      waitMilliseconds,
      'the datagrams of calls',
    );
    expect(heard).toEqual([172, 160, 180].map((length) => Buffer.alloc(length, length)));
  });
});
