import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HepListener } from '../../../../src/edge/trace/hep-listener.js';
import type { Flow } from '../../../../src/engine/transport/flow.js';
import { HepExporter } from '../../../../src/engine/transport/hep.js';
import { decodeHep } from '../../../../src/hep/decode.js';

const flow = {
  protocol: 'tls',
  localAddress: '10.0.0.1',
  localPort: 5061,
  remoteAddress: '10.0.0.2',
  remotePort: 1234,
} as Flow;

const message = (callId: string, body = ''): string => `SIP/2.0 200 OK\r\nCall-ID: ${callId}\r\n\r\n${body}`;

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listener(
  port = 0,
): Promise<{ listener: HepListener; callIds: (string | undefined)[]; packets: Buffer[] }> {
  const started = await HepListener.start('127.0.0.1', port);
  ends.push(() => started.stop());
  const packets: Buffer[] = [];
  const callIds: (string | undefined)[] = [];
  started.onPacket = (packet) => {
    packets.push(packet);
    callIds.push(decodeHep(packet)?.correlationId);
  };
  return { listener: started, callIds, packets };
}

async function exporter(port: number, transport: 'udp' | 'tcp'): Promise<HepExporter> {
  const started = new HepExporter({ transport, host: '127.0.0.1', port, captureId: 1 });
  ends.push(() => started.stop());
  await started.start();
  return started;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('Timed out waiting.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('HEP3 from the engine to the edge', () => {
  it('rejects a port that another program uses, and returns any free one for 0', async () => {
    const { listener: first } = await listener();
    await expect(HepListener.start('127.0.0.1', first.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const server = createServer();
    ends.push(() => new Promise((resolve) => server.close(() => resolve())));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // Its UDP side is free, its TCP side is not.
    await expect(HepListener.start('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect((await listener()).listener.port).not.toBe(first.port);
  });

  it.each(['udp', 'tcp'] as const)('arrives whole and in order over %s', async (transport) => {
    const {
      listener: { port },
      callIds,
    } = await listener();
    const sender = await exporter(port, transport);
    const expected = Array.from({ length: 300 }, (_, i) => `call-${i}`);
    for (const callId of expected) sender.sent(flow, message(callId, 'x'.repeat(900)), 1_700_000_000_000);
    await until(() => callIds.length === expected.length);
    expect(callIds).toEqual(expected);
    expect(sender.counters).toEqual({ sent: 300, dropped: 0, errors: 0 });
  });

  it('over TCP survives an outage of the collector', async () => {
    const first = await listener();
    const { port } = first.listener;
    const sender = await exporter(port, 'tcp');
    sender.sent(flow, message('before'), 1);
    await until(() => first.callIds.length === 1);
    await ends.splice(0, 1)[0]?.();
    // The end of the connection is there to be read; each turn reads.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    sender.sent(flow, message('meanwhile'), 2);
    const second = await listener(port);
    await until(() => second.callIds.length === 1);
    expect(second.callIds).toEqual(['meanwhile']);
  });

  it('keeps a bounded backlog for a collector that does not take it, and drops the rest', async () => {
    const sender = await exporter(1, 'tcp');
    const large = message('call', 'x'.repeat(60_000));
    for (let i = 0; i < 100; i++) sender.sent(flow, large, 1);
    expect(sender.counters.dropped).toBeGreaterThan(20);
    expect(sender.counters.sent + sender.counters.dropped).toBe(100);
  });

  it('is cut rightly wherever the stream is torn', async () => {
    const source = await listener();
    const sender = await exporter(source.listener.port, 'udp');
    sender.sent(flow, message('one', 'abc'), 1);
    sender.sent(flow, message('two'), 1);
    await until(() => source.packets.length === 2);
    const stream = Buffer.concat(source.packets);
    for (let at = 1; at < stream.length; at++) {
      const { listener: target, callIds } = await listener();
      const socket = await dial(target.port);
      socket.write(stream.subarray(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      socket.end(stream.subarray(at));
      await until(() => callIds.length === 2);
      expect(callIds).toEqual(['one', 'two']);
    }
  });

  it.each([
    ['no HEP3', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a length that is none', Buffer.from('HEP3\0\0more')],
  ])('hangs up on a peer that sends %s', async (_, bytes) => {
    const {
      listener: { port },
      packets,
    } = await listener();
    const socket = await dial(port);
    const closed = once(socket, 'close');
    socket.write(bytes);
    await closed;
    expect(packets).toEqual([]);
  });
});

async function dial(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  ends.push(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}
