import { describe, expect, it } from 'vitest';
import { CallLimits, type Place } from '../../../../src/edge/admission/call-limits.js';
import { numberDocument, settings } from './request.js';

function limitsWith(own: Partial<typeof settings> = {}, random = () => 0) {
  const setups = { isOverloaded: false };
  let now = 0;
  const limits = new CallLimits({ ...settings, ...own }, () => now, setups, undefined, random);
  return { limits, setups, pass: (milliseconds: number) => (now += milliseconds) };
}

/** The setting that refused the call. */
const verdict = async (entering: Promise<Place>): Promise<string | undefined> => {
  const place = await entering;
  return place.ok ? 'ok' : /\(([\w.]+)\)/.exec(place.refusal.detail)?.[1];
};
const admitted = async (entering: Promise<Place>) => {
  const place = await entering;
  if (!place.ok) throw new Error(place.refusal.detail);
  return place;
};
const caller = '192.0.2.1';

describe('call limits', () => {
  it('a slot released twice is given back once', async () => {
    const { limits } = limitsWith();
    const document = numberDocument({ limits: { concurrent_calls: 2 } });
    const { release } = await admitted(limits.enter(document, caller));
    await limits.enter(document, caller);
    release();
    release();
    expect(limits.active).toBe(1);
    expect(await verdict(limits.enter(document, caller))).toBe('ok');
    expect(await verdict(limits.enter(document, caller))).toBe('limits.concurrent_calls');
  });

  it('a call refused after all takes nothing from the rates of number and organization', async () => {
    const { limits } = limitsWith({ organizationCallsPerSecond: 1 });
    const document = numberDocument({ limits: { calls_per_second: 1 } });
    (await admitted(limits.enter(document, caller))).withdraw?.();
    expect(limits.active).toBe(0);
    const { release } = await admitted(limits.enter(document, caller));
    // A call that took place has used the rate up.
    release();
    expect(await verdict(limits.enter(document, caller))).toBe('DEMARC_ORGANIZATION_CALLS_PER_SECOND');
  });

  it('a call above the rate of its number takes nothing from its organization', async () => {
    const { limits } = limitsWith({ organizationCallsPerSecond: 2 });
    const slow = numberDocument({ limits: { calls_per_second: 1 } });
    const neighbor = numberDocument({ number: '14155550199' });
    expect(await verdict(limits.enter(slow, caller))).toBe('ok');
    expect(await verdict(limits.enter(slow, caller))).toBe('limits.calls_per_second');
    expect(await verdict(limits.enter(neighbor, caller))).toBe('ok');
    expect(await verdict(limits.enter(neighbor, caller))).toBe('DEMARC_ORGANIZATION_CALLS_PER_SECOND');
  });

  it('callers refused together are asked back at different times, never at once', async () => {
    const waits: unknown[] = [];
    for (const random of [0, 0.5, 0.999]) {
      const { limits } = limitsWith({ maximumCalls: 0, retryAfterSeconds: 4 }, () => random);
      const place = await limits.enter(numberDocument(), caller);
      waits.push(place.ok ? 'ok' : place.refusal.headers['Retry-After']);
    }
    expect(waits.map(Number)).toEqual([4, 6, 8]);
  });

  it('limits of an organization replace those of the settings, for callers and for ordered calls', async () => {
    const { limits } = limitsWith({ organizationMaximumCalls: 1, organizationCallsPerSecond: 1 });
    const document = numberDocument({
      organization_limits: { concurrent_calls: 2, calls_per_second: 3 },
    });
    const first = await admitted(limits.enter(document, caller));
    await admitted(limits.enter(document, caller));
    const full = await limits.enter(document, caller);
    expect(full.ok ? '' : full.refusal.detail).toContain(
      '2 active calls, its limit (limits of the organization)',
    );
    expect(await limits.hasRoom(document)).toBe(false);
    first.release();
    expect(await limits.hasRoom(document)).toBe(true);
    (await admitted(limits.enter(document, caller))).release();
    const fast = await limits.enter(document, caller);
    expect(fast.ok ? '' : fast.refusal.detail).toContain(
      'exceeds 3 calls per second (limits of the organization)',
    );
    // What the organization has not set is as for the others.
    const half = numberDocument({ number: '14155550199', organization: 'org_half', organization_limits: {} });
    await admitted(limits.enter(half, caller));
    expect(await verdict(limits.enter(half, caller))).toBe('DEMARC_ORGANIZATION_MAX_CALLS');
  });

  it('an ordered call is only begun where edge, organization and rate have room', async () => {
    const document = numberDocument();
    const room = ({ limits }: ReturnType<typeof limitsWith>) => limits.hasRoom(document);
    const paced = limitsWith({ organizationCallsPerSecond: 1 });
    expect([await room(paced), await room(paced)]).toEqual([true, true]);
    const leave = paced.limits.enterPaced(document);
    expect(await room(paced)).toBe(false);
    paced.pass(1_000);
    expect(await room(paced)).toBe(true);
    paced.setups.isOverloaded = true;
    expect(await room(paced)).toBe(false);
    leave();
    expect(paced.limits.active).toBe(0);
    for (const own of [{ maximumCalls: 1 }, { organizationMaximumCalls: 1 }]) {
      const full = limitsWith(own);
      const release = full.limits.enterPaced(document);
      expect(await room(full)).toBe(false);
      release();
      expect(await room(full)).toBe(true);
    }
  });
});
