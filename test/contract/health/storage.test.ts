import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointHealth } from '../../../src/contract/health.js';
import { healthStream } from '../../../src/contract/health.js';
import { readCheckedSince } from '../../../src/control/health/checked-since.js';
import { deleteOldChecks, storeChecks } from '../../../src/control/health/health-storage.js';
import { readHistory } from '../../../src/control/health/history.js';
import { readChecks, readStatistics } from '../../../src/control/health/number-health.js';
import { readPosition } from '../../../src/control/streams/stream-position.js';
import { ControlBench } from '../control/control-bench.js';

let bench: ControlBench;

beforeAll(async () => {
  bench = await ControlBench.start();
}, 180_000);
afterAll(() => bench?.stop());

const hour = 3_600_000;

function check(
  endpoint: string,
  ageMilliseconds: number,
  fields: Partial<EndpointHealth> = {},
): EndpointHealth {
  return {
    version: 1,
    endpoint,
    edge_id: 'edge',
    checked_at: new Date(Date.now() - ageMilliseconds).toISOString(),
    status: 'healthy',
    reason: null,
    detail: null,
    sip_status: 200,
    response_time_milliseconds: 10,
    evidence: 'probe',
    targets: [],
    ...fields,
  };
}

let lastEntry = 0;
const entry = (value: unknown) => ({ id: `1700000000000-${++lastEntry}`, json: JSON.stringify(value) });

const down = { status: 'unreachable', reason: 'timeout', response_time_milliseconds: null } as const;

describe('stored checks', () => {
  it('make uptime and average response time of a day, a week and a month', async () => {
    const name = 'udp:statistics.example.com';
    await storeChecks(bench.database, [
      entry(check(name, 20 * 24 * hour, down)),
      entry(check(name, 3 * 24 * hour, { response_time_milliseconds: 40 })),
      entry(check(name, 2 * hour, down)),
      entry(check(name, hour, { response_time_milliseconds: 20 })),
      entry(check(name, 0, { response_time_milliseconds: 30 })),
    ]);
    expect((await readStatistics(bench.database, [name])).get(name)).toEqual({
      '24h': { uptime: 66.67, averageMilliseconds: 25 },
      '7d': { uptime: 75, averageMilliseconds: 30 },
      '30d': { uptime: 60, averageMilliseconds: 30 },
    });
  });

  it('make a plot without gaps, oldest first', async () => {
    const [name, silent] = ['udp:plot.example.com', 'udp:never.example.com'];
    // In the middle of an hour, so that two checks half an hour apart may be in two.
    const now = Math.floor(Date.now() / hour) * hour + hour / 4;
    const at = (age: number, fields = {}) =>
      entry(check(name, 0, { checked_at: new Date(now - age).toISOString(), ...fields }));
    await storeChecks(bench.database, [
      at(40 * 24 * hour, down),
      at(25 * hour, down),
      at(hour / 2, { response_time_milliseconds: 40 }),
      at(hour / 2, down),
      at(0, { response_time_milliseconds: 30 }),
    ]);
    const day = await readHistory(bench.database, [name, silent], '24h', now);
    expect(day.bucket_seconds).toBe(3_600);
    expect(day.endpoints.map(({ endpoint, uptime_percent }) => [endpoint, uptime_percent])).toEqual([
      [name, 66.67],
      [silent, null],
    ]);
    const { buckets } = day.endpoints[0]!;
    expect(buckets).toHaveLength(24);
    expect(buckets.slice(-2)).toEqual([
      ...[
        {
          checks: 2,
          uptime_percent: 50,
          response_time_ms: 40,
          at: new Date(now - 1.25 * hour).toISOString(),
        },
      ],
      ...[
        { checks: 1, uptime_percent: 100, response_time_ms: 30, at: new Date(now - hour / 4).toISOString() },
      ],
    ]);
    expect(buckets.slice(0, -2).every(({ checks }) => checks === 0)).toBe(true);
    const month = await readHistory(bench.database, [name], '30d', now);
    expect(month.endpoints[0]!.buckets).toHaveLength(30);
    expect(month.endpoints[0]!.buckets.reduce((sum, { checks }) => sum + checks, 0)).toBe(4);
    expect(month.endpoints[0]!.uptime_percent).toBe(50);
  });

  it('are known since their first hour, and not before the number was made', async () => {
    const [old, fresh] = ['udp:since.example.com', 'udp:fresh.example.com'];
    const begun = Math.floor(Date.now() / hour) * hour - 3 * hour;
    await storeChecks(bench.database, [
      entry(check(old, 0, { checked_at: new Date(begun + 1).toISOString() })),
      entry(check(old, 0, { checked_at: new Date(begun + hour).toISOString() })),
    ]);
    const since = await readCheckedSince(bench.database, [old, fresh], '14155559999');
    expect([...since]).toEqual([[old, new Date(begun).toISOString()]]);
  });

  it('count once, however often and by how many processes they are read', async () => {
    const name = 'udp:once.example.com';
    const entries = [entry(check(name, 1_000)), entry(check(name, 0, down))];
    const otherDatabase = bench.openDatabase();
    await Promise.all([
      storeChecks(bench.database, entries),
      storeChecks(otherDatabase, entries),
      storeChecks(otherDatabase, entries),
    ]);
    const { checks, healthy } = await bench.database
      .selectFrom('endpoint_health_hours')
      .select(({ fn }) => [fn.sum<string>('checks').as('checks'), fn.sum<string>('healthy').as('healthy')])
      .where('endpoint', '=', name)
      .executeTakeFirstOrThrow();
    expect([Number(checks), Number(healthy)]).toEqual([2, 1]);
    expect(await readPosition(bench.database, healthStream)).toBe(entries[1]!.id);
    expect((await readChecks(bench.database, [name])).get(name)?.status).toBe('unreachable');
  });

  it('do not suffer from entries that are no checks', async () => {
    const name = 'udp:between.example.com';
    const entries = [entry('nonsense'), entry(check(name, 0)), { ...entry(0), json: undefined }];
    expect(await storeChecks(bench.database, entries)).toEqual({ position: entries[2]!.id, refused: 2 });
    expect((await readChecks(bench.database, [name])).size).toBe(1);
  });

  it('do not replace a later check, and go after a month', async () => {
    const name = 'udp:late.example.com';
    await storeChecks(bench.database, [entry(check(name, 0)), entry(check(name, 60_000, down))]);
    expect((await readChecks(bench.database, [name])).get(name)?.status).toBe('healthy');
    await storeChecks(bench.database, [entry(check('udp:old.example.com', 40 * 24 * hour))]);
    await deleteOldChecks(bench.database);
    expect((await readChecks(bench.database, ['udp:old.example.com', name])).size).toBe(1);
    expect(
      (await readStatistics(bench.database, ['udp:old.example.com'])).get('udp:old.example.com'),
    ).toEqual({
      '24h': { uptime: null, averageMilliseconds: null },
      '7d': { uptime: null, averageMilliseconds: null },
      '30d': { uptime: null, averageMilliseconds: null },
    });
  });
});
