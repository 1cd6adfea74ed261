import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Flow, type Target, TransportError } from '../../../../src/engine/transport/flow.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { pause, until } from '../../../../src/testkit/waiting.js';
import { ok, RawPeer, request, TestLayer } from './layer.js';

const tcpTarget = (port: number, address = '127.0.0.1'): Target => ({
  protocol: 'tcp',
  address,
  port,
  serverName: address,
});

describe('TCP', () => {
  const layers: TestLayer[] = [];
  const peers: RawPeer[] = [];
  const servers: Server[] = [];
  const serverSockets: Socket[] = [];

  const start = async (...options: Parameters<typeof TestLayer.start>): Promise<TestLayer> => {
    const test = await TestLayer.start(...options);
    layers.push(test);
    return test;
  };
  const peerOf = async (test: TestLayer): Promise<RawPeer> => {
    const peer = await RawPeer.connect(test.listener('tcp').port);
    peers.push(peer);
    return peer;
  };
  /** A server that only collects what it gets. */
  const sink = async (answer?: (socket: Socket, bytes: string) => void) => {
    const received: string[] = [];
    const server = createServer((socket) => {
      serverSockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received.push(chunk.toString('latin1'));
        answer?.(socket, chunk.toString('latin1'));
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { received, port: address.port };
  };

  afterEach(async () => {
    for (const peer of peers.splice(0)) peer.close();
    for (const socket of serverSockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
    for (const { layer } of layers.splice(0)) {
      await layer.stop();
      expect(layer.openConnections).toBe(0);
    }
  });

  it('cuts messages out of a stream that comes octet by octet', async () => {
    const test = await start();
    const peer = await peerOf(test);
    const bytes = request({ callId: 'slow', body: 'v=0\r\n\r\n' }) + request({ callId: 'next' });
    for (const octet of bytes) {
      peer.send(octet);
      await new Promise(setImmediate);
    }
    const first = await test.next();
    expect(first.message.headers.get('Call-ID')).toBe('slow');
    expect(first.message.body).toBe('v=0\r\n\r\n');
    expect((await test.next()).message.headers.get('Call-ID')).toBe('next');
  });

  it('takes several messages of one segment in order and answers them in one write on the same connection', async () => {
    const test = await start(
      {},
      { answer: ({ flow, message }, layer) => layer.send(flow, ok(message.headers.get('Call-ID'))) },
    );
    const peer = await peerOf(test);
    const chunks: string[] = [];
    peer.socket.on('data', (chunk) => chunks.push(chunk.toString('latin1')));
    peer.send(request({ callId: 'one' }) + request({ callId: 'two' }) + request({ callId: 'three' }));
    await until(() => peer.received.includes('three'), 10_000, 'answers');
    expect(peer.received).toBe(ok('one') + ok('two') + ok('three'));
    expect(chunks).toHaveLength(1);
    const { flow, message } = await test.next();
    expect(flow).toMatchObject({ protocol: 'tcp', remotePort: peer.socket.localPort, isOpen: true });
    expect(message.headers.get('Via')).toMatch(/;received=127\.0\.0\.1$/);
  });

  it('answers a ping and only a ping', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send('\r\n\r\n');
    await until(() => peer.received !== '', 10_000, 'pong');
    peer.send('\r\n');
    await pause(50);
    expect(peer.received).toBe('\r\n');
    peer.send(request());
    await test.next();
  });

  it('closes a connection that floods with pings', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send('\r\n\r\n'.repeat(5_000));
    await until(() => peer.isClosed, 10_000, 'close');
    expect(test.layer.counters.closedPingFlood).toBe(1);
    expect(peer.received.length).toBeLessThanOrEqual(2 * 20);
  });

  it('closes on a Content-Length of 2 GB before it takes memory, and says 413', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(request({ contentLength: 2_000_000_000 }));
    await until(() => peer.isClosed, 10_000, 'close');
    expect(peer.received).toMatch(/^SIP\/2\.0 413 /);
    expect(test.layer.counters.framingErrors).toBe(1);
    expect(test.messages.pending).toEqual([]);
  });

  it('handles what came whole before a fault in the same segment', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(request({ callId: 'good' }) + request({ callId: 'bad', headers: 'Content-Length: 5' }));
    expect((await test.next()).message.headers.get('Call-ID')).toBe('good');
    await until(() => peer.isClosed, 10_000, 'close');
    expect(peer.received).toMatch(/^SIP\/2\.0 400 .*Call-ID: bad/s);
  });

  it('closes on an endless header line', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(`OPTIONS sip:a@example.com SIP/2.0\r\nSubject: ${'x'.repeat(40_000)}`);
    await until(() => peer.isClosed, 10_000, 'close');
    expect(test.layer.counters.framingErrors).toBe(1);
  });

  it('closes a slow sender (slowloris), also when it never stops sending', async () => {
    const test = await start({ limits: { messageMilliseconds: 150 } });
    const peer = await peerOf(test);
    const bytes = request();
    let sent = 0;
    for (; sent < bytes.length && !peer.isClosed; sent++) {
      peer.send(bytes[sent]!);
      await pause(10);
    }
    await until(() => peer.isClosed, 10_000, 'close');
    expect(sent).toBeLessThan(bytes.length);
    expect(test.layer.counters.closedSlowMessage).toBe(1);
  });

  it('closes a connection on which nothing is said, and one that has become idle', async () => {
    const clock = new ManualClock();
    const test = await start({}, { clock });
    const silent = await peerOf(test);
    const talking = await peerOf(test);
    talking.send(request());
    await test.next();
    await clock.advance(61_000);
    await until(() => silent.isClosed, 10_000, 'close of the silent one');
    expect(talking.isClosed).toBe(false);
    expect(test.layer.counters.closedNoMessage).toBe(1);
    await clock.advance(3_600_000);
    await until(() => talking.isClosed, 10_000, 'close of the idle one');
    expect(test.layer.counters.closedIdle).toBe(1);
    expect(test.closedFlows).toHaveLength(2);
  });

  it('refuses connections over the limit of a source and accepts again when one ends', async () => {
    const test = await start({ limits: { incomingConnectionsPerSource: 2 } });
    const first = await peerOf(test);
    await peerOf(test);
    const third = await peerOf(test);
    await until(() => third.isClosed, 10_000, 'refusal');
    expect(test.layer.counters).toMatchObject({ refusedPerSource: 1, connectionsAccepted: 2 });
    expect(test.notices.map(({ kind }) => kind)).toContain('connection-refused');
    first.close();
    await until(() => test.layer.openConnections === 1, 10_000, 'room');
    const fourth = await peerOf(test);
    fourth.send(request());
    await test.next();
  });

  it('answers the whole requests before garbage of one segment, then closes', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(`${request({ callId: 'one' })}${request({ callId: 'two' })}no SIP at all\r\n\r\n`);
    const flows = [(await test.next()).flow, (await test.next()).flow];
    // An application answers in a later turn of the event loop.
    await pause(20);
    expect(test.layer.openFlow('tcp', '127.0.0.1', peer.socket.localPort!)).toBeUndefined();
    peer.send(request({ callId: 'three' }));
    for (const flow of flows) test.layer.send(flow, ok());
    await until(() => peer.received === ok() + ok(), 10_000, 'both answers');
    await until(() => peer.isClosed, 10_000, 'close');
    expect(test.messages.pending).toEqual([]);
    expect(test.layer.counters.framingErrors).toBe(1);
  });

  it('closes a peer that does not read, instead of keeping what it should read', async () => {
    const test = await start({ limits: { writeBacklogBytes: 300_000 } });
    const peer = await peerOf(test);
    peer.socket.pause();
    peer.send(request());
    const { flow } = await test.next();
    const errors: TransportError[] = [];
    for (let i = 0; i < 1_000 && flow.isOpen; i++) {
      test.layer.send(flow, 'x'.repeat(60_000), (error) => errors.push(error));
      await new Promise(setImmediate);
    }
    expect(flow.isOpen).toBe(false);
    await until(() => test.closedFlows.length === 1, 10_000, 'close');
    expect(errors.length).toBeGreaterThan(0);
    expect(test.layer.counters.closedBacklog).toBe(1);
  });

  it('notifies the layer above once when a peer closes, and fails later sends', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(request());
    const { flow } = await test.next();
    peer.close();
    await until(() => test.closedFlows.length > 0, 10_000, 'close');
    expect(test.closedFlows).toEqual([flow]);
    expect(flow.isOpen).toBe(false);
    const error = await new Promise<TransportError>((resolve) => test.layer.send(flow, ok(), resolve));
    expect(error).toBeInstanceOf(TransportError);
    expect(error.failure).toBe('closed');
  });

  it('opens one connection for concurrent requests to one target and uses it again', async () => {
    const test = await start();
    const { received, port } = await sink();
    const attempts = await Promise.all([
      test.layer.connect(tcpTarget(port)),
      test.layer.connect(tcpTarget(port)),
      test.layer.connect(tcpTarget(port)),
    ]);
    expect(new Set(attempts).size).toBe(1);
    const again = test.layer.connect(tcpTarget(port));
    expect(again).toBe(attempts[0]);
    expect(test.layer.openFlow('tcp', '127.0.0.1', port)).toBe(attempts[0]);
    expect(test.layer.counters.connectionsOpened).toBe(1);
    expect(attempts[0]).toMatchObject({ listener: test.listener('tcp'), remotePort: port });
    expect(attempts[0]!.localAddress).toBe('127.0.0.1');
    test.layer.send(attempts[0]!, request());
    await until(() => received.join('') === request(), 10_000, 'request');
  });

  it('uses an incoming connection to reach the address and port it came from', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(request());
    const { flow } = await test.next();
    expect(test.layer.connect(tcpTarget(peer.socket.localPort!))).toBe(flow);
  });

  it('reconnects after the connection is lost', async () => {
    const test = await start();
    const { port } = await sink();
    const first = await test.layer.connect(tcpTarget(port));
    serverSockets[0]!.destroy();
    await until(() => !first.isOpen && test.closedFlows.length === 1, 10_000, 'close');
    const second = await test.layer.connect(tcpTarget(port));
    expect(second.id).not.toBe(first.id);
  });

  it('fails fast on a closed port, and tries that target last for a while', async () => {
    const { port } = await sink();
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const deadPort = (dead.address() as { port: number }).port;
    await new Promise((resolve) => dead.close(resolve));
    const clock = new ManualClock();
    const test = await start(
      {},
      {
        clock,
        parts: {
          random: () => 0,
          dns: {
            addresses: async () => [{ address: '127.0.0.1', ttl: 300 }],
            services: async () => [
              { name: 'a.example.com', port: deadPort, priority: 1, weight: 0 },
              { name: 'b.example.com', port, priority: 2, weight: 0 },
            ],
            pointers: async () => [],
            cancel: () => {},
          },
        },
      },
    );
    const nextHop = { secure: false, host: 'example.com', transport: 'tcp' };
    const ports = async () => (await test.layer.resolve(nextHop)).map((target) => target.port);
    expect(await ports()).toEqual([deadPort, port]);
    await expect(test.layer.connect(tcpTarget(deadPort))).rejects.toMatchObject({ failure: 'refused' });
    expect(await ports()).toEqual([port, deadPort]);
    await clock.advance(30_001);
    expect(await ports()).toEqual([deadPort, port]);
    expect(test.layer.counters.connectFailures).toBe(1);
  });

  it('gives up a connection that does not come about', async () => {
    const clock = new ManualClock();
    const test = await start({}, { clock });
    const { port } = await sink();
    const attempt = test.layer.connect(tcpTarget(port)) as Promise<Flow>;
    const outcome = attempt.catch((error: TransportError) => error);
    // No turn of the event loop passes meanwhile, so the connection cannot come about.
    await clock.advance(4_001);
    expect(await outcome).toMatchObject({ failure: 'timeout' });
    expect(test.layer.openConnections).toBe(0);
  });

  it('has nothing to send from without a listener of protocol and family', async () => {
    const test = await start();
    await expect(test.layer.connect({ ...tcpTarget(5060), protocol: 'tls' })).rejects.toMatchObject({
      failure: 'unsupported',
    });
    await expect(test.layer.connect(tcpTarget(5060, '::1'))).rejects.toMatchObject({
      failure: 'unsupported',
    });
    expect(() => test.layer.connect({ ...tcpTarget(5060), protocol: 'udp' })).toThrow(TransportError);
    expect(() => test.layer.resolve({ secure: true, host: 'example.com' })).toThrow(TransportError);
  });

  it('bounds outgoing connections', async () => {
    const test = await start({ limits: { outgoingConnections: 1 } });
    const first = await sink();
    const second = await sink();
    await test.layer.connect(tcpTarget(first.port));
    await expect(test.layer.connect(tcpTarget(second.port))).rejects.toMatchObject({ failure: 'overloaded' });
  });

  it('reaches IPv6 peers', async () => {
    const test = await start({ listeners: [{ protocol: 'tcp', address: '::1', port: 0 }] });
    const overIpv6 = await start({ listeners: [{ protocol: 'tcp', address: '::1', port: 0 }] });
    const flow = await test.layer.connect(tcpTarget(overIpv6.listener('tcp').port, '0:0:0:0:0:0:0:1'));
    test.layer.send(flow, request());
    expect((await overIpv6.next()).flow.remoteAddress).toBe('::1');
  });

  it('survives a layer above that throws, and reports where', async () => {
    const test = await start(
      {},
      {
        answer: ({ message }) => {
          if (message.headers.get('Call-ID') === 'poison') throw new Error('a mistake');
        },
      },
    );
    const peer = await peerOf(test);
    peer.send(request({ callId: 'poison' }) + request({ callId: 'good' }));
    await until(() => test.messages.pending.length === 2, 10_000, 'both messages');
    expect(test.layer.counters.defects).toBe(1);
    expect(test.notices).toMatchObject([
      { kind: 'defect', text: expect.stringMatching(/a mistake.*streams\.test/s) },
    ]);
  });

  it('says from where an address cannot be reached', async () => {
    const test = await start();
    // The listener is bound to loopback, so nothing of it may leave the machine.
    await expect(test.layer.connect(tcpTarget(5060, '192.0.2.1'))).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('tcp from 127.0.0.1 to 192.0.2.1 port 5060'),
    });
  });

  it('leaves no state after many connections', async () => {
    const test = await start();
    for (let round = 0; round < 10; round++) {
      const some = await Promise.all(Array.from({ length: 20 }, () => peerOf(test)));
      for (const peer of some) peer.send(request());
      for (const _ of some) await test.next();
      for (const peer of some) peer.close();
    }
    await until(() => test.layer.openConnections === 0, 10_000, 'all closed');
    expect(test.closedFlows).toHaveLength(200);
    expect(test.layer.counters).toMatchObject({ connectionsAccepted: 200, connectionsClosed: 200 });
  });

  it('sends what is queued before it stops', async () => {
    const test = await start();
    const peer = await peerOf(test);
    peer.send(request());
    const { flow } = await test.next();
    test.layer.send(flow, ok());
    await test.layer.stop();
    await until(() => peer.isClosed, 10_000, 'close');
    expect(peer.received).toBe(ok());
  });

  describe('keep-alive on connections we opened (RFC 5626)', () => {
    it('pings after silence and closes when a peer that used to answer does not any more', async () => {
      const clock = new ManualClock();
      const test = await start({}, { clock });
      let answering = true;
      const { received, port } = await sink((socket, bytes) => {
        if (bytes === '\r\n\r\n' && answering) socket.write('\r\n');
      });
      const flow = await test.layer.connect(tcpTarget(port));
      await clock.advance(24_000);
      expect(received).toEqual([]);
      await clock.advance(2_000);
      await until(
        () => received.length === 1 && test.layer.counters.keepAlives === 1,
        10_000,
        'first ping and pong',
      );
      answering = false;
      await clock.advance(27_000);
      await until(() => received.length === 2, 10_000, 'second ping');
      await clock.advance(12_000);
      await until(() => test.closedFlows.length === 1, 10_000, 'close');
      expect(flow.isOpen).toBe(false);
      expect(test.layer.counters.closedNoPong).toBe(1);
    });

    it('keeps a connection whose peer never answers pings, unless configured otherwise', async () => {
      const clock = new ManualClock();
      const patient = await start({}, { clock });
      const strict = await start({ keepAlive: { closeWithoutPong: 'always' } }, { clock });
      const { received, port } = await sink();
      const kept = await patient.layer.connect(tcpTarget(port));
      const closed = await strict.layer.connect(tcpTarget(port));
      await clock.advance(26_000);
      await until(() => received.length === 2, 10_000, 'pings');
      await clock.advance(11_000);
      await until(() => strict.closedFlows.length === 1, 10_000, 'close');
      expect(closed.isOpen).toBe(false);
      expect(kept.isOpen).toBe(true);
      await clock.advance(25_000);
      await until(() => received.length === 3, 10_000, 'the next ping');
    });
  });
});
