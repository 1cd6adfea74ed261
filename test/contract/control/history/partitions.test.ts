import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cursor } from '../../../../src/control/calls/history/call-filter.js';
import { readCall, readRows } from '../../../../src/control/calls/history/call-page.js';
import { searchTermOf } from '../../../../src/control/calls/history/call-search.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { Retention } from '../../../../src/control/calls/history/retention.js';
import { readOrders } from '../../../../src/control/calls/orders/read.js';
import { partitionCalls } from '../../../../src/control/calls/partitions/partition-calls.js';
import { addDays, dropDays, partitionsOf } from '../../../../src/control/calls/partitions/partition-days.js';
import { migrate } from '../../../../src/control/database/database.js';
import { buildLargeIndexes } from '../../../../src/control/database/large-indexes.js';
import { partitionStep } from '../../../../src/control/database/later-steps.js';
import type { Database } from '../../../../src/control/database/tables.js';
import { until } from '../../../../src/testkit/waiting.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { ControlBench, log } from '../control-bench.js';
import { fillCalls } from './many-calls.js';
import { sampleRecord } from './sample-record.js';

const dayMilliseconds = 86_400_000;
/** Of the second midnight from now: the first day with its own table. */
const firstDay = Math.floor(Date.now() / dayMilliseconds) * dayMilliseconds + 2 * dayMilliseconds;
const days = (count: number): string => new Date(Date.now() + count * dayMilliseconds).toISOString();

let bench: ControlBench;
let client: pg.Client;
let organization: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  ({ organization } = bench);
  client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await bench?.stop();
});

async function store(...records: ReturnType<typeof sampleRecord>[]): Promise<void> {
  await storeEntries(
    bench.database,
    records.map((record, index) => readEntry({ id: `1-${index}`, json: JSON.stringify(record) })),
  );
}

const sample = (id: string, startedAt: string, fields: object = {}) =>
  sampleRecord(id, { organization, started_at: startedAt, ended_at: startedAt, ...fields });

const idsOf = async (filter: object = {}, limit = 100): Promise<string[]> => {
  const rows = await readRows(bench.database, { organizationId: organization, limit, ...filter });
  return rows.map(({ call_id }) => call_id);
};

