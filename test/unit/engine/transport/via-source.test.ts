import { describe, expect, it } from 'vitest';
import { markSource } from '../../../../src/engine/transport/via-source.js';

const marked = (via: string, address = '192.0.2.9', port = 40_000) => markSource(via, address, port);

describe('the true source in the top Via', () => {
  it('adds received where sent-by differs, and rport only where it was asked for or is forced', () => {
    expect(marked('SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1',
    );
    expect(marked('SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK1;received=192.0.2.9',
    );
    expect(marked('SIP/2.0/TLS pbx.example.com;branch=z9hG4bK1')).toContain(';received=192.0.2.9');
    expect(markSource('SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1', '192.0.2.9', 40_000, true)).toBe(
      'SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1;received=192.0.2.9;rport=40000',
    );
  });

  it('adds received even when sent-by is the source, if rport was asked for (RFC 3581 §4)', () => {
    expect(marked('SIP/2.0/UDP 192.0.2.9;rport;branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK1;received=192.0.2.9;rport=40000',
    );
  });

  it('drops what the sender claims in received and rport', () => {
    const via = marked(
      'SIP/2.0/UDP 10.0.0.1;RPORT=1;branch=z9hG4bK1; Received = 203.0.113.66 ;received=1.2.3.4',
    );
    expect(via).toBe('SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;received=192.0.2.9;rport=40000');
  });

  it('touches only the first of several values on the line', () => {
    expect(marked('SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1, SIP/2.0/TCP 10.0.0.2;received=10.9.9.9;rport')).toBe(
      'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;received=192.0.2.9, SIP/2.0/TCP 10.0.0.2;received=10.9.9.9;rport',
    );
  });

  it('is not misled by commas and semicolons in quotes', () => {
    expect(marked('SIP/2.0/UDP 10.0.0.1;x="a,b;received=1.1.1.1\\"";branch=z9hG4bK1')).toBe(
      'SIP/2.0/UDP 10.0.0.1;x="a,b;received=1.1.1.1\\"";branch=z9hG4bK1;received=192.0.2.9',
    );
  });

  it('compares IPv6 addresses by value and writes them without brackets', () => {
    expect(marked('SIP/2.0/TCP [2001:DB8:0::1]:5060;branch=z9hG4bK1', '2001:db8::1')).toBe(
      'SIP/2.0/TCP [2001:DB8:0::1]:5060;branch=z9hG4bK1',
    );
    expect(marked('SIP/2.0/TCP [2001:db8::2];branch=z9hG4bK1', '2001:db8::1')).toContain(
      ';received=2001:db8::1',
    );
  });

  it('survives a Via that is none', () => {
    expect(marked('')).toBe(';received=192.0.2.9');
    expect(marked(';;;,')).toBe(';received=192.0.2.9,');
    expect(marked('SIP/2.0/UDP [2001')).toContain(';received=192.0.2.9');
  });
});
