import { describe, expect, it } from 'vitest';
import { isPrivate, isPublic, scopeOf, sourcePrefix } from '../../../src/naming/address-scope.js';

describe('the scope of an address', () => {
  it.each([
    ['public', ['8.8.8.8', '172.32.0.1', '100.128.0.1', '198.17.255.255', '2600::1', '[2600::1]']],
    ['public', ['64:ff9b::808:808', '::ffff:8.8.8.8']],
    ['loopback', ['127.0.0.1', '127.255.0.9', '::1', '[::1]', '::ffff:127.0.0.1', '::ffff:7f00:1']],
    ['loopback', ['64:ff9b::7f00:1', '2002:7f00:1::', '::127.0.0.1', '::ffff:0:127.0.0.1']],
    ['private', ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1']],
    ['private', ['fd00::1', 'fe80::1%eth0', 'fec0::1', '198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['private', ['64:ff9b::a00:1', '64:ff9b:1::808:808', '2002:a00:1::1', '2002:c0a8:101::1', '::10.0.0.1']],
    ['reserved', ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0', '224.0.0.1', '255.255.255.255', '240.0.0.1']],
    [
      'reserved',
      ['192.0.0.1', '192.0.2.1', '2001:db8::1', 'ff02::1', '2001::1', '2002:808:808::1', '100::1'],
    ],
    ['reserved', ['example.com', '', '1.2.3.4.5', '[::1']],
  ])('%s: %s', (scope, addresses) => {
    for (const address of addresses) {
      expect(scopeOf(address), address).toBe(scope);
      expect(isPublic(address), address).toBe(scope === 'public');
      expect(isPrivate(address), address).toBe(scope === 'private' || scope === 'loopback');
    }
  });
});

describe('the prefix that a limit counts', () => {
  it('is an IPv4 address or an IPv6 /64, in any spelling', () => {
    expect(sourcePrefix('2001:db8:0:1::5')).toBe(sourcePrefix('2001:DB8:0:1:ffff::9'));
    expect(sourcePrefix('2001:db8:0:1::5')).not.toBe(sourcePrefix('2001:db8:0:2::5'));
    expect(sourcePrefix('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(sourcePrefix('192.0.2.1')).not.toBe(sourcePrefix('192.0.2.2'));
    expect(sourcePrefix('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });
});
