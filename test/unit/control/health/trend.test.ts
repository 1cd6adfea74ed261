import { describe, expect, it } from 'vitest';
import { continueTrend, continueTrends, type Trend, trendOf } from '../../../../src/control/health/trend.js';
import { healthy, unreachable } from './endpoint-health.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
const begun = new Date('2026-11-20T08:00:00Z');
const good = (fields: Partial<Trend> = {}): Trend => ({
  check: healthy({ checked_at: at(0) }),
  since: begun,
  responseAverage: 100,
  ...fields,
});

describe('the trend of a server', () => {
  it('begins with its first check', () => {
    expect(continueTrend(undefined, healthy({ checked_at: at(1) }))).toEqual({
      check: healthy({ checked_at: at(1) }),
      since: new Date(at(1)),
      responseAverage: 40,
    });
    expect(continueTrend(undefined, unreachable()).responseAverage).toBeNull();
  });

  it('counts a new response time for three tenths', () => {
    const average = (before: number | null, milliseconds: number | null): number | null =>
      continueTrend(
        good({ responseAverage: before }),
        healthy({ checked_at: at(1), response_time_milliseconds: milliseconds }),
      ).responseAverage;
    expect(average(100, 200)).toBe(130);
    expect(average(100, 0)).toBe(70);
    expect(average(100, 100)).toBe(100);
    expect(average(null, 200)).toBe(200);
    expect(average(100, null)).toBe(100);
    expect(average(null, null)).toBeNull();
  });

  it('lasts while the status stays, and begins again with another one', () => {
    expect(continueTrend(good(), healthy({ checked_at: at(1) })).since).toBe(begun);
    const down = continueTrend(good(), unreachable({ checked_at: at(1) }));
    expect([down.since, down.responseAverage]).toEqual([new Date(at(1)), null]);
    expect(continueTrend(down, unreachable({ checked_at: at(2) })).since).toEqual(new Date(at(1)));
    const back = continueTrend(down, healthy({ checked_at: at(3), response_time_milliseconds: 50 }));
    expect([back.since, back.responseAverage]).toEqual([new Date(at(3)), 50]);
  });

  it('does not count the response time of a check that failed', () => {
    const refused = unreachable({ sip_status: 503, response_time_milliseconds: 5 });
    expect(continueTrend(undefined, refused).responseAverage).toBeNull();
  });

  it('began with its last check where an earlier version stored none', () => {
    const row = {
      endpoint: 'tls:pbx.example.com',
      checked_at: new Date(at(5)),
      health: healthy(),
      since: null,
      response_average: 12.5,
    };
    expect(trendOf(row)).toEqual({ check: healthy(), since: new Date(at(5)), responseAverage: 12.5 });
    expect(trendOf({ ...row, since: begun }).since).toBe(begun);
  });
});

describe('new checks of servers', () => {
  const names = (checks: ReturnType<typeof continueTrends>['changes']): string[] =>
    checks.map(({ endpoint, status, checked_at }) => `${endpoint} ${status} ${checked_at.slice(14, 16)}`);

  it('change nothing while a server stays healthy, also one that was never checked', () => {
    const known = new Map([['tls:pbx.example.com', good()]]);
    const { changes, trends } = continueTrends(known, [
      healthy({ checked_at: at(1) }),
      healthy({ endpoint: 'tls:new.example.com' }),
    ]);
    expect(changes).toEqual([]);
    expect([...trends.keys()]).toEqual(['tls:pbx.example.com', 'tls:new.example.com']);
    expect(known.size).toBe(1);
  });

  it('report each change of status once', () => {
    const { changes, trends } = continueTrends(new Map([['tls:pbx.example.com', good()]]), [
      unreachable({ checked_at: at(1) }),
      unreachable({ checked_at: at(2) }),
      healthy({ checked_at: at(3) }),
      unreachable({ endpoint: 'tls:new.example.com', checked_at: at(2) }),
    ]);
    expect(names(changes)).toEqual([
      'tls:pbx.example.com unreachable 01',
      'tls:new.example.com unreachable 02',
      'tls:pbx.example.com healthy 03',
    ]);
    expect(trends.get('tls:pbx.example.com')!.since).toEqual(new Date(at(3)));
  });

  it('are read in the order of their times', () => {
    const { changes, trends } = continueTrends(new Map(), [
      healthy({ checked_at: at(3) }),
      unreachable({ checked_at: at(1) }),
    ]);
    expect(names(changes)).toEqual(['tls:pbx.example.com unreachable 01', 'tls:pbx.example.com healthy 03']);
    expect(trends.get('tls:pbx.example.com')!.check.checked_at).toBe(at(3));
  });

  it('do not count when they are older than the last one', () => {
    const known = new Map([['tls:pbx.example.com', good({ check: healthy({ checked_at: at(5) }) })]]);
    const late = continueTrends(known, [unreachable({ checked_at: at(4) })]);
    expect(late.changes).toEqual([]);
    expect(late.trends.get('tls:pbx.example.com')).toBe(known.get('tls:pbx.example.com'));
    expect(continueTrends(known, [unreachable({ checked_at: at(5) })]).changes).toHaveLength(1);
  });
});
