import { describe, expect, it } from 'vitest';
import { continuationOf, mayBeContinued } from '../../../../src/control/calls/lost/continued-calls.js';

const at = (seconds: number): Date => new Date(Date.parse('2026-11-22T10:00:00Z') + seconds * 1_000);

const leg = { organization_id: 'acme', sip_call_id: 'a@b' };
const lost = { ...leg, call_id: 'lost', started_at: at(0), ended_at: at(5) };
const next = { ...leg, call_id: 'next', started_at: at(7) };

describe('a call whose edge was lost', () => {
  it('is continued by the next call with its Call-ID', () => {
    const later = { ...next, call_id: 'later', started_at: at(30) };
    expect(continuationOf(lost, [later, next])).toBe('next');
    // Its own record comes from the disk of the edge.
    expect(continuationOf(lost, [{ ...lost, call_id: 'lost' }])).toBeUndefined();
  });

  it.each([
    ['another Call-ID', { sip_call_id: 'c@d' }],
    ['another organization', { organization_id: 'other' }],
    ['an earlier start', { started_at: at(-1) }],
    ['a start long after the loss', { started_at: at(66) }],
  ])('is not continued by a call with %s', (_, change) => {
    expect(continuationOf(lost, [{ ...next, ...change }])).toBeUndefined();
  });

  it('may be continued only while an inbound call rings', () => {
    const ringing = { direction: 'inbound', answered_at: null, end_reason: 'edge_lost' } as const;
    expect(mayBeContinued(ringing)).toBe(true);
    expect(mayBeContinued({ ...ringing, end_reason: 'engine_lost' })).toBe(true);
    expect(mayBeContinued({ ...ringing, end_reason: 'caller_cancelled' })).toBe(false);
    expect(mayBeContinued({ ...ringing, answered_at: at(1).toISOString() })).toBe(false);
    expect(mayBeContinued({ ...ringing, direction: 'outbound' })).toBe(false);
  });
});
