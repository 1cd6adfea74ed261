import { describe, expect, it } from 'vitest';
import { type OfferPatience, pauseBeforeRepetition } from '../../../../src/edge/call/offer-repetition.js';

const pause = (
  attempt: number,
  patience: OfferPatience,
  status: number,
  { retryAfter, type = 'uas' as const }: { retryAfter?: string; type?: 'uas' | 'uac' } = {},
): number | undefined =>
  pauseBeforeRepetition(
    attempt,
    patience,
    { type },
    { status, get: () => retryAfter as never, source_address: '192.0.2.1', source_port: 5060 },
  );

describe('an offer to a side whose media is lost', () => {
  const seconds = (count: number): OfferPatience => ({
    until: performance.now() + count * 1_000,
    reachableUntil: performance.now() + 60_000,
  });

  it('is repeated after any number of 491 while there is time, and once where there is none', () => {
    expect(pause(9, seconds(10), 491)).toBeLessThanOrEqual(2_000);
    expect(pause(1, seconds(0), 491)).toBeDefined();
    expect(pause(2, seconds(0), 491)).toBeUndefined();
  });

  it('waits longer after 491 where the Call-ID is ours (RFC 3261 §14.1)', () => {
    expect(pause(1, seconds(10), 491, { type: 'uac' })).toBeGreaterThanOrEqual(2_100);
  });

  it.each([480, 500, 502, 503, 504])(
    'is repeated after a %i, when its Retry-After says or a second later',
    (status) => {
      expect(pause(1, seconds(10), status, { retryAfter: '3 (busy)' })).toBe(3_000);
      expect(pause(1, seconds(10), status)).toBe(1_000);
      expect(pause(1, seconds(10), status, { retryAfter: '120' })).toBeUndefined();
    },
  );

  it.each([408, 410, 503])(
    'waits longer where the engine answers %i for a side that it cannot reach',
    (status) => {
      const response = {
        status,
        source_address: '',
        source_port: 0,
        get: (name: string) => (name === 'Reason' ? 'Transport;failure=refused;text="refused"' : undefined),
      };
      const pauseOf = (attempt: number, patience: OfferPatience) =>
        pauseBeforeRepetition(attempt, patience, { type: 'uas' }, response);
      expect(pauseOf(2, seconds(0))).toBe(2_000);
      expect(pauseOf(20, seconds(0))).toBe(5_000);
      const now = performance.now();
      expect(pauseOf(2, { until: now, reachableUntil: now })).toBeUndefined();
    },
  );

  it.each([408, 481, 488, 603])('is final after a %i', (status) => {
    expect(pause(1, seconds(10), status, { retryAfter: '1' })).toBeUndefined();
  });
});

describe('an offer of a transfer', () => {
  it('is repeated three times after 491 or a 500 with Retry-After, and no other', () => {
    expect(pause(3, { attempts: 4 }, 491)).toBeDefined();
    expect(pause(4, { attempts: 4 }, 491)).toBeUndefined();
    expect(pause(1, { attempts: 4 }, 500, { retryAfter: '2' })).toBe(2_000);
    expect(pause(1, { attempts: 4 }, 503, { retryAfter: '2' })).toBeUndefined();
  });
});
