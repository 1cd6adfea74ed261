import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { type Flow, responseFlowOf, type TransportError } from '../../../../src/engine/transport/flow.js';
import { pause, until } from '../../../../src/testkit/waiting.js';
import { stays } from '../../../support/stays.js';
import { ok, request, TestLayer } from './layer.js';

const listeners = [{ protocol: 'udp' as const, address: '127.0.0.1', port: 0 }];

describe('UDP', () => {
  const layers: TestLayer[] = [];
  const sockets: Socket[] = [];

  const start = async (...options: Parameters<typeof TestLayer.start>): Promise<TestLayer> => {
    const test = await TestLayer.start({ listeners, ...options[0] }, options[1]);
    layers.push(test);
    return test;
  };

  const newSocket = async (): Promise<{ socket: Socket; received: string[]; port: number }> => {
    const socket = createSocket('udp4');
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const received: string[] = [];
    socket.on('message', (bytes) => received.push(bytes.toString('latin1')));
    return { socket, received, port: socket.address().port };
  };

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    for (const { layer } of layers.splice(0)) await layer.stop();
  });

  it('hands over a request with its true source and answers to the source port', async () => {
    const test = await start();
    const { socket, received, port } = await newSocket();
    const bytes = request({ via: 'SIP/2.0/UDP 10.1.2.3:5060;rport;branch=z9hG4bK1' });
    socket.send(bytes, test.listener('udp').port, '127.0.0.1');
    const { message, flow, size, at } = await test.next();
    expect(message.headers.get('Via')).toBe(
      `SIP/2.0/UDP 10.1.2.3:5060;branch=z9hG4bK1;received=127.0.0.1;rport=${port}`,
    );
    expect(size).toBe(bytes.length);
    expect(Math.abs(at - Date.now())).toBeLessThan(10_000);
    expect(flow).toMatchObject({
      protocol: 'udp',
      remoteAddress: '127.0.0.1',
      remotePort: port,
      localAddress: '127.0.0.1',
      localPort: test.listener('udp').port,
      isOpen: true,
    });
    test.layer.send(flow, ok());
    await until(() => received.length > 0, 10_000, 'answer');
    expect(received[0]).toBe(ok());
  });

  /** Two sockets of one peer: it sends from one, and listens where its Via says. */
  async function answeredAt(test: TestLayer, rport: string): Promise<'source' | 'sent-by'> {
    const [from, listening] = [await newSocket(), await newSocket()];
    const via = `SIP/2.0/UDP 10.1.2.3:${listening.port}${rport};branch=z9hG4bK1`;
    from.socket.send(request({ via }), test.listener('udp').port, '127.0.0.1');
    const received = await test.next();
    test.layer.send(responseFlowOf(received), ok());
    await until(() => from.received.length + listening.received.length > 0, 10_000, 'answer');
    expect(received.flow.remotePort).toBe(from.port);
    return from.received.length > 0 ? 'source' : 'sent-by';
  }

  it('answers at the port of sent-by when rport is not asked for (RFC 3261 §18.2.2), unless it is forced', async () => {
    const test = await start();
    expect(await answeredAt(test, '')).toBe('sent-by');
    expect(await answeredAt(test, ';rport')).toBe('source');
    const forcing = await start({ listeners: [{ ...listeners[0]!, forceRport: true }] });
    expect(await answeredAt(forcing, '')).toBe('source');
  });

  it('keeps octets that are not ASCII', async () => {
    const test = await start();
    const { socket, received } = await newSocket();
    const subject = Buffer.from('Subject: Grüße ☎', 'utf8').toString('latin1');
    const bytes = request({ headers: subject, body: '\x00\xff\x80' });
    socket.send(Buffer.from(bytes, 'latin1'), test.listener('udp').port, '127.0.0.1');
    const { message, flow } = await test.next();
    expect(message.body).toBe('\x00\xff\x80');
    test.layer.send(flow, `X: ${message.headers.get('Subject')}\r\n${message.body}`);
    await until(() => received.length > 0, 10_000, 'echo');
    expect(Buffer.from(received[0]!, 'latin1').toString('utf8')).toContain('Grüße ☎');
  });

  it('ignores keep-alives and garbage and remembers nothing of their senders', async () => {
    const test = await start();
    const { socket, received } = await newSocket();
    const port = test.listener('udp').port;
    for (const junk of [
      '\r\n',
      '\r\n\r\n',
      '\0\0\0\0',
      'x'.repeat(100),
      `SIP/2.0 999999 ${'y'.repeat(50)}\r\n\r\n`,
    ]) {
      socket.send(junk, port, '127.0.0.1');
    }
    socket.send(request(), port, '127.0.0.1');
    await test.next();
    expect(received).toEqual([]);
    expect(test.layer.counters).toMatchObject({ keepAlives: 3, malformed: 2, malformedAnswered: 0 });
    expect(test.messages.pending).toEqual([]);
  });

  it('answers 400 to a request that cannot be read but tells where it came from, not to an ACK', async () => {
    const test = await start();
    const { socket, received, port } = await newSocket();
    const target = test.listener('udp').port;
    socket.send(request({ method: 'ACK', headers: 'no colon here' }), target, '127.0.0.1');
    socket.send(
      request({ headers: 'no colon here', via: 'SIP/2.0/UDP 10.0.0.1;rport;branch=z9hG4bK1' }),
      target,
      '127.0.0.1',
    );
    await until(() => received.length > 0, 10_000, '400');
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/^SIP\/2\.0 400 /);
    expect(received[0]).toContain(`;received=127.0.0.1;rport=${port}\r\n`);
    expect(received[0]).toMatch(/\r\nTo: .*;tag=/);
    expect(test.layer.counters).toMatchObject({ malformed: 2, malformedAnswered: 1 });
  });

  it('accepts CRLF before a message', async () => {
    const test = await start();
    const { socket } = await newSocket();
    socket.send(`\r\n\r\n${request()}`, test.listener('udp').port, '127.0.0.1');
    expect((await test.next()).message.kind).toBe('request');
  });

  it('answers 513 where the headers are longer than a stream may have, not where the body is', async () => {
    const test = await start({ limits: { headerBytes: 1_000 } });
    const { socket, received } = await newSocket();
    const via = 'SIP/2.0/UDP 10.0.0.1;rport;branch=z9hG4bK1';
    socket.send(request({ via, body: 'x'.repeat(2_000) }), test.listener('udp').port, '127.0.0.1');
    expect((await test.next()).message.body).toHaveLength(2_000);
    socket.send(
      `\r\n\r\n${request({ via, headers: `Subject: ${'x'.repeat(1_000)}` })}`,
      test.listener('udp').port,
      '127.0.0.1',
    );
    await until(() => received.length > 0, 10_000, '513');
    expect(received[0]).toMatch(/^SIP\/2\.0 513 Message Too Large\r\n/);
    expect(test.messages.pending).toEqual([]);
  });

  it('drops a datagram over the limit', async () => {
    const test = await start({ limits: { messageBytes: 1_000 } });
    const { socket } = await newSocket();
    socket.send(request({ body: 'x'.repeat(2_000) }), test.listener('udp').port, '127.0.0.1');
    await until(() => test.layer.counters.datagramsTooLong === 1, 10_000, 'count');
    expect(test.messages.pending).toEqual([]);
  });

  it('reports a datagram that cannot leave', async () => {
    const test = await start();
    const flow = await test.layer.connect({
      protocol: 'udp',
      address: '127.0.0.1',
      port: 9,
      serverName: '127.0.0.1',
    });
    const error = await new Promise<TransportError>((resolve) => {
      test.layer.send(flow, 'x'.repeat(70_000), resolve);
    });
    expect(error.failure).toBe('unreachable');
    expect(error.message).toMatch(/70000 octets/);
  });

  it('detects a closed port at once, and retries that target only now and then', async () => {
    const test = await start();
    const { received, port } = await newSocket();
    const closed = await newSocket();
    sockets.splice(sockets.indexOf(closed.socket), 1);
    await new Promise<void>((resolve) => closed.socket.close(() => resolve()));
    const flowTo = (port: number) =>
      test.layer.connect({ protocol: 'udp', address: '127.0.0.1', port, serverName: '' }) as Flow;
    const errors = await Promise.all(
      [1, 2].map(
        () =>
          new Promise<TransportError>((resolve) => {
            test.layer.send(flowTo(closed.port), request(), resolve);
          }),
      ),
    );
    expect(errors.map(({ failure }) => failure)).toEqual(['refused', 'refused']);

    const failures: TransportError[] = [];
    for (let i = 0; i < 3; i++) test.layer.send(flowTo(port), request(), (error) => failures.push(error));
    await stays(() => expect(failures).toEqual([]), 400);
    test.layer.send(flowTo(port), request(), (error) => failures.push(error));
    const requests = () => received.filter((bytes) => bytes === request());
    await until(() => requests().length === 4, 10_000, 'four requests');
    await pause(50);
    expect(failures).toEqual([]);
    expect(received.filter((bytes) => bytes === '\r\n')).toHaveLength(1);
  });

  it('treats a target that answers as up, although it refuses every other socket of the engine', async () => {
    const test = await start();
    const socket = createSocket('udp4');
    sockets.push(socket);
    let received = 0;
    await new Promise<void>((resolve) => socket.connect(test.listener('udp').port, '127.0.0.1', resolve));
    socket.on('message', () => {
      received++;
      socket.send(ok());
    });
    const target = {
      protocol: 'udp',
      address: '127.0.0.1',
      port: socket.address().port,
      serverName: '',
    } as const;
    const failures: TransportError[] = [];
    for (let i = 1; i <= 2; i++) {
      test.layer.send(test.layer.connect(target) as Flow, request(), (error) => failures.push(error));
      await until(() => received === i, 10_000, 'request');
      await stays(() => expect(failures).toEqual([]), 400);
    }
  });

  it('gives one id to all flows of a peer, and connects at once', async () => {
    const test = await start();
    const target = { protocol: 'udp', address: '127.0.0.1', port: 21_999, serverName: '127.0.0.1' } as const;
    const first = test.layer.connect(target);
    const second = test.layer.connect(target);
    expect(first).not.toBeInstanceOf(Promise);
    expect((first as { id: string }).id).toBe((second as { id: string }).id);
    expect(test.layer.openFlow('udp', '127.0.0.1', 21_999)).toBeUndefined();
  });

  it('refuses text that is not a byte string', async () => {
    const test = await start();
    const flow = await test.layer.connect({ protocol: 'udp', address: '127.0.0.1', port: 9, serverName: '' });
    // U+010A would leave as 0x0A, a line feed.
    expect(() => test.layer.send(flow, 'Subject: \u010a')).toThrow(TypeError);
  });

  it('works over IPv6', async () => {
    const test = await start({ listeners: [{ protocol: 'udp', address: '::1', port: 0 }] });
    const socket = createSocket('udp6');
    sockets.push(socket);
    const received: string[] = [];
    socket.on('message', (bytes) => received.push(bytes.toString('latin1')));
    socket.send(request(), test.listener('udp').port, '::1');
    const { message, flow } = await test.next();
    expect(flow.remoteAddress).toBe('::1');
    expect(message.headers.get('Via')).toMatch(/;received=::1$/);
    test.layer.send(flow, ok());
    await until(() => received.length > 0, 10_000, 'answer');
  });

  it('names the socket when a port is taken', async () => {
    const { port } = await newSocket();
    await expect(start({ listeners: [{ protocol: 'udp', address: '127.0.0.1', port }] })).rejects.toThrow(
      `udp 127.0.0.1 port ${port}: already in use`,
    );
  });

  it('advertises what is configured, else the bound address, never a wildcard', async () => {
    const test = await start({
      listeners: [
        { ...listeners[0]!, advertisedHost: 'sip.example.com', advertisedPort: 5060 },
        { ...listeners[0]! },
        { protocol: 'udp', address: '0.0.0.0', port: 0 },
      ],
    });
    const [first, second, third] = test.layer.listeners;
    expect(first).toMatchObject({ advertisedHost: 'sip.example.com', advertisedPort: 5060 });
    expect(second).toMatchObject({ advertisedHost: '127.0.0.1', advertisedPort: second!.port });
    expect(third!.advertisedHost).not.toBe('0.0.0.0');
  });
});
