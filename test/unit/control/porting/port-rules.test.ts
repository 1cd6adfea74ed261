import { describe, expect, it } from 'vitest';
import { planOf } from '../../../../src/control/porting/number-plan.js';
import { daysBetween, earliestPortDay, readPortDay } from '../../../../src/control/porting/port-date.js';
import {
  isFinal,
  movesFrom,
  portStatuses,
  requestStatus,
  stateAfter,
} from '../../../../src/control/porting/port-status.js';

describe('moves of a port', () => {
  it('go one way, and none leads out of a final state', () => {
    expect(portStatuses.filter(isFinal)).toEqual(['completed', 'failed', 'canceled']);
    expect(stateAfter('waiting_for_signature', 'sign', 'signer')).toBe('submitted');
    expect(stateAfter('submitted', 'sign', 'signer')).toBeUndefined();
    expect(stateAfter('in_progress', 'progress', 'carrier')).toBeUndefined();
    expect(stateAfter('completed', 'progress', 'carrier')).toBeUndefined();
    expect(stateAfter('completed', 'cancel', 'customer')).toBeUndefined();
  });

  it('are made only by those who may', () => {
    expect(movesFrom('waiting_for_signature', 'carrier')).toEqual(['fail', 'cancel']);
    expect(movesFrom('submitted', 'customer')).toEqual(['cancel']);
    expect(movesFrom('submitted', 'operator')).toEqual(['progress', 'complete', 'fail', 'cancel']);
    expect(movesFrom('completed', 'operator')).toEqual([]);
  });

  it('derive the state of a request from its numbers: some may be ported', () => {
    expect(requestStatus(['submitted', 'submitted'])).toBe('submitted');
    expect(requestStatus(['completed', 'submitted'])).toBe('in_progress');
    expect(requestStatus(['completed', 'failed', 'canceled'])).toBe('completed');
    expect(requestStatus(['failed', 'canceled'])).toBe('failed');
    expect(requestStatus(['canceled', 'canceled'])).toBe('canceled');
  });
});

describe('the target port date', () => {
  const zone = 'America/New_York';
  /** 23:30 on 20 November in New York, the 21st in UTC. */
  const now = new Date('2026-11-21T04:30:00Z');

  it('is counted in days of the carrier’s time zone', () => {
    expect(earliestPortDay(zone, now)).toBe('2026-11-27');
    expect(readPortDay(undefined, zone, now)).toEqual({ ok: true, day: '2026-11-27' });
    // Still the 26th in New York, although it is the 27th in UTC.
    expect(readPortDay(new Date('2026-11-27T04:59:59Z'), zone, now)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('2026-11-27 or later (America/New_York); 2026-11-26 is 6 days ahead'),
    });
    expect(readPortDay(new Date('2026-11-27T05:00:00Z'), zone, now)).toEqual({ ok: true, day: '2026-11-27' });
    expect(readPortDay(new Date('2029-01-01T00:00:00Z'), zone, now).ok).toBe(false);
  });

  it('counts days, not hours, across a change of the clocks', () => {
    const before = new Date('2026-10-30T16:00:00Z');
    expect(daysBetween('2026-10-30', '2026-11-06')).toBe(7);
    expect(earliestPortDay(zone, before)).toBe('2026-11-06');
  });
});

describe('the numbering plan', () => {
  it('reports the type of a number where the numbering plan defines it', () => {
    expect(planOf('18005550123')).toMatchObject({ country: 'US', type: 'toll-free' });
    expect(planOf('14155552671')).toEqual({ country: 'US', type: 'unknown', isAssigned: true });
    expect(planOf('447911123456').type).toBe('mobile');
    expect(planOf('442079460123').type).toBe('landline');
    expect(planOf('12125550100').country).toBe('US');
    expect(planOf('11115550100').isAssigned).toBe(false);
  });
});
