import { describe, expect, it } from 'vitest';
import {
  canonicalAddress,
  familyOf,
  isAddress,
  normalAddress,
  withoutBrackets,
} from '../../../src/naming/address.js';

describe('IP addresses', () => {
  it('have one spelling', () => {
    expect(canonicalAddress('2001:DB8:0:0::0001')).toBe('2001:db8::1');
    expect(canonicalAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(canonicalAddress('::FFFF:c000:201')).toBe('192.0.2.1');
    expect(canonicalAddress('192.0.2.1')).toBe('192.0.2.1');
    expect(canonicalAddress('fe80::1%eth0')).toBe('fe80::1%eth0');
    expect(canonicalAddress('not:an:address')).toBe('not:an:address');
    expect(normalAddress('FE80::1%eth0')).toBe('fe80::1');
    expect(normalAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(withoutBrackets('[::1]')).toBe('::1');
  });

  it.each([
    ['192.0.2.1', 4],
    ['2001:db8::1', 6],
    ['::ffff:192.0.2.1', 6],
    ['fe80::1%eth0', 6],
    ['example.com', 0],
    ['[::1]', 0],
    ['10.1', 0],
    ['010.0.0.1', 0],
    ['0x0a000001', 0],
    ['167772161', 0],
    ['256.1.1.1', 0],
    ['1.2.3.4 ', 0],
    ['1::2::3', 0],
    ['', 0],
  ])('"%s" is of family %i', (text, family) => {
    expect(familyOf(text)).toBe(family);
    expect(isAddress(text)).toBe(family !== 0);
    if (family === 0) expect(normalAddress(text)).toBeUndefined();
  });
});
