import { describe, expect, it } from 'vitest';
import { writePacket } from '../../../src/rtp/packet.js';
import { SrtpContext } from '../../../src/rtp/srtp.js';

/** Key and salt of the published test vectors of libsrtp (`srtp_driver.c`, `srtp_validate`). */
const master = Buffer.from('e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6', 'hex');

const rtp = (sequence: number, payload = Buffer.alloc(160, 0xab)): Buffer =>
  writePacket({
    payloadType: 0,
    isMarked: false,
    sequence,
    timestamp: sequence * 160,
    source: 0xcafebabe,
    payload,
  });

describe('SRTP', () => {
  it('encrypts and signs like libsrtp', () => {
    const plain = Buffer.from('800f1234decafbadcafebabeabababababababababababababababab', 'hex');
    expect(new SrtpContext(master).protect(plain).toString('hex')).toBe(
      '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
    );
  });

  it('decrypts what it has encrypted, across the wrap of the sequence number', () => {
    const sender = new SrtpContext(master);
    const receiver = new SrtpContext(master);
    for (let count = 0; count < 200; count++) {
      const plain = rtp((65_500 + count) & 0xffff);
      expect(receiver.unprotect(sender.protect(plain))?.equals(plain), `packet ${count}`).toBe(true);
    }
  });

  it('accepts packets out of order, each once', () => {
    const sender = new SrtpContext(master);
    const receiver = new SrtpContext(master);
    const [first, second] = [sender.protect(rtp(1)), sender.protect(rtp(2))];
    expect(receiver.unprotect(second)).toBeDefined();
    expect(receiver.unprotect(first)).toBeDefined();
    expect(receiver.unprotect(first)).toBeUndefined();
    expect(receiver.unprotect(second)).toBeUndefined();
  });

  it('drops a packet with one changed bit, and one of another key', () => {
    const packet = new SrtpContext(master).protect(rtp(1));
    packet[20]! ^= 1;
    expect(new SrtpContext(master).unprotect(packet)).toBeUndefined();
    const foreign = new SrtpContext(Buffer.alloc(30, 1)).protect(rtp(1));
    expect(new SrtpContext(master).unprotect(foreign)).toBeUndefined();
    expect(new SrtpContext(master).unprotect(Buffer.alloc(5))).toBeUndefined();
  });

  it('protects RTCP, and drops a changed report', () => {
    const report = Buffer.concat([Buffer.from('80c90001cafebabe', 'hex'), Buffer.alloc(24, 7)]);
    const packet = new SrtpContext(master).protectReport(report);
    expect(packet.length).toBe(report.length + 14);
    expect(new SrtpContext(master).unprotectReport(packet)?.equals(report)).toBe(true);
    packet[9]! ^= 1;
    expect(new SrtpContext(master).unprotectReport(packet)).toBeUndefined();
  });
});
