import { describe, expect, it } from 'vitest';
import { isNear, noticeOf, periodOf } from '../../../../src/control/usage/near-limit.js';
import { activeCalls } from '../../../../src/control/usage/usage-watch.js';

const url = 'https://demarc.example/usage';

describe('usage near a limit', () => {
  it.each([
    [79, 100, false],
    [80, 100, true],
    [100, 100, true],
    [7.99, 10, false],
    [8, 10, true],
    [799.9, 1_000, false],
    [0, 5, false],
  ])('%d of %d: %s', (measured, limit, near) => {
    expect(isNear({ kind: 'concurrent_calls', period: '2026-11-27', measured, limit })).toBe(near);
  });
});

describe('the period of a limit', () => {
  it.each([
    ['concurrent_calls', '2026-11-30T23:59:59.999Z', '2026-11-30'],
    ['concurrent_calls', '2026-12-01T00:00:00.000Z', '2026-12-01'],
    ['minutes_per_month', '2026-11-30T23:59:59.999Z', '2026-11'],
    ['minutes_per_month', '2026-12-01T00:00:00.000Z', '2026-12'],
  ] as const)('of %s at %s is %s', (kind, moment, period) => {
    expect(periodOf(kind, new Date(moment))).toBe(period);
  });
});

describe('the notice', () => {
  it('of concurrent calls says what happens above the limit', () => {
    const used = { kind: 'concurrent_calls', period: '2026-11-27', measured: 1_650, limit: 2_000 } as const;
    expect(noticeOf(used, url)).toEqual({
      title: '[Demarc] USAGE: concurrent calls at 82 % of the limit',
      text: [
        'What: 1,650 calls were active at once on 2026-11-27 (UTC); the limit is 2,000.',
        'What to do: Above the limit new calls are refused with 503. Ask the operator of the service for a higher limit.',
        '',
        'Dashboard: https://demarc.example/usage',
        '',
      ].join('\n'),
      short:
        'Demarc USAGE: concurrent calls at 82 % of the limit. 1,650 calls were active at once on 2026-11-27 (UTC); the limit is 2,000. https://demarc.example/usage',
    });
  });

  it('of minutes counts begun ones down, and says that calls are not refused', () => {
    const used = { kind: 'minutes_per_month', period: '2026-11', measured: 12_345.9, limit: 13_000 } as const;
    const { title, text } = noticeOf(used, url);
    expect(title).toBe('[Demarc] USAGE: minutes at 94 % of the limit');
    expect(text).toContain(
      'What: Answered calls of 2026-11 (UTC) took 12,345 minutes; the allowance is 13,000.\n',
    );
    expect(text).toContain('Calls above the allowance are not refused.');
  });
});

describe('the active calls of organizations', () => {
  const edge = (isAlive: boolean, organizations: Record<string, { ringing: number; answered: number }>) => ({
    isAlive,
    heartbeat: { organizations },
  });
  const fleetOf = (...edges: ReturnType<typeof edge>[]) =>
    ({ edges: async () => edges }) as unknown as Parameters<typeof activeCalls>[0];

  it('are those of all edges, ringing ones included', async () => {
    const fleet = fleetOf(
      edge(true, { acme: { ringing: 2, answered: 3 }, initech: { ringing: 1, answered: 0 } }),
      edge(true, { acme: { ringing: 0, answered: 4 } }),
    );
    expect([...(await activeCalls(fleet))]).toEqual([
      ['acme', 9],
      ['initech', 1],
    ]);
  });

  it('leave out edges that are down', async () => {
    const fleet = fleetOf(
      edge(false, { acme: { ringing: 2, answered: 3 } }),
      edge(true, { acme: { ringing: 1, answered: 0 } }),
    );
    expect((await activeCalls(fleet)).get('acme')).toBe(1);
  });

  it('are none while Redis is down', async () => {
    const fleet = { edges: () => Promise.reject(new Error('Redis is down')) };
    expect((await activeCalls(fleet)).size).toBe(0);
  });
});
