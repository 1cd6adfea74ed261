import { describe, expect, it } from 'vitest';
import { hourSums } from '../../../../src/control/health/hour-sums.js';
import { healthy, unreachable } from './endpoint-health.js';

describe('the totals of checks', () => {
  it('are those of each hour and server', () => {
    const sums = hourSums([
      healthy({ checked_at: '2026-11-20T12:00:00.000Z', response_time_milliseconds: 40 }),
      healthy({ checked_at: '2026-11-20T12:59:59.999Z', response_time_milliseconds: 60 }),
      healthy({ checked_at: '2026-11-20T13:00:00.000Z', response_time_milliseconds: 10 }),
      healthy({ endpoint: 'udp:other.example.com', checked_at: '2026-11-20T12:30:00.000Z' }),
    ]);
    expect(sums).toEqual([
      {
        endpoint: 'tls:pbx.example.com',
        hour: new Date('2026-11-20T12:00:00Z'),
        checks: 2,
        healthy: 2,
        responses: 2,
        response_milliseconds: 100,
      },
      {
        endpoint: 'tls:pbx.example.com',
        hour: new Date('2026-11-20T13:00:00Z'),
        checks: 1,
        healthy: 1,
        responses: 1,
        response_milliseconds: 10,
      },
      {
        endpoint: 'udp:other.example.com',
        hour: new Date('2026-11-20T12:00:00Z'),
        checks: 1,
        healthy: 1,
        responses: 1,
        response_milliseconds: 40,
      },
    ]);
  });

  it('count a failed check, and not its response time', () => {
    const [sum] = hourSums([
      unreachable({ response_time_milliseconds: 3_000 }),
      healthy({ response_time_milliseconds: null }),
      healthy({ response_time_milliseconds: 0 }),
    ]);
    expect(sum).toMatchObject({ checks: 3, healthy: 2, responses: 1, response_milliseconds: 0 });
  });

  it('are none of none', () => expect(hourSums([])).toEqual([]));
});
