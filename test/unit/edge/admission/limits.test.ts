import { describe, expect, it } from 'vitest';
import type { Admission } from '../../../../src/edge/admission/chain.js';
import { TokenBuckets } from '../../../../src/edge/admission/token-buckets.js';
import { chainOver, invite, numberDocument, settings } from './request.js';

const status = (admission: Admission): number => (admission.admitted ? 200 : admission.refusal.status);

const release = (admission: Admission): void => {
  if (!admission.admitted) throw new Error('refused');
  admission.release();
};

describe('limits', () => {
  it('of concurrent calls of a number: 503 with Retry-After, until one is released', async () => {
    const { chain } = chainOver([numberDocument({ limits: { concurrent_calls: 2 } })]);
    const first = await chain.admit(invite());
    await chain.admit(invite());
    const third = await chain.admit(invite());
    expect(third).toMatchObject({ admitted: false, refusal: { status: 503, endReason: 'refused_limit' } });
    if (!third.admitted) {
      expect(Number(third.refusal.headers['Retry-After'])).toBeGreaterThan(0);
      expect(third.refusal.detail).toContain('limits.concurrent_calls');
    }
    release(first);
    release(first);
    expect(status(await chain.admit(invite()))).toBe(200);
    expect(status(await chain.admit(invite()))).toBe(503);
  });

  it('of 0 concurrent calls closes the number', async () => {
    const { chain } = chainOver([numberDocument({ limits: { concurrent_calls: 0 } })]);
    expect(status(await chain.admit(invite()))).toBe(503);
  });

  it('of calls a second of a number: a token bucket', async () => {
    const { chain, clock } = chainOver([numberDocument({ limits: { calls_per_second: 2 } })]);
    const burst = [];
    for (let i = 0; i < 4; i++) burst.push(status(await chain.admit(invite())));
    expect(burst).toEqual([200, 200, 503, 503]);
    clock.now += 500;
    expect([status(await chain.admit(invite())), status(await chain.admit(invite()))]).toEqual([200, 503]);
  });

  it('of less than one call a second', async () => {
    const { chain, clock } = chainOver([numberDocument({ limits: { calls_per_second: 0.1 } })]);
    expect(status(await chain.admit(invite()))).toBe(200);
    const refused = await chain.admit(invite());
    if (refused.admitted) throw new Error('admitted');
    // Jitter: callers that were refused together must not come back together.
    expect(Number(refused.refusal.headers['Retry-After'])).toBeGreaterThanOrEqual(10);
    expect(Number(refused.refusal.headers['Retry-After'])).toBeLessThanOrEqual(20);
    clock.now += 10_000;
    expect(status(await chain.admit(invite()))).toBe(200);
  });

  it('of an organization hold over all its numbers', async () => {
    const { chain } = chainOver(
      [
        numberDocument(),
        numberDocument({ number: '14155550101' }),
        numberDocument({ number: '4930', organization: 'b' }),
      ],
      { settings: { ...settings, organizationMaximumCalls: 2 } },
    );
    expect(status(await chain.admit(invite()))).toBe(200);
    expect(status(await chain.admit(invite({ calledUser: '14155550101' })))).toBe(200);
    expect(status(await chain.admit(invite({ calledUser: '14155550101' })))).toBe(503);
    expect(status(await chain.admit(invite({ calledUser: '4930' })))).toBe(200);
  });

  it('of an organization’s calls a second', async () => {
    const { chain } = chainOver([numberDocument()], {
      settings: { ...settings, organizationCallsPerSecond: 3 },
    });
    const all = [];
    for (let i = 0; i < 5; i++) all.push(status(await chain.admit(invite())));
    expect(all).toEqual([200, 200, 200, 503, 503]);
  });

  it('of calls from the numbers of a trunk count the adopted calls of all its numbers', async () => {
    const limits = { concurrent_calls: 1 };
    const documents = ['14155550100', '14155550101'].map((number) =>
      numberDocument({ number, limits_key: 'trunk-1', limits }),
    );
    const { chain } = chainOver(documents);
    const release = chain.adopt(
      { direction: 'outbound', number: '14155550100', organization: 'acme' },
      'edge-1 1',
    );
    // The adoption reads the document first.
    await new Promise(setImmediate);
    expect((await chain.enterOutbound(documents[1]!)).ok).toBe(false);
    release();
    expect((await chain.enterOutbound(documents[1]!)).ok).toBe(true);
  });

  it('of the edge', async () => {
    const { chain } = chainOver([numberDocument()], { settings: { ...settings, maximumCalls: 1 } });
    const first = await chain.admit(invite());
    expect(status(await chain.admit(invite()))).toBe(503);
    release(first);
    expect(chain.activeCalls).toBe(0);
    expect(status(await chain.admit(invite()))).toBe(200);
  });

  it('a refused call takes nothing from the limits', async () => {
    const { chain } = chainOver([numberDocument({ limits: { concurrent_calls: 1, calls_per_second: 2 } })]);
    const first = await chain.admit(invite());
    for (let i = 0; i < 10; i++) await chain.admit(invite());
    release(first);
    expect(status(await chain.admit(invite()))).toBe(200);
  });
});

describe('token buckets', () => {
  it('stay bounded under a flood of keys', () => {
    const buckets = new TokenBuckets(100, () => 0);
    for (let i = 0; i < 10_000; i++) buckets.take(`k${i}`, { perSecond: 1, burst: 1 });
    expect(buckets.size).toBe(100);
  });

  it('keep the keys in use', () => {
    const buckets = new TokenBuckets(3, () => 0);
    const rate = { perSecond: 1, burst: 10 };
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'e']) buckets.take(key, rate);
    expect(buckets.wait('a', { perSecond: 1, burst: 3 })).toBe(0);
    for (let i = 0; i < 7; i++) buckets.take('a', rate);
    expect(buckets.take('a', rate)).toBeGreaterThan(0);
  });
});
