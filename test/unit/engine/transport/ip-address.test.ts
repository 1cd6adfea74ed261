import { describe, expect, it } from 'vitest';
import type { Listener, Protocol } from '../../../../src/engine/transport/flow.js';
import { addressOctets, canonicalAddress, familyOf } from '../../../../src/engine/transport/ip-address.js';
import { preferredListener } from '../../../../src/engine/transport/listener-choice.js';

describe('IP addresses', () => {
  it('have one spelling', () => {
    expect(canonicalAddress('2001:DB8:0:0::0001')).toBe('2001:db8::1');
    expect(canonicalAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(canonicalAddress('::FFFF:c000:201')).toBe('192.0.2.1');
    expect(canonicalAddress('192.0.2.1')).toBe('192.0.2.1');
    expect(canonicalAddress('fe80::1%eth0')).toBe('fe80::1%eth0');
    expect(canonicalAddress('not:an:address')).toBe('not:an:address');
    expect(familyOf('example.com')).toBe(0);
  });

  it('become octets', () => {
    expect([...addressOctets('192.0.2.1')]).toEqual([192, 0, 2, 1]);
    expect(addressOctets('2001:db8::1').toString('hex')).toBe('20010db8000000000000000000000001');
    expect(addressOctets('::').toString('hex')).toBe('0'.repeat(32));
    expect(addressOctets('fe80::1%eth0').toString('hex')).toBe('fe800000000000000000000000000001');
    expect(addressOctets('1:2:3:4:5:6:7:8').toString('hex')).toBe('00010002000300040005000600070008');
    expect(addressOctets('nonsense').length).toBe(0);
  });
});

describe('the listener for an address', () => {
  const listener = (protocol: Protocol, address: string): Listener => ({
    protocol,
    address,
    port: 5060,
    advertisedHost: address,
    advertisedPort: 5060,
  });

  it('has the protocol and family, and is on loopback exactly for loopback where there is a choice', () => {
    const loopback = listener('udp', '127.0.0.1');
    const external = listener('udp', '192.0.2.1');
    const second = listener('udp', '192.0.2.2');
    const ipv6 = listener('udp', '2001:db8::1');
    const all = [loopback, external, second, ipv6, listener('tcp', '127.0.0.1')];
    expect(preferredListener(all, 'udp', '198.51.100.1')).toBe(external);
    expect(preferredListener(all, 'udp', '127.0.0.5')).toBe(loopback);
    expect(preferredListener(all, 'udp', '2001:db8::9')).toBe(ipv6);
    expect(preferredListener(all, 'tls', '198.51.100.1')).toBeUndefined();
    expect(preferredListener(all, 'tcp', '2001:db8::9')).toBeUndefined();
    expect(preferredListener([loopback], 'udp', '198.51.100.1')).toBe(loopback);
    expect(preferredListener([external], 'udp', '127.0.0.1')).toBe(external);
    const every = listener('udp', '0.0.0.0');
    expect(preferredListener([external, every], 'udp', '127.0.0.1')).toBe(every);
    expect(preferredListener([loopback, every], 'udp', '198.51.100.1')).toBe(every);
  });
});
