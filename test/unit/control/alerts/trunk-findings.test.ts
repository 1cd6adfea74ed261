import { describe, expect, it } from 'vitest';
import type { EndpointHealth } from '../../../../src/contract/health.js';
import {
  responseFinding,
  type TrunkTrend,
  unreachableFinding,
} from '../../../../src/control/alerts/trunk-findings.js';
import type { Watched } from '../../../../src/control/alerts/watched.js';
import { continueTrend } from '../../../../src/control/health/trend.js';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const watched = (threshold: number) => ({ threshold }) as Watched;

const check = (changes: Partial<EndpointHealth> = {}): EndpointHealth => ({
  version: 1,
  endpoint: 'tls:pbx.example.com',
  edge_id: 'edge-1',
  checked_at: now.toISOString(),
  status: 'healthy',
  reason: null,
  detail: null,
  sip_status: 200,
  response_time_milliseconds: 100,
  evidence: 'probe',
  targets: [],
  ...changes,
});

const trend = (
  minutes: number,
  average: number | null,
  changes: Partial<EndpointHealth> = {},
): TrunkTrend => {
  const since = minutesAgo(minutes);
  const checked = check(changes);
  return { status: checked.status, since, decisive: { check: checked, since, responseAverage: average } };
};

describe('an unreachable trunk', () => {
  const down = (minutes: number) => trend(minutes, null, { status: 'unreachable', reason: 'timeout' });

  it('is an alert from its threshold on, not before', () => {
    expect(unreachableFinding(watched(5), down(4.9), now)).toEqual({ condition: 'between' });
    expect(unreachableFinding(watched(5), down(5), now)).toMatchObject({
      condition: 'bad',
      since: minutesAgo(5),
      measured: 5,
      why: { cause: expect.any(String), advice: expect.any(String) },
    });
  });

  it('recovers with the moment at which it was healthy', () => {
    const finding = unreachableFinding(watched(5), trend(3, 100), now);
    expect(finding).toEqual({ condition: 'good', since: minutesAgo(3) });
  });

  it('is unknown while nothing was checked', () => {
    expect(unreachableFinding(watched(5), undefined, now)).toEqual({ condition: 'unknown' });
    const unchecked = { status: 'unchecked', since: undefined, decisive: undefined } as const;
    expect(unreachableFinding(watched(5), unchecked, now)).toEqual({ condition: 'unknown' });
  });

  it('has a cause that ends as a sentence before its advice', () => {
    const failed = trend(9, null, { status: 'unreachable', reason: 'timeout', detail: 'no answer' });
    const finding = unreachableFinding(watched(5), failed, now);
    expect(finding.condition === 'bad' && finding.why.cause).toMatch(/no answer\.$/);
  });
});

describe('a slow trunk', () => {
  const found = (average: number, minutes = 10) =>
    responseFinding(watched(500), trend(minutes, average), now);

  it('is an alert at the threshold, and good again a fifth below it', () => {
    expect(found(500)).toMatchObject({ condition: 'bad', measured: 500 });
    expect(found(499)).toEqual({ condition: 'between' });
    expect(found(401)).toEqual({ condition: 'between' });
    expect(found(400)).toEqual({ condition: 'good', since: undefined });
  });

  it('is not judged by its first probes', () => {
    expect(found(900, 1.9)).toEqual({ condition: 'between' });
    expect(found(900, 2)).toMatchObject({ condition: 'bad' });
  });

  it('is unknown while it is unreachable', () => {
    const down = trend(10, 900, { status: 'unreachable' });
    expect(responseFinding(watched(500), down, now)).toEqual({ condition: 'unknown' });
  });
});

describe('the trend of a server', () => {
  it('keeps the time since when it has its status', () => {
    const first = continueTrend(undefined, check({ checked_at: minutesAgo(9).toISOString() }));
    const second = continueTrend(first, check());
    expect(second.since).toEqual(minutesAgo(9));
    const down = continueTrend(second, check({ status: 'unreachable' }));
    expect(down.since).toEqual(now);
  });

  it('averages response times, the latest weighing three tenths', () => {
    const first = continueTrend(undefined, check({ response_time_milliseconds: 100 }));
    expect(first.responseAverage).toBe(100);
    expect(continueTrend(first, check({ response_time_milliseconds: 200 })).responseAverage).toBe(130);
  });

  it('keeps the average when a check has no response time, and begins a new one with each status', () => {
    const first = continueTrend(undefined, check());
    expect(continueTrend(first, check({ response_time_milliseconds: null })).responseAverage).toBe(100);
    expect(continueTrend(first, check({ status: 'unreachable' })).responseAverage).toBeNull();
  });
});
