import type { Selectable } from 'kysely';
import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../../src/control/health/history.js';
import type { EndpointHealthHoursTable } from '../../../../src/control/health/tables.js';

const endpoint = 'tls:pbx.example.com';
const now = Date.parse('2026-11-20T12:30:00Z');
const hour = (
  text: string,
  fields: Partial<Selectable<EndpointHealthHoursTable>> = {},
): Selectable<EndpointHealthHoursTable> => ({
  endpoint,
  hour: new Date(text),
  checks: 60,
  healthy: 60,
  responses: 60,
  response_milliseconds: 2_400,
  ...fields,
});

describe('the history of a server', () => {
  it.each([
    ['24h', 3_600, 24, '2026-11-19T13:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['7d', 21_600, 28, '2026-11-13T18:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['30d', 86_400, 30, '2026-10-22T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
  ] as const)(
    'of %s has buckets of %i seconds, %i of them, without gaps',
    (window, width, count, first, last) => {
      const history = historyOf([], [endpoint], window, now);
      const { buckets } = history.endpoints[0]!;
      expect([history.window, history.bucket_seconds, buckets.length]).toEqual([window, width, count]);
      expect([buckets[0]!.at, buckets.at(-1)!.at]).toEqual([first, last]);
      const steps = buckets.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(buckets[index]!.at));
      expect(new Set(steps)).toEqual(new Set([width * 1_000]));
      expect(buckets.every(({ checks, uptime_percent }) => checks === 0 && uptime_percent === null)).toBe(
        true,
      );
    },
  );

  it('adds the hours of a bucket', () => {
    const rows = [
      hour('2026-11-20T12:00:00Z', { checks: 30, healthy: 20, responses: 20, response_milliseconds: 1_000 }),
      hour('2026-11-20T06:00:00Z', { checks: 60, healthy: 60, responses: 60, response_milliseconds: 600 }),
      hour('2026-11-20T11:00:00Z', { checks: 60, healthy: 30, responses: 30, response_milliseconds: 600 }),
    ];
    const [server] = historyOf(rows, [endpoint], '7d', now).endpoints;
    expect(server!.buckets.slice(-2)).toEqual([
      { at: '2026-11-20T06:00:00.000Z', checks: 120, uptime_percent: 75, response_time_ms: 13.3 },
      { at: '2026-11-20T12:00:00.000Z', checks: 30, uptime_percent: 66.67, response_time_ms: 50 },
    ]);
    // 110 of 150.
    expect(server!.uptime_percent).toBe(73.33);
  });

  it('has no response time where no probe was answered, and no uptime without checks', () => {
    const rows = [hour('2026-11-20T12:00:00Z', { healthy: 0, responses: 0, response_milliseconds: 0 })];
    const [server] = historyOf(rows, [endpoint], '24h', now).endpoints;
    expect(server!.buckets.at(-1)).toMatchObject({ checks: 60, uptime_percent: 0, response_time_ms: null });
    expect(historyOf([], [endpoint], '24h', now).endpoints[0]!.uptime_percent).toBeNull();
    const empty = [hour('2026-11-20T12:00:00Z', { checks: 0, healthy: 0, responses: 0 })];
    expect(historyOf(empty, [endpoint], '24h', now).endpoints[0]!.uptime_percent).toBeNull();
  });

  it('is that of each server, in the order in which calls use them', () => {
    const rows = [
      hour('2026-11-20T12:00:00Z'),
      hour('2026-11-20T12:00:00Z', { endpoint: 'udp:b', healthy: 30 }),
    ];
    const since = new Map([['udp:b', '2026-11-01T00:00:00.000Z']]);
    const history = historyOf(rows, ['udp:b', endpoint], '24h', now, since);
    expect(history.endpoints.map((each) => [each.endpoint, each.checked_since, each.uptime_percent])).toEqual(
      [
        ['udp:b', '2026-11-01T00:00:00.000Z', 50],
        [endpoint, null, 100],
      ],
    );
    expect(historyOf(rows, [], '24h', now).endpoints).toEqual([]);
  });
});
