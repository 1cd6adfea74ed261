import { describe, expect, it } from 'vitest';
import { anyOf, parseSourceRange } from '../../../src/contract/source-range.js';

const contains = (text: string, address: string): boolean | string => {
  const parsed = parseSourceRange(text);
  return parsed.ok ? parsed.range.contains(address) : parsed.problem;
};

describe('a range of sources', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.0/32', '192.0.2.0', true],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/128', '2001:db8::1', false],
    ['fc00::/7', 'fdff::1', true],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['::ffff:192.0.2.0/120', '192.0.3.9', false],
    ['192.0.2.0/24', '::ffff:192.0.2.9', true],
    ['192.0.2.0/24', '2001:db8::1', false],
    ['2001:db8::/32', '192.0.2.1', false],
    ['192.0.2.0/24', 'nonsense', false],
  ])('%s and %s', (range, address, isWithin) => {
    expect(contains(range, address)).toBe(isWithin);
  });

  it.each([
    ['nonsense', 'malformed'],
    ['192.0.2.0/33', 'malformed'],
    ['2001:db8::/129', 'malformed'],
    ['192.0.2.0/', 'malformed'],
    ['192.0.2.0/2x', 'malformed'],
    ['192.0.2.0/24/8', 'malformed'],
    ['/24', 'malformed'],
    ['10.0.0.0/7', 'too-wide'],
    ['0.0.0.0/0', 'too-wide'],
    ['fc00::/6', 'too-wide'],
    ['::ffff:10.0.0.0/103', 'too-wide'],
  ])('rejects %s as %s', (range, problem) => {
    expect(parseSourceRange(range)).toEqual({ ok: false, problem });
  });

  it('is any of several, without those that cannot be read', () => {
    const any = anyOf(['nonsense', '192.0.2.1', '198.51.100.0/24']);
    expect(['192.0.2.1', '198.51.100.9', '203.0.113.1'].map((address) => any.contains(address))).toEqual([
      true,
      true,
      false,
    ]);
    expect(anyOf([]).contains('192.0.2.1')).toBe(false);
  });
});
