import { describe, expect, it } from 'vitest';
import { type OfferPatience, pauseBeforeRepetition } from '../../../../src/edge/call/offer-repetition.js';

const pause = (
  attempt: number,
  patience: OfferPatience,
  status: number,
  { retryAfter, type = 'uas' as const }: { retryAfter?: string; type?: 'uas' | 'uac' } = {},
): number | undefined =>
  pauseBeforeRepetition(attempt, patience, { type }, { status, get: () => retryAfter as never });

describe('an offer to a side whose media is lost', () => {
  const seconds = (count: number): OfferPatience => ({ until: performance.now() + count * 1_000 });

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
