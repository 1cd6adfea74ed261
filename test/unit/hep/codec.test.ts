import { createSocket } from 'node:dgram';
import { isDeepStrictEqual } from 'node:util';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/seeded-random.js';
import type { Flow } from '../../../src/engine/transport/flow.js';
import { HepExporter } from '../../../src/engine/transport/hep.js';
import { decodeHep, type HepPacket } from '../../../src/hep/decode.js';
import { type HepContent, HepEncoder } from '../../../src/hep/encoder.js';
import { HepFramer } from '../../../src/hep/framer.js';
import { hepPacket } from '../edge/trace/hep-packet.js';

describe('HEP3', () => {
  it('is decoded as drachtio-server sends it', () => {
    const packet = decodeHep(
      hepPacket({ payload: 'OPTIONS', ipProtocol: 22, source: '203.0.113.9', sourcePort: 40000 }),
    );
    expect(packet).toMatchObject({
      ipProtocol: 22,
      sourceAddress: '203.0.113.9',
      sourcePort: 40000,
      destinationAddress: '192.0.2.2',
      destinationPort: 5061,
      at: 1_700_000_000_123_456,
      correlationId: undefined,
    });
    expect(packet?.payload.toString()).toBe('OPTIONS');
  });

  it.each([
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
    ['::', '::'],
    ['2001:db8:0:1::', '2001:db8:0:1::'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ])('decodes the address %s', (source, text) => {
    expect(decodeHep(hepPacket({ payload: 'x', source, destination: '::2' }))?.sourceAddress).toBe(text);
  });

  it('is not taken from other protocols and damaged packets', () => {
    expect(decodeHep(hepPacket({ payload: 'x', protocolType: 5 }))).toBeUndefined();
    expect(decodeHep(Buffer.from('OPTIONS sip:x SIP/2.0\r\n\r\n'))).toBeUndefined();
    const good = hepPacket({ payload: 'INVITE sip:x SIP/2.0\r\n\r\n' });
    for (let length = 0; length < good.length; length++) {
      expect(decodeHep(good.subarray(0, length)), `cut at ${length}`).toBeUndefined();
    }
  });

  it('survives any change of one octet', () => {
    const good = hepPacket({ payload: 'INVITE sip:x SIP/2.0\r\n\r\n' });
    for (let i = 0; i < good.length; i++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const bad = Buffer.from(good);
        bad[i] = value;
        expect(() => decodeHep(bad)).not.toThrow();
      }
    }
  });

  const encoder = new HepEncoder({ captureId: 7 });
  const content = {
    ipProtocol: 6,
    sourceAddress: '192.0.2.1',
    sourcePort: 5060,
    destinationAddress: '192.0.2.2',
    destinationPort: 5061,
    at: 1_700_000_000_123_456,
    correlationId: 'call',
    payloadType: 1,
    payload: Buffer.from('INVITE'),
  };
  const decoded = ({ payloadType: _, payload, ...rest }: HepContent): HepPacket => ({
    ...rest,
    correlationId: rest.correlationId,
    payload: Buffer.from(payload as string, 'latin1'),
  });

  it('decodes what it encodes, in both families', () => {
    const ipv6 = { ...content, sourceAddress: '2001:db8::1', destinationAddress: '2001:db8::2' };
    for (const packet of [content, ipv6]) expect(decodeHep(encoder.encode(packet)!)).toEqual(decoded(packet));
  });

  it('decodes any content that it encodes', () => {
    const random = seededRandom(11);
    const upTo = (bound: number): number => Math.floor(random() * bound);
    const octets = (length: number): string =>
      Array.from({ length }, () => String.fromCharCode(upTo(256))).join('');
    const address = (isIpv6: boolean): string =>
      isIpv6
        ? new ipaddr.IPv6(Array.from({ length: 8 }, () => (random() < 0.5 ? 0 : upTo(65_536)))).toString()
        : `${upTo(256)}.${upTo(256)}.${upTo(256)}.${upTo(256)}`;
    for (let i = 0; i < 150; i++) {
      const isIpv6 = random() < 0.5;
      const some: HepContent = {
        ipProtocol: upTo(256),
        sourceAddress: address(isIpv6),
        sourcePort: upTo(65_536),
        destinationAddress: address(isIpv6),
        destinationPort: upTo(65_536),
        at: upTo(2 ** 32) * 1_000_000 + upTo(1_000_000),
        payloadType: 1,
        correlationId: random() < 0.3 ? undefined : octets(1 + upTo(80)),
        payload: octets(upTo(2_000)),
      };
      const packet = decodeHep(encoder.encode(some)!);
      // Octet by octet the assertion would take longer than what it asserts.
      if (!isDeepStrictEqual(packet, decoded(some))) expect(packet).toEqual(decoded(some));
    }
  });

  it('does not throw on random changes of a packet', () => {
    const random = seededRandom(12);
    const good = encoder.encode({ ...content, payload: 'INVITE sip:x SIP/2.0\r\n\r\n' })!;
    for (let i = 0; i < 2_000; i++) {
      const bad = Buffer.from(good.subarray(0, 1 + Math.floor(random() * good.length)));
      for (let changes = 1 + Math.floor(random() * 6); changes > 0; changes--)
        bad[Math.floor(random() * bad.length)] = Math.floor(random() * 256);
      expect(() => decodeHep(bad)).not.toThrow();
      expect(() => new HepFramer().push(bad)).not.toThrow();
    }
  });

  it('does not encode packets that are too long, or whose addresses are not of one family', () => {
    expect(encoder.encode({ ...content, payload: Buffer.alloc(70_000) })).toBeUndefined();
    expect(encoder.encode({ ...content, correlationId: 'x'.repeat(70_000) })).toBeUndefined();
    expect(encoder.encode({ ...content, destinationAddress: 'host' })).toBeUndefined();
    expect(encoder.encode({ ...content, destinationAddress: '::1' })).toBeUndefined();
    expect(encoder.encode({ ...content, sourceAddress: 'a', destinationAddress: 'b' })).toBeUndefined();
  });

  it('cuts a stream into its packets wherever it is torn', () => {
    const random = seededRandom(13);
    const packets = Array.from({ length: 40 }, (_, index) =>
      encoder.encode({ ...content, payload: 'x'.repeat(index * 17) }),
    ) as Buffer[];
    const stream = Buffer.concat(packets);
    for (let round = 0; round < 6; round++) {
      const framer = new HepFramer();
      const cut: Buffer[] = [];
      for (let at = 0; at < stream.length; ) {
        const next = Math.min(stream.length, at + 1 + Math.floor(random() * 400));
        cut.push(...framer.push(stream.subarray(at, next))!);
        at = next;
      }
      expect(cut.length).toBe(packets.length);
      expect(cut.every((packet, index) => packet.equals(packets[index]!))).toBe(true);
    }
    expect(new HepFramer().push(Buffer.from('OPTIONS sip:x'))).toBeUndefined();
    expect(new HepFramer().push(Buffer.from('HEP3\0\x03'))).toBeUndefined();
  });

  it('is understood as the embedded engine sends it', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const received = new Promise<Buffer>((resolve) => socket.once('message', resolve));
    const exporter = new HepExporter({ host: '127.0.0.1', port: socket.address().port, captureId: 1 });
    await exporter.start();
    const flow = {
      protocol: 'tls',
      localAddress: '10.0.0.1',
      localPort: 5061,
      remoteAddress: '10.0.0.2',
      remotePort: 1234,
    } as Flow;
    exporter.sent(flow, 'SIP/2.0 200 OK\r\nCall-ID: a-b-c\r\n\r\n', 1_700_000_000_123.5);
    expect(decodeHep(await received)).toMatchObject({
      sourceAddress: '10.0.0.1',
      sourcePort: 5061,
      destinationAddress: '10.0.0.2',
      destinationPort: 1234,
      at: 1_700_000_000_123_500,
      correlationId: 'a-b-c',
    });
    await exporter.stop();
    socket.close();
  });
});
