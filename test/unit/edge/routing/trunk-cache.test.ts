import { describe, expect, it } from 'vitest';
import { type CachedNumber, TrunkCache } from '../../../../src/edge/routing/trunk-cache.js';

const entry = (isMalformed: boolean): CachedNumber => ({
  raw: '{}',
  document: undefined,
  ...(isMalformed ? { problem: { message: 'no destination', since: '2026-11-23T00:00:00Z' } } : {}),
  checkedAt: 0,
  isStale: false,
  isNamed: false,
});

describe('the cache of numbers', () => {
  it('counts malformed entries through replacement, deletion and eviction', () => {
    const cache = new TrunkCache(2);
    cache.set('1', entry(true));
    cache.set('1', entry(true));
    expect(cache.malformed).toBe(1);
    cache.set('2', entry(true));
    cache.set('1', entry(false));
    expect(cache.malformed).toBe(1);
    cache.setUnknown('2', 1);
    expect(cache.malformed).toBe(0);
    cache.setUnknown('2', 1);
    cache.setUnknown('1', 1);
    expect(cache.malformed).toBe(0);
    for (const digits of ['3', '4', '5']) cache.set(digits, entry(true));
    expect([cache.size, cache.malformed]).toEqual([2, 2]);
  });

  it('evicts the number that was read least recently', () => {
    const cache = new TrunkCache(2);
    cache.set('1', entry(false));
    cache.set('2', entry(false));
    cache.get('1');
    cache.set('3', entry(false));
    expect([...cache.entries()].map(([digits]) => digits)).toEqual(['1', '3']);
  });

  it('returns an unknown number as unknown until that expires', () => {
    const cache = new TrunkCache(2);
    cache.setUnknown('1', 1_000);
    expect([cache.isUnknown('1', 999), cache.isUnknown('1', 1_000), cache.isUnknown('1', 999)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
