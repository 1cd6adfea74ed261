import { describe, expect, it } from 'vitest';
import { type EndedAlike, trunkCallsOf } from '../../../src/control/noc/trunk-calls.js';

const ended = (changes: Partial<EndedAlike>): EndedAlike => ({
  number: '14155550100',
  direction: 'outbound',
  end_reason: 'callee_hung_up',
  sip_status: 200,
  interval: 0,
  calls: 1,
  ...changes,
});
const calls = (...rows: EndedAlike[]) => trunkCallsOf(rows).get('14155550100');

describe('the calls of a trunk', () => {
  it('are failing when its server answers OPTIONS but refuses every call, with the cause', () => {
    const refused = { end_reason: 'trunk_refused', sip_status: 503 } as const;
    const found = calls(ended({ ...refused, calls: 7 }), ended({ ...refused, interval: 11, calls: 2 }));
    expect(found).toMatchObject({
      state: 'failing',
      window: '5m',
      calls: 7,
      failed: 7,
      worst: { end_reason: 'trunk_refused', sip_status: 503, count: 7, cause: expect.any(String) },
    });
    expect(found!.hour).toHaveLength(12);
    expect([found!.hour[0], found!.hour[11]]).toEqual([
      { calls: 2, failed: 2 },
      { calls: 7, failed: 7 },
    ]);
  });

  it('work when people are busy or do not answer', () => {
    const busy = ended({ end_reason: 'trunk_refused', sip_status: 486, calls: 9 });
    expect(calls(busy)).toMatchObject({ state: 'working', calls: 9, failed: 0, worst: null });
  });

  it('are failing when every caller is refused for a setting of the customer', () => {
    for (const end_reason of ['refused_source', 'refused_credentials', 'refused_limit'] as const)
      expect(calls(ended({ end_reason, calls: 50 }))).toMatchObject({ state: 'failing', failed: 50 });
  });

  it('do not include mistakes of callers, nor calls of more than an hour ago', () => {
    expect(calls(ended({ end_reason: 'refused_bad_request', calls: 50 }))).toMatchObject({
      state: 'quiet',
      calls: 0,
    });
    expect(calls(ended({ interval: 12, calls: 50 }))).toBeUndefined();
  });

  it('fail when a side was not heard', () => {
    expect(calls(ended({ end_reason: 'dead_air', calls: 5 }))).toMatchObject({ state: 'failing', failed: 5 });
  });
});
