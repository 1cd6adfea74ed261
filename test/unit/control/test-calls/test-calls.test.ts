import { describe, expect, it } from 'vitest';
import { orderSeconds } from '../../../../src/contract/commands.js';
import type { TestCall } from '../../../../src/contract/test-call.js';
import { TestCallLimitReached, unlessLost } from '../../../../src/control/test-calls/test-calls.js';

const created = Date.parse('2026-11-20T12:00:00Z');
const pending: TestCall = {
  version: 1,
  call_id: 'test_1',
  organization: 'org_1',
  number: '14155550100',
  status: 'queued',
  result: 'pending',
  created_at: new Date(created).toISOString(),
  duration_seconds: 0,
  sip_code: null,
  sip_reason: null,
  cause: null,
  advice: null,
  sip_call_id: null,
  timeline: [{ event: 'queued', at: new Date(created).toISOString(), detail: null }],
};
type Live = Parameters<typeof unlessLost>[1];
const live = (fields: object): Live => fields as Live;
const waiting = live({ kind: 'waiting', call: { phase: 'queued' } });

describe('a test call without a result', () => {
  const late = created + (orderSeconds + 10) * 1_000;

  it('waits for an edge as long as its order lasts, and ten seconds', () => {
    expect(unlessLost(pending, waiting, late)).toBe(pending);
    expect(unlessLost(pending, waiting, late + 1)).toEqual({
      ...pending,
      status: 'failed',
      result: 'failed',
      cause: 'No edge took the test call in time.',
      advice: expect.stringContaining('/readyz'),
      timeline: [
        ...pending.timeline,
        {
          event: 'failed',
          at: new Date(late + 1).toISOString(),
          detail: 'No edge took the test call in time.',
        },
      ],
    });
  });

  it('failed when its order expired', () =>
    expect(unlessLost(pending, live({ kind: 'waiting', call: { phase: 'expired' } }), created)).toMatchObject(
      { result: 'failed', cause: 'No edge took the test call in time.' },
    ));

  it('continues while its edge is alive, and failed when it is not', () => {
    const on = (isEdgeAlive: boolean): Live =>
      live({ kind: 'active', isEdgeAlive, call: { phase: 'answered' } });
    expect(unlessLost(pending, on(true), late + 60_000)).toBe(pending);
    expect(unlessLost(pending, on(false), created)).toMatchObject({
      result: 'failed',
      cause: 'The edge that placed the test call died.',
      advice: 'Start another test call.',
    });
  });

  it('is as it was when nothing is known of it', () =>
    expect(unlessLost(pending, live({ kind: 'unknown' }), late + 60_000)).toBe(pending));
});

describe('a test call over the limit', () => {
  it('says when the next one may be placed', () => {
    const error = new TestCallLimitReached(42);
    expect(error).toMatchObject({ code: 'TEST_CALL_LIMIT', retryAfterSeconds: 42 });
    expect(error.detail).toMatch(/^the limit is \d+ per \d+ minutes$/);
  });
});
