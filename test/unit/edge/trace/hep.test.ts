import { createSocket } from 'node:dgram';
import { describe, expect, it } from 'vitest';
import { decodeHep } from '../../../../src/edge/trace/hep.js';
import { encodeHep } from '../../../../src/edge/trace/hep-encode.js';
import type { Flow } from '../../../../src/engine/transport/flow.js';
import { HepExporter } from '../../../../src/engine/transport/hep.js';
import { hepPacket } from './hep-packet.js';

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

  it('is encoded as it is decoded, in both families', () => {
    for (const [sourceAddress, destinationAddress] of [
      ['192.0.2.1', '192.0.2.2'],
      ['2001:db8::1', '2001:db8::2'],
    ] as const) {
      const content = {
        ...{ ipProtocol: 6, sourceAddress, sourcePort: 5060, destinationAddress, destinationPort: 5061 },
        ...{ at: 1_700_000_000_123_456, correlationId: 'call', payload: Buffer.from('INVITE') },
      };
      const outside = { payloadType: 1, captureId: 7, authenticationKey: undefined };
      expect(decodeHep(encodeHep({ ...content, ...outside })!)).toEqual(content);
    }
  });

  it('is not encoded when it is too long, or has no address', () => {
    const content = {
      ...{ ipProtocol: 6, sourceAddress: '192.0.2.1', sourcePort: 1, destinationPort: 2, at: 1 },
      ...{ payloadType: 1, captureId: 7, authenticationKey: undefined, correlationId: 'call' },
    };
    const payload = Buffer.alloc(70_000);
    expect(encodeHep({ ...content, destinationAddress: '192.0.2.2', payload })).toBeUndefined();
    expect(encodeHep({ ...content, destinationAddress: 'host', payload: Buffer.alloc(1) })).toBeUndefined();
    expect(encodeHep({ ...content, destinationAddress: '::1', payload: Buffer.alloc(1) })).toBeUndefined();
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
