import { describe, expect, it, vi } from 'vitest';
import type { NumberDocument } from '../../../../src/contract/number.js';
import type { Place } from '../../../../src/edge/admission/call-limits.js';
import { refuse } from '../../../../src/edge/admission/refusal.js';
import { OutboundPlaces, paceOf } from '../../../../src/edge/outbound/pacing/outbound-places.js';
import { numberDocument } from '../admission/request.js';

const limited = numberDocument({ limits: { concurrent_calls: 2 } });
const full: Place = { ok: false, refusal: refuse('number_full', 'refused_limit', { detail: 'full' }) };

/** What Redis, the limits of all edges and those of this one say of a call. */
function placesWith({
  granted = Promise.resolve(0),
  hasRoom = true,
  paced,
}: {
  granted?: Promise<number>;
  hasRoom?: boolean;
  paced?: Place;
} = {}) {
  const release = vi.fn();
  const admission = {
    hasRoom: vi.fn(async () => hasRoom),
    enterPaced: vi.fn(async () => paced ?? ({ ok: true, release } as Place)),
    enterOutbound: vi.fn(async () => ({ ok: true, release }) as Place),
  };
  const line = {
    enter: vi.fn(() => granted),
    leave: vi.fn(async (_number: string, _slot: string, _key?: string) => undefined as never),
    adopt: vi.fn(async (_slot: string, _key: string) => undefined as never),
  };
  return {
    places: new OutboundPlaces({ admission, line, waitMilliseconds: 50 }),
    admission,
    line,
    release,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a slot of a call that cannot wait', () => {
  it('is shared with all edges, and given back once', async () => {
    const { places, admission, line, release } = placesWith();
    const place = await places.enter(limited);
    if (!place.ok) throw new Error('refused');
    const [number, slot, pace] = line.enter.mock.calls[0] as unknown as [string, string, object];
    expect(pace).toMatchObject({ concurrentCalls: 2 });
    expect(place.shared).toMatchObject({ number, id: slot });
    expect(admission.enterOutbound).not.toHaveBeenCalled();
    expect(line.leave).not.toHaveBeenCalled();
    place.release();
    place.release();
    expect(line.leave).toHaveBeenCalledExactlyOnceWith(number, slot, paceOf(limited).key);
    expect(release).toHaveBeenCalled();
  });

  it('is given back where this edge refuses the call', async () => {
    const { places, line } = placesWith({ paced: full });
    expect(await places.enter(limited)).toBe(full);
    expect(line.leave).toHaveBeenCalledOnce();
  });

  it('is refused at the limits of all edges, with the time until the next one', async () => {
    const refusal = async (wait: number) => {
      const { places, line, admission } = placesWith({ granted: Promise.resolve(wait) });
      const place = await places.enter(limited);
      expect(admission.enterPaced).not.toHaveBeenCalled();
      expect(line.leave).not.toHaveBeenCalled();
      return place.ok ? undefined : place.refusal;
    };
    expect(await refusal(1)).toMatchObject({ endReason: 'refused_limit', headers: { 'Retry-After': '1' } });
    expect((await refusal(2_001))!.headers['Retry-After']).toBe('3');
    expect((await refusal(1))!.detail).toContain('across all edges');
  });

  it.each<[string, NumberDocument, boolean]>([
    ['the number has no limits', numberDocument({}), true],
    ['the number takes no calls', numberDocument({ limits: { concurrent_calls: 0 } }), true],
    ['this edge has no room for the organization', limited, false],
  ])('is not requested from Redis where %s', async (_, document, hasRoom) => {
    const { places, admission, line } = placesWith({ hasRoom });
    expect(await places.enter(document)).toMatchObject({ ok: true });
    expect(line.enter).not.toHaveBeenCalled();
    expect(admission.enterOutbound).toHaveBeenCalledExactlyOnceWith(document);
  });

  it('is requested for a number that has a limit of new calls alone', async () => {
    const { places, line } = placesWith();
    await places.enter(numberDocument({ limits: { calls_per_second: 1 } }));
    expect(line.enter).toHaveBeenCalledOnce();
  });

  it('is that of this edge alone while Redis is down', async () => {
    const { places, admission, line } = placesWith({ granted: Promise.reject(new Error('down')) });
    expect(await places.enter(limited)).toMatchObject({ ok: true });
    expect(admission.enterOutbound).toHaveBeenCalledOnce();
    await settled();
    expect(line.leave).not.toHaveBeenCalled();
  });

  it.each([
    [0, 1],
    [700, 0],
  ])('is released when Redis answers too late: with %s ms to wait, %s times', async (wait, times) => {
    let grant = (_: number): void => undefined;
    const granted = new Promise<number>((resolve) => {
      grant = resolve;
    });
    const { places, admission, line } = placesWith({ granted });
    expect(await places.enter(limited)).toMatchObject({ ok: true });
    expect(admission.enterOutbound).toHaveBeenCalledOnce();
    expect(line.leave).not.toHaveBeenCalled();
    grant(wait);
    await settled();
    expect(line.leave).toHaveBeenCalledTimes(times);
  });

  it('of a call that a lost process held is given back after it was adopted, even if Redis was down then', async () => {
    const { places, line } = placesWith();
    line.adopt.mockRejectedValueOnce(new Error('down'));
    const leave = places.adopt({ number: '13125550100', id: 'slot', key: 'key' });
    expect(line.adopt).toHaveBeenCalledExactlyOnceWith('slot', 'key');
    await settled();
    expect(line.leave).not.toHaveBeenCalled();
    leave();
    await settled();
    expect(line.leave).toHaveBeenCalledExactlyOnceWith('13125550100', 'slot', 'key');
  });
});

describe('the pace of a number', () => {
  it('is that of its outbound policy, where the policy has limits', () => {
    const limits = { concurrent_calls: 2, calls_per_second: 3 };
    expect(paceOf(numberDocument({ limits }))).toMatchObject({ concurrentCalls: 2, callsPerSecond: 3 });
    const policy = { limits: { concurrent_calls: 7 } };
    const document = numberDocument({ limits, outbound_policy: policy as never });
    expect(paceOf(document)).toMatchObject({ concurrentCalls: 7, callsPerSecond: undefined });
  });
});
