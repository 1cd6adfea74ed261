import { describe, expect, it } from 'vitest';
import type { AlertRow } from '../../../../src/control/alerts/alert-view.js';
import { tallyFrom } from '../../../../src/control/alerts/call-findings.js';
import type { ActiveAlert, Finding } from '../../../../src/control/alerts/decision.js';
import { findingOf, type Judged, type Known, stepOf } from '../../../../src/control/alerts/judgement.js';
import type { TrunkTrend } from '../../../../src/control/alerts/trunk-findings.js';
import { keyOf, type Watched, watchedOf } from '../../../../src/control/alerts/watched.js';

const now = new Date('2026-11-27T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const subject = {
  organizationId: 'acme',
  number: '14155550100',
  trunkId: null,
  direction: 'outbound',
} as const;
const watched = (fields: Partial<Watched> = {}): Watched => ({
  ...subject,
  kind: 'unreachable',
  threshold: 5,
  windowMinutes: 15,
  channels: {},
  ...fields,
});

describe('the thresholds of a direction', () => {
  const channels = { email: true };

  it('are those that are set, each watched by its kind', () => {
    const thresholds = { unreachable_minutes: 3, failure_rate_percent: 20, response_time_ms: 800 };
    expect(watchedOf(subject, { enabled: true, thresholds, channels })).toEqual([
      { ...subject, kind: 'unreachable', threshold: 3, windowMinutes: 15, channels },
      { ...subject, kind: 'failure_rate', threshold: 20, windowMinutes: 15, channels },
      { ...subject, kind: 'response_time', threshold: 800, windowMinutes: 15, channels },
    ]);
  });

  it('have the window that is set, and none is watched that is not', () => {
    const thresholds = { failure_rate_percent: 20, failure_rate_window_minutes: 60 };
    expect(watchedOf(subject, { enabled: true, thresholds, channels })).toEqual([
      { ...subject, kind: 'failure_rate', threshold: 20, windowMinutes: 60, channels },
    ]);
    expect(watchedOf(subject, { enabled: true, thresholds: {}, channels })).toEqual([]);
  });

  it('differ by number, direction and kind', () => {
    expect(keyOf(watched())).toBe('14155550100 outbound unreachable');
  });
});

describe('the finding about a threshold', () => {
  const trend = (status: TrunkTrend['status']): TrunkTrend =>
    ({
      status,
      since: minutesAgo(10),
      decisive: {
        check: {
          version: 1,
          endpoint: 'tls:pbx.example.com',
          edge_id: 'e1',
          checked_at: now.toISOString(),
          status,
          reason: 'timeout',
          detail: null,
          sip_status: null,
          response_time_milliseconds: 900,
          evidence: 'probe',
          targets: [],
        },
        since: minutesAgo(10),
        responseAverage: 900,
      },
    }) as unknown as TrunkTrend;
  const noCalls = tallyFrom([]);
  const failing = tallyFrom([
    { count: 10, reason: 'trunk_unreachable', status: null, first: minutesAgo(5) },
  ] as never);
  const known = (fields: Partial<Known>): Known => ({
    trunk: undefined,
    registration: undefined,
    tally: noCalls,
    ...fields,
  });

  it.each<[string, Partial<Watched>, Partial<Known>, Finding['condition']]>([
    ['failing calls', { kind: 'failure_rate', threshold: 20 }, { tally: failing }, 'bad'],
    [
      'failing calls to a number',
      { kind: 'failure_rate', threshold: 20, direction: 'inbound' },
      { tally: failing },
      'bad',
    ],
    [
      'no calls at all, on an unreachable trunk',
      { kind: 'failure_rate' },
      { trunk: trend('unreachable') },
      'good',
    ],
    ['an unreachable trunk', {}, { trunk: trend('unreachable') }, 'bad'],
    ['a trunk that was not probed', {}, {}, 'unknown'],
    ['a trunk that responds', {}, { trunk: trend('healthy') }, 'good'],
    [
      'response times of an unreachable trunk',
      { kind: 'response_time' },
      { trunk: trend('unreachable') },
      'unknown',
    ],
    ['a slow trunk', { kind: 'response_time', threshold: 800 }, { trunk: trend('healthy') }, 'bad'],
    ['a trunk fast enough', { kind: 'response_time', threshold: 2_000 }, { trunk: trend('healthy') }, 'good'],
    ['a number without registrations', { direction: 'inbound' }, { trunk: trend('unreachable') }, 'unknown'],
    [
      'response times of calls to a number',
      { direction: 'inbound', kind: 'response_time', threshold: 1 },
      { trunk: trend('healthy') },
      'unknown',
    ],
  ])('of %s', (_, threshold, facts, condition) => {
    expect(findingOf(watched(threshold), known(facts), now).condition).toBe(condition);
  });
});