async function tableOf(callId: string, database: Kysely<Database> = bench.database): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select tableoid::regclass::text as table from calls where call_id = ${callId}`.execute(database);
  return rows.map(({ table }) => table);
}

/** As control of the release before stores a call. */
const storeAsBefore = (callId: string): Promise<pg.QueryResult> =>
  client.query(
    `insert into calls (call_id, direction, caller, called, sip_call_id, source_address, started_at, ended_at,
        duration_milliseconds, outcome, ended_by, end_reason, record)
      values ($1, 'inbound', '1', '2', '3', '4', now(), now(), 0, 'completed', 'caller', 'caller_hung_up', '')
      on conflict (call_id) do nothing returning call_id`,
    [callId],
  );

const waiting = 'Waiting for a transaction that uses the table.';

describe('the table of calls', () => {
  it('is one table after all migrations, which control of the release before writes to', async () => {
    expect(await partitionsOf(bench.database)).toEqual([]);
    expect((await storeAsBefore('before-1')).rows).toHaveLength(1);
    expect((await storeAsBefore('before-1')).rows).toHaveLength(0);
  });

  it('becomes partitions while calls are stored and read', { timeout: 120_000 }, async () => {
    await fillCalls(bench.database, organization, 20_000);
    await store(sample('old', days(-40)), sample('older', days(-80)));
    const before = await idsOf({}, 20_002);
    expect(before).toHaveLength(20_002);
    const watch = Stopwatch.start();
    let isDone = false;
    let slowest = 0;
    let stored = 0;
    const traffic = async (): Promise<void> => {
      while (!isDone) {
        const start = performance.now();
        await store(sample(`during-${stored++}`, days(0)));
        expect(await idsOf({}, 1)).toHaveLength(1);
        slowest = Math.max(slowest, performance.now() - start);
      }
    };
    const running = traffic();
    // A reader that is slow to commit: the change waits for it in portions, and others do not wait behind it for long.
    const reader = new pg.Client({ connectionString: bench.databaseUrl });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from calls');
    const lines: string[] = [];
    const change = partitionCalls(client, { report: (line) => lines.push(line) });
    await until(() => lines.includes(waiting), 30_000, 'a change that waits');
    await reader.query('commit');
    await reader.end();
    expect(await change).toBe(true);
    isDone = true;
    await running;
    // A second is how long the change waits for the lock of the table.
    expect(slowest).toBeLessThan(watch.bound(5_000));
    expect(await partitionCalls(client, { report: () => {} })).toBe(false);
    const after = await idsOf({}, 20_002 + stored);
    expect(after.filter((id) => id.startsWith('during-'))).toHaveLength(stored);
    expect(after.filter((id) => !id.startsWith('during-'))).toEqual(before);
  });

  it('keeps control of the release before from starting, and this one not', async () => {
    const { rows } = await client.query('select name from kysely_migration where name like $1', [
      '%-contract-%',
    ]);
    expect(rows).toEqual([{ name: partitionStep }]);
    expect(await migrate(bench.databaseUrl)).toEqual([]);
  });

  it('has a table for each of the next days and stores a call in the one of its start', async () => {
    const names = (await partitionsOf(bench.database)).map(({ table }) => table);
    expect(names).toHaveLength(9);
    expect(names.slice(-2)).toEqual(['calls_ahead', 'calls_before']);
    await store(sample('today', days(0)), sample('third', days(3)), sample('far', days(300)));
    expect(await tableOf('today')).toEqual(['calls_before']);
    const third = days(3).slice(0, 10).replaceAll('-', '');
    expect(await tableOf('third')).toEqual([`calls_${third}`]);
    expect(await tableOf('far')).toEqual(['calls_ahead']);
    // The same record again.
    await store(sample('third', days(3)), sample('today', days(0)), sample('far', days(300)));
    for (const id of ['today', 'third', 'far']) expect(await tableOf(id)).toHaveLength(1);
  });

  it('finds calls by id, by part of a number and page by page, over all partitions', async () => {
    for (const id of ['third', 'today', 'old', 'older', 'far'])
      expect((await readCall(bench.database, organization, id))?.row.call_id).toBe(id);
    expect(await readCall(bench.database, organization, 'none')).toBeUndefined();
    await store(sample('named', days(4), { from: '"Zoe Quartz" <sip:+14155550111@a.example>' }));
    await store(sample('named-old', days(-50), { from: '"Zoe Quartz" <sip:+14155550111@a.example>' }));
    expect(await idsOf({ search: searchTermOf('quartz') })).toEqual(['named', 'named-old']);
    const paged: string[] = [];
    for (let cursor: Cursor | undefined; ; ) {
      const page = await readRows(bench.database, { organizationId: organization, limit: 3_000 }, cursor);
      paged.push(...page.map(({ call_id }) => call_id));
      const { call_id: callId, started_at: startedAt } = page.at(-1)!;
      cursor = { callId, startedAt };
      if (page.length < 3_000) break;
    }
    expect(paged).toEqual(await idsOf({}, 100_000));
    expect(new Set(paged).size).toBe(paged.length);
  });

  it('tells how ordered calls ended', async () => {
    const orderAt = (callId: string, createdAt: string) =>
      client.query(
        `insert into ordered_calls (call_id, organization_id, number, phone_number, task, max_duration_minutes, created_at)
          values ($1, $2, '12025550100', '14155550199', 'Say hello.', 1, $3)`,
        [callId, organization, createdAt],
      );
    await orderAt('ordered-done', days(2));
    await orderAt('ordered-active', days(1));
    await store(sample('ordered-done', days(3), { direction: 'outbound', outcome: 'completed' }));
    const read = async (filter: object) => {
      const page = await readOrders(bench.database, organization, { limit: 10, ascending: false, ...filter });
      return page.rows.map(({ call_id, outcome }) => [call_id, outcome]);
    };
    expect(await read({})).toEqual([
      ['ordered-done', 'completed'],
      ['ordered-active', null],
    ]);
    expect(await read({ state: 'active' })).toEqual([['ordered-active', null]]);
    expect(await read({ state: 'completed' })).toEqual([['ordered-done', 'completed']]);
    expect(await read({ state: 'failed' })).toEqual([]);
  });

  it('plans a page for the newest partitions alone', async () => {
    const after = await addDaysUntil(60);
    expect(after).toBeGreaterThan(50);
    const { rows } = await client.query(
      `explain select call_id from calls where organization_id = $1 and started_at >= '${days(0)}'
        and started_at < '${days(2)}' order by started_at desc, call_id desc limit 50`,
      [organization],
    );
    const scans = rows.filter((row) => /Scan/.test(row['QUERY PLAN'] as string));
    expect(scans.length).toBeLessThanOrEqual(3);
  });

  it('moves calls of a day without a table into it, once it has one', async () => {
    await store(sample('later', days(70)));
    expect(await tableOf('later')).toEqual(['calls_ahead']);
    await addDaysUntil(70);
    const day = days(70).slice(0, 10).replaceAll('-', '');
    expect(await tableOf('later')).toEqual([`calls_${day}`]);
    expect((await readCall(bench.database, organization, 'later'))?.row.call_id).toBe('later');
  });

  it('builds a large index that a day lacks beside writers', async () => {
    const index = `calls_audio_problem_page_${new Date(firstDay).toISOString().slice(0, 10).replaceAll('-', '')}`;
    await client.query(`drop index ${index}`);
    const built: string[] = [];
    expect(
      await buildLargeIndexes(client, { besideWriters: true, building: (name) => built.push(name) }),
    ).toBe(true);
    expect(built).toEqual([index]);
  });

  it('drops the days whose calls are too old, and deletes older ones of before', async () => {
    const retention = new Retention({ database: bench.database, log, days: 45 });
    expect(await idsOf({ startedBefore: new Date(days(-45)) })).toEqual(['named-old', 'older']);
    await retention.sweep();
    expect(await idsOf({ startedBefore: new Date(days(-39)) })).toEqual(['old']);
    await retention.stop();
    const names = (await partitionsOf(bench.database)).map(({ table }) => table);
    expect(names).toContain('calls_before');
    expect(await sweepAt(firstDay + 46 * dayMilliseconds)).not.toContain('calls_before');
    expect(await idsOf({ startedBefore: new Date(firstDay) })).toEqual([]);
    expect((await readCall(bench.database, organization, 'third'))?.row.call_id).toBe(
      Date.parse(days(3)) < firstDay + dayMilliseconds ? undefined : 'third',
    );
  });
});

/** As if control ran on that day. @returns the number of partitions */
async function addDaysUntil(count: number): Promise<number> {
  await addDays(bench.database, Date.now() + count * dayMilliseconds);
  return (await partitionsOf(bench.database)).length;
}

/** As if the retention of 45 days ran then. */
async function sweepAt(now: number): Promise<string[]> {
  await dropDays(bench.database, now - 45 * dayMilliseconds);
  return (await partitionsOf(bench.database)).map(({ table }) => table);
}
