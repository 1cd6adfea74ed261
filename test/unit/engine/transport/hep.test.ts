import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Flow } from '../../../../src/engine/transport/flow.js';
import { HepExporter } from '../../../../src/engine/transport/hep.js';
import { until } from '../../../../src/testkit/waiting.js';
import { processorMilliseconds } from '../../../support/processor-use.js';
import { ok, RawPeer, request, TestLayer } from './layer.js';

interface Packet {
  chunks: Map<number, Buffer>;
  text(type: number): string;
  number(type: number): number;
}

/** HEP3 as its specification says, independent of the exporter. */
function decode(packet: Buffer): Packet {
  if (packet.toString('latin1', 0, 4) !== 'HEP3') throw new Error('no HEP3');
  if (packet.readUInt16BE(4) !== packet.length) throw new Error('wrong total length');
  const chunks = new Map<number, Buffer>();
  let offset = 6;
  while (offset < packet.length) {
    const length = packet.readUInt16BE(offset + 4);
    if (packet.readUInt16BE(offset) !== 0 || length < 6) throw new Error('bad chunk');
    const type = packet.readUInt16BE(offset + 2);
    if (chunks.has(type)) throw new Error(`chunk ${type} twice`);
    chunks.set(type, packet.subarray(offset + 6, offset + length));
    offset += length;
  }
  if (offset !== packet.length) throw new Error('chunks do not fill the packet');
  const get = (type: number): Buffer => {
    const chunk = chunks.get(type);
    if (chunk === undefined) throw new Error(`no chunk ${type}`);
    return chunk;
  };
  return {
    chunks,
    text: (type) => get(type).toString('latin1'),
    number: (type) => get(type).readUIntBE(0, get(type).length),
  };
}

const flowOf = (over: Partial<Flow>): Flow => ({
  id: 'f',
  protocol: 'udp',
  listener: {
    protocol: 'udp',
    address: '192.0.2.1',
    port: 5060,
    advertisedHost: '192.0.2.1',
    advertisedPort: 5060,
  },
  remoteAddress: '198.51.100.2',
  remotePort: 40_000,
  localAddress: '192.0.2.1',
  localPort: 5060,
  isOpen: true,
  ...over,
});