const badFinding = {
  condition: 'bad',
  since: minutesAgo(10),
  measured: 10,
  why: {} as never,
  summary: '',
} as const;
const row = (fields: Partial<AlertRow> = {}): AlertRow =>
  ({ id: 'alt_1', clear_since: null, is_withheld: false, ...fields }) as AlertRow;
const judged = (finding: Finding, alert?: AlertRow, active?: Partial<ActiveAlert>): Judged => ({
  watched: watched(),
  finding,
  row: alert,
  active: alert && { clearSince: alert.clear_since, recentCount: 1, ...active },
});

describe('one evaluation of a threshold', () => {
  it('fires for a bad finding without an active alert', () => {
    expect(stepOf(judged(badFinding), false, now)).toEqual({ action: 'fire', finding: badFinding });
    expect(stepOf(judged(badFinding), true, now)).toEqual({ action: 'fire', finding: badFinding });
  });

  it.each<[string, Finding]>([
    ['good', { condition: 'good', since: minutesAgo(60) }],
    ['between', { condition: 'between' }],
    ['unknown', { condition: 'unknown' }],
  ])('does nothing for a finding that is %s without an active alert', (_, finding) => {
    expect(stepOf(judged(finding), false, now)).toEqual({ action: 'none' });
  });

  it('recovers once it has been good for two minutes', () => {
    const alert = row();
    const good = (minutes: number): Finding => ({ condition: 'good', since: minutesAgo(minutes) });
    expect(stepOf(judged(good(2), alert), false, now)).toEqual({ action: 'recover', row: alert });
    expect(stepOf(judged(good(1.9), alert), false, now)).toMatchObject({
      action: 'keep',
      clearSince: minutesAgo(1.9),
      isChanged: true,
    });
  });

  it('does not recover as soon after several recent alerts', () => {
    const good: Finding = { condition: 'good', since: minutesAgo(3) };
    expect(stepOf(judged(good, row(), { recentCount: 1 }), false, now).action).toBe('recover');
    expect(stepOf(judged(good, row(), { recentCount: 2 }), false, now).action).toBe('keep');
  });

  it.each<[string, Finding, Date | null, boolean]>([
    ['a bad finding forgets that it was good', badFinding, minutesAgo(1), true],
    ['a bad finding stores nothing again', badFinding, null, false],
    ['an unknown one leaves it', { condition: 'unknown' }, minutesAgo(1), false],
    ['an unknown one leaves it bad', { condition: 'unknown' }, null, false],
    ['the first good one is stored', { condition: 'good', since: undefined }, null, true],
    ['a further good one is not', { condition: 'good', since: undefined }, minutesAgo(1), false],
  ])('%s', (_, finding, clearSince, isChanged) => {
    expect(stepOf(judged(finding, row({ clear_since: clearSince })), false, now)).toMatchObject({
      action: 'keep',
      isChanged,
    });
  });

  it.each<[string, boolean, boolean, Finding, boolean]>([
    ['a withheld alert once its window is over', true, false, badFinding, true],
    ['no withheld alert while its window is open', true, true, badFinding, false],
    ['no withheld alert whose problem is over', true, false, { condition: 'between' }, false],
    ['no withheld alert of which nothing is known', true, false, { condition: 'unknown' }, false],
    ['no alert twice', false, false, badFinding, false],
  ])('announces %s', (_, isWithheld, isCovered, finding, isReleased) => {
    expect(stepOf(judged(finding, row({ is_withheld: isWithheld })), isCovered, now)).toMatchObject({
      action: 'keep',
      isReleased,
    });
  });
});
