import { describe, expect, it } from 'vitest';
import type { Listener, Protocol } from '../../../../src/engine/transport/flow.js';
import { preferredListener } from '../../../../src/engine/transport/listener-choice.js';

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
