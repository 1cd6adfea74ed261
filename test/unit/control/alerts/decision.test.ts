import { describe, expect, it } from 'vitest';
import { endReasons } from '../../../../src/contract/call-record.js';
import { failureFinding, tallyFrom } from '../../../../src/control/alerts/call-findings.js';
import {
  type ActiveAlert,
  clearAfter,
  decide,
  type Finding,
} from '../../../../src/control/alerts/decision.js';
import { classOf } from '../../../../src/control/alerts/failures.js';
import { durationText } from '../../../../src/control/alerts/trunk-findings.js';
import type { Watched } from '../../../../src/control/alerts/watched.js';

const minute = 60_000;
const start = Date.parse('2026-11-20T00:00:00Z');
const at = (minutes: number): Date => new Date(start + minutes * minute);

const bad = (since: number): Finding => ({
  condition: 'bad',
  since: at(since),
  measured: 1,
  summary: 'bad',
  why: { cause: '', advice: '' },
});
const good: Finding = { condition: 'good', since: undefined };

/** Runs the decisions of a night: one a quarter of a minute, `finding` gives what is seen at each. */
function night(
  minutes: number,
  finding: (minute: number) => Finding,
): { fired: number[]; recovered: number[] } {
  const fired: number[] = [];
  const recovered: number[] = [];
  let active: ActiveAlert | undefined;
  for (let now = 0; now <= minutes; now += 0.25) {
    const decision = decide(active, finding(now), at(now));
    if (decision.action === 'fire') {
      fired.push(now);
      active = { clearSince: null, recentCount: fired.filter((firedAt) => firedAt > now - 120).length };
    } else if (decision.action === 'recover') {
      recovered.push(now);
      active = undefined;
    } else if (active !== undefined) {
      active = { ...active, clearSince: decision.clearSince };
    }
  }
  return { fired, recovered };
}

describe('alerts', () => {
  it('fire once and recover once', () => {
    expect(night(60, (now) => (now >= 10 && now < 30 ? bad(10) : good))).toEqual({
      fired: [10],
      recovered: [32],
    });
  });

  it('stay as they are while nothing is known, and while it is neither good nor bad', () => {
    const unknown = night(90, (now) => (now < 10 ? bad(0) : { condition: 'unknown' }));
    expect(unknown).toEqual({ fired: [0], recovered: [] });
    const between = night(90, (now) => (now < 10 ? bad(0) : { condition: 'between' }));
    expect(between).toEqual({ fired: [0], recovered: [] });
    expect(night(90, () => ({ condition: 'between' }))).toEqual({ fired: [], recovered: [] });
  });

  it('do not recover for a moment that is good', () => {
    const { fired, recovered } = night(60, (now) => (now % 3 < 1.5 ? bad(0) : good));
    expect(fired).toEqual([0]);
    expect(recovered).toEqual([]);
  });

  it('are sent less and less for a flapping condition', () => {
    // Six minutes bad, nine minutes good, for eight hours: 32 times.
    const { fired, recovered } = night(480, (now) => (now % 15 < 6 ? bad(0) : good));
    expect(fired.length).toBeLessThanOrEqual(16);
    expect(recovered.length).toBe(fired.length - 1);
    expect([1, 2, 3, 4, 5, 9].map((count) => clearAfter(count) / minute)).toEqual([2, 4, 8, 16, 30, 30]);
  });

  it('take the time of recovery from the checks where it is known', () => {
    const active: ActiveAlert = { clearSince: null, recentCount: 1 };
    const since = (minutes: number): Finding => ({ condition: 'good', since: at(minutes) });
    expect(decide(active, since(7), at(10)).action).toBe('recover');
    expect(decide(active, since(9), at(10))).toEqual({ action: 'keep', clearSince: at(9) });
    expect(decide({ ...active, clearSince: at(1) }, since(9), at(10)).action).toBe('keep');
  });
});

describe('the failure rate', () => {
  const watched: Watched = {
    organizationId: 'org',
    number: '1',
    direction: 'outbound',
    kind: 'failure_rate',
    threshold: 50,
    windowMinutes: 15,
    trunkId: null,
    channels: {},
  };
  const calls = (failedCount: number, succeeded: number, strangers = 0) =>
    tallyFrom([
      { reason: 'trunk_refused', status: 503, count: failedCount, first: at(3) },
      { reason: 'callee_hung_up', status: 200, count: succeeded, first: at(1) },
      { reason: 'refused_source', status: 403, count: strangers, first: at(0) },
    ]);
  const condition = (...counts: Parameters<typeof calls>) =>
    failureFinding(watched, calls(...counts)).condition;

  it('needs several calls and failures', () => {
    expect(condition(1, 0)).toBe('good');
    expect(condition(4, 0)).toBe('between');
    expect(condition(5, 0)).toBe('bad');
    expect(condition(1, 1)).toBe('good');
  });

  it('has a distance between bad and good', () => {
    expect(condition(50, 50)).toBe('bad');
    expect(condition(45, 55)).toBe('between');
    expect(condition(40, 60)).toBe('good');
  });

  it('ignores unauthenticated traffic', () => {
    expect(failureFinding(watched, calls(5, 1, 1_000))).toMatchObject({
      condition: 'bad',
      measured: 83.3,
      since: at(3),
      summary: '5 of 6 calls (83.3 %) in the last 15 minutes failed; the threshold is 50 %.',
    });
    expect(condition(0, 0, 1_000)).toBe('good');
  });

  it('does not count decisions of callees and policies against the trunk', () => {
    for (const status of [404, 480, 486, 487, 600, 603, 607, 608]) {
      expect(classOf('trunk_refused', status)).toBe('succeeded');
    }
    for (const status of [401, 403, 408, 488, 500, 503, 504, null]) {
      expect(classOf('trunk_refused', status)).toBe('failed');
    }
    for (const reason of endReasons) expect(classOf(reason, null)).toMatch(/^(failed|succeeded|ignored)$/);
  });
});

it('formats durations for readers', () => {
  expect([0.2, 1, 7.9, 60, 61, 200].map(durationText)).toEqual([
    '1 minute',
    '1 minute',
    '7 minutes',
    '1 hour',
    '1 hour 1 minute',
    '3 hours 20 minutes',
  ]);
});