describe('HEP3 export', () => {
  let collector: Socket;
  let packets: Packet[];
  let port: number;
  const exporters: HepExporter[] = [];

  beforeEach(async () => {
    packets = [];
    collector = createSocket('udp4');
    collector.on('message', (bytes) => packets.push(decode(bytes)));
    await new Promise<void>((resolve) => collector.bind(0, '127.0.0.1', resolve));
    port = collector.address().port;
  });
  afterEach(async () => {
    for (const exporter of exporters.splice(0)) await exporter.stop();
    collector.close();
  });

  const start = async (authenticationKey?: string): Promise<HepExporter> => {
    const exporter = new HepExporter({
      host: '127.0.0.1',
      port,
      captureId: 2001,
      ...(authenticationKey !== undefined && { authenticationKey }),
    });
    exporters.push(exporter);
    await exporter.start();
    return exporter;
  };

  it('reports sender, receiver, message and time', async () => {
    const exporter = await start();
    const bytes = request({ callId: 'abc@host', body: 'caf\xc3\xa9' });
    exporter.received(flowOf({}), Buffer.from(bytes, 'latin1'), 1_700_000_000_123.456);
    exporter.sent(flowOf({ protocol: 'tls' }), ok('xyz'), 1_700_000_001_000);
    await until(() => packets.length === 2, 10_000, 'packets');
    const [first, second] = packets as [Packet, Packet];
    expect(first.number(1)).toBe(2);
    expect(first.number(2)).toBe(17);
    expect([...first.chunks.get(3)!]).toEqual([198, 51, 100, 2]);
    expect([...first.chunks.get(4)!]).toEqual([192, 0, 2, 1]);
    expect(first.number(7)).toBe(40_000);
    expect(first.number(8)).toBe(5060);
    expect(first.number(9)).toBe(1_700_000_000);
    expect(Math.abs(first.number(10) - 123_456)).toBeLessThanOrEqual(1);
    expect(first.number(11)).toBe(1);
    expect(first.number(12)).toBe(2001);
    expect(first.text(15)).toBe(bytes);
    expect(first.text(17)).toBe('abc@host');
    expect(first.chunks.has(14)).toBe(false);
    expect(second.number(2)).toBe(6);
    expect([...second.chunks.get(3)!]).toEqual([192, 0, 2, 1]);
    expect(second.number(8)).toBe(40_000);
    expect(second.number(10)).toBe(0);
    expect(second.text(15)).toBe(ok('xyz'));
    expect(second.text(17)).toBe('xyz');
  });

  it('writes IPv6 addresses and the authentication key', async () => {
    const exporter = await start('secret');
    exporter.sent(flowOf({ localAddress: '2001:db8::1', remoteAddress: '2001:db8::2' }), ok(), 0);
    await until(() => packets.length === 1, 10_000, 'packet');
    const packet = packets[0]!;
    expect(packet.number(1)).toBe(10);
    expect(packet.chunks.get(5)!.toString('hex')).toBe('20010db8000000000000000000000001');
    expect(packet.chunks.get(6)!.toString('hex')).toBe('20010db8000000000000000000000002');
    expect(packet.text(14)).toBe('secret');
  });

  it.each([
    ['i:compact', 'compact'],
    ['call-id : lower ', 'lower'],
    ['CALL-ID:upper', 'upper'],
  ])('finds the Call-ID in "%s"', async (line, expected) => {
    const exporter = await start();
    exporter.sent(flowOf({}), `BYE sip:a SIP/2.0\r\n${line}\r\nCSeq: 1 BYE\r\n\r\n`, 0);
    exporter.received(flowOf({}), Buffer.from(`BYE sip:a SIP/2.0\r\n${line}\r\n\r\n`), 0);
    await until(() => packets.length === 2, 10_000, 'packets');
    expect(packets.map((packet) => packet.text(17))).toEqual([expected, expected]);
  });

  it('leaves the Call-ID out where there is none, also when a body quotes one', async () => {
    const exporter = await start();
    exporter.sent(flowOf({}), 'BYE sip:a SIP/2.0\r\nTo: x\r\n\r\nsipfrag\r\nCall-ID: quoted\r\n\r\n', 0);
    await until(() => packets.length === 1, 10_000, 'packet');
    expect(packets[0]!.chunks.has(17)).toBe(false);
  });

  it('never fails, on any input and with any collector down', async () => {
    const exporter = await start();
    exporter.sent(flowOf({}), 'x'.repeat(66_000), 0);
    exporter.sent(flowOf({ remoteAddress: '' }), ok(), 0);
    expect(exporter.counters.dropped).toBe(2);
    await new Promise<void>((resolve) => collector.close(() => resolve()));
    for (let i = 0; i < 5; i++) {
      exporter.sent(flowOf({}), ok(), 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(exporter.counters.sent).toBe(5);
    await exporter.stop();
    exporter.sent(flowOf({}), ok(), 0);
    expect(exporter.counters.dropped).toBe(3);
    collector = createSocket('udp4');
  });

  it('sees every message of a transport layer, and no keep-alive', async () => {
    const exporter = await start();
    const test = await TestLayer.start({}, { observer: exporter });
    const peer = await RawPeer.connect(test.listener('tcp').port);
    peer.send(`\r\n\r\n${request()}`);
    test.layer.send((await test.next()).flow, ok());
    await until(() => packets.length === 2, 10_000, 'packets');
    expect(packets[0]!.text(15)).toBe(request());
    expect(packets[0]!.number(7)).toBe(peer.socket.localPort);
    expect(packets[1]!.text(15)).toBe(ok());
    peer.close();
    await test.layer.stop();
  });

  it('costs microseconds', async () => {
    const exporter = await start();
    const bytes = request({ body: 'v'.repeat(1_000) });
    const flow = flowOf({});
    for (let i = 0; i < 500; i++) exporter.sent(flow, bytes, i);
    const milliseconds = processorMilliseconds(() => {
      for (let i = 0; i < 2_000; i++) exporter.sent(flow, bytes, i);
    });
    // A few microseconds each, the system call included; the bound leaves room for a busy machine.
    expect(milliseconds / 2_000).toBeLessThan(0.1);
  });
});
