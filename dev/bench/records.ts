/**
 * `node --import tsx dev/bench/records.ts [--calls 1000000] [--days 60] [--shapes table,partitions]`: what listing, searching, storing and deleting calls costs when so
 * many are stored, in one table and in partitions by day, on a private PostgreSQL. One organization has half of the calls, a hundred share the rest. The
 * filled records have 100 octets, those that are stored in the measurement are whole. Times are medians in milliseconds, through the functions of the API; compare the
 * columns only with each other.
 */
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { CallFilter } from '../../src/control/calls/history/call-filter.js';
import { countMatching, readCall, readRows } from '../../src/control/calls/history/call-page.js';
import { searchTermOf } from '../../src/control/calls/history/call-search.js';
import { readEntry, storeEntries } from '../../src/control/calls/history/call-storage.js';
import {
  createTable,
  dayMilliseconds,
  dayOf,
  daysAhead,
  tableOfDay,
} from '../../src/control/calls/partitions/day-tables.js';
import { partitionCalls } from '../../src/control/calls/partitions/partition-calls.js';
import { addDays, dropDays } from '../../src/control/calls/partitions/partition-days.js';
import { migrate, openDatabase } from '../../src/control/database/database.js';
import type { Database } from '../../src/control/database/tables.js';
import { sampleRecord } from '../../test/contract/control/history/sample-record.js';
import { PrivatePostgres } from '../../test/support/postgres.js';
import { stopAtSignal } from './stop-at-signal.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '60' },
    shapes: { type: 'string', default: 'table,partitions' },
  },
});
const calls = Number(values.calls);
const days = Number(values.days);
const now = Date.now();
const repetitions = 15;
const batchSize = 100;
const batches = 40;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Shape = 'table' | 'partitions';
type Figures = Map<string, string>;

const timeoutMilliseconds = 3_600_000;
const open = (url: string): Kysely<Database> =>
  openDatabase({ url, maximumConnections: 2, timeoutMilliseconds }, () => {});

/** Calls `from` to `to` of all, the newest first, into the table. */
const fill = (table: string, from: number, to: number): string => `
  insert into ${table} (call_id, organization_id, number, direction, caller, called, party_name, sip_call_id, source_address, started_at,
    answered_at, ended_at, duration_milliseconds, outcome, sip_status, sip_reason, ended_by, end_reason, mos, record)
  select 'c-' || n, 'org-' || case when n % 2 = 0 then 0 else n / 2 % 100 + 1 end, (12025550100 + n % 1000)::text,
    case when n % 10 = 0 then 'outbound' else 'inbound' end, '+1415' || lpad((n::bigint * 7919 % 9999991)::text, 7, '0'),
    '+' || (12025550100 + n % 1000), case when n % 3 = 0 then 'Caller ' || n % 5000 end, md5(n::text), '198.51.100.' || n % 20,
    at, at + interval '4 seconds', at + interval '90 seconds', 86000,
    case when n % 100 = 0 then 'failed' else 'completed' end, case when n % 100 = 0 then 503 else 200 end, 'x', 'caller',
    case when n % 100 = 0 then 'agent_unreachable' else 'caller_hung_up' end, 4.1, decode(repeat('1f', 100), 'hex')
  from (select n, to_timestamp(${now / 1_000}) - n * interval '${(days * 86_400) / calls} seconds' as at
    from generate_series(${from}, ${to}) as n) as numbered`;

async function fillTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string; constraint: boolean }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary as constraint
      from pg_index where indrelid = 'calls'::regclass`,
  );
  const dropped = rows.filter(({ constraint }) => !constraint);
  for (const { name } of dropped) await client.query(`drop index ${name}`);
  const portion = 500_000;
  for (let from = 1; from <= calls; from += portion)
    await client.query(fill('calls', from, Math.min(calls, from + portion - 1)));
  for (const { definition } of dropped) await client.query(definition);
}

async function fillPartitions(client: pg.Client, database: Kysely<Database>): Promise<void> {
  await partitionCalls(client, { report: () => {} }, now - (days + daysAhead) * dayMilliseconds);
  await addDays(database, now);
  const perDay = calls / days;
  for (let day = dayOf(now); day > now - (days + 1) * dayMilliseconds; day -= dayMilliseconds) {
    const table = tableOfDay(day);
    // From the newest call of the day to its oldest.
    const from = Math.max(1, Math.ceil(((now - (day + dayMilliseconds)) / dayMilliseconds) * perDay + 1e-6));
    const to = Math.min(calls, Math.floor(((now - day) / dayMilliseconds) * perDay - 1e-6));
    if (to < from) continue;
    const { rows } = await client.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indrelid = '${table}'::regclass`,
    );
    for (const { name } of rows) await client.query(`drop index ${name}`);
    await client.query(fill(table, from, to));
    for (const statement of createTable(table)) await client.query(statement);
  }
}

interface Filled {
  readonly shape: Shape;
  readonly database: Kysely<Database>;
  readonly client: pg.Client;
  readonly figures: Figures;
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]!;

/** In alternation, because other work of the machine changes the times. */
async function measureReads(all: readonly Filled[]): Promise<void> {
  for (const [name, work] of reads) {
    const times = new Map(all.map(({ shape }) => [shape, [] as number[]]));
    for (let count = 0; count < repetitions; count++) {
      for (const { shape, database } of all) {
        const start = performance.now();
        await work(database);
        times.get(shape)!.push(performance.now() - start);
      }
    }
    for (const { shape, figures } of all) figures.set(`${name}, ms`, medianOf(times.get(shape)!).toFixed(1));
  }
}

const list = (
  database: Kysely<Database>,
  filter: CallFilter & { search?: string },
  organizationId = 'org-0',
) => {
  const { search, ...rest } = filter;
  const term = search === undefined ? {} : { search: searchTermOf(search)! };
  return readRows(database, { organizationId, limit: 51, ...rest, ...term });
};
const count = (database: Kysely<Database>, filter: CallFilter) =>
  countMatching(database, { organizationId: 'org-0', ...filter }, 10_001);
const oldest = `c-${calls - (calls % 2)}`;
const middle = { startedAt: new Date(now - (days / 2) * dayMilliseconds), callId: 'c-0' };
/** Filled records cannot be decompressed, which the row of a call that is found precedes. */
const find = (database: Kysely<Database>, id: string) => readCall(database, 'org-0', id).catch(() => {});

const reads: readonly (readonly [string, (database: Kysely<Database>) => Promise<unknown>])[] = [
  ['list, newest page', (database) => list(database, {})],
  [
    'list, page in the middle',
    (database) => readRows(database, { organizationId: 'org-0', limit: 51 }, middle),
  ],
  ['list, newest page, of a small organization', (database) => list(database, {}, 'org-7')],
  ['list, of an organization without calls', (database) => list(database, {}, 'org-none')],
  ['list, failed calls', (database) => list(database, { outcome: 'failed' })],
  [
    'list, failed calls of a number',
    (database) => list(database, { outcome: 'failed', number: '12025550200' }),
  ],
  ['list, calls of a number', (database) => list(database, { number: '12025550110' })],
  ['list, a caller with one call', (database) => list(database, { caller: ['+14150015838'] })],
  ['list, a network of some addresses', (database) => list(database, { sourceAddress: '198.51.100.8/29' })],
  ['list, a network without calls', (database) => list(database, { sourceAddress: '203.0.113.0/24' })],
  ['count, up to 10,000 of all', (database) => count(database, {})],
  ['count, failed calls', (database) => count(database, { outcome: 'failed' })],
  ['search, part of many numbers', (database) => list(database, { search: '5550' })],
  ['search, part of a few numbers', (database) => list(database, { search: '8300158' })],
  ['search, nothing to find', (database) => list(database, { search: 'xylophone' })],
  ['call by id, of today', (database) => find(database, 'c-2')],
  ['call by id, of the oldest day', (database) => find(database, oldest)],
  ['call by id, unknown', (database) => find(database, 'none')],
];

const batchOf = (batch: number) =>
  Array.from({ length: batchSize }, (_, index) => {
    const at = new Date(now + (batch * batchSize + index) * 10).toISOString();
    const record = sampleRecord(`new-${batch}-${index}`, {
      organization: `org-${index % 50}`,
      started_at: at,
      ended_at: at,
      number: '12025550110',
    });
    return readEntry({ id: `1-${index}`, json: JSON.stringify(record) });
  });

async function measureStores(all: readonly Filled[]): Promise<void> {
  const walOf = async (client: pg.Client): Promise<number> => {
    const { rows } = await client.query<{ at: string }>(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as at",
    );
    return Number(rows[0]!.at);
  };
  await all[0]!.client.query('checkpoint');
  const sums = new Map(all.map(({ shape }) => [shape, { times: [] as number[], octets: 0 }]));
  for (let batch = 0; batch < batches; batch++) {
    for (const { shape, database, client } of all) {
      const sum = sums.get(shape)!;
      const first = await walOf(client);
      const start = performance.now();
      await storeEntries(database, batchOf(batch));
      sum.times.push((performance.now() - start) / batchSize);
      sum.octets += (await walOf(client)) - first;
    }
  }
  for (const { shape, figures } of all) {
    const { times, octets } = sums.get(shape)!;
    figures.set('store a call, in batches of 100, ms', medianOf(times).toFixed(2));
    figures.set('write-ahead log of a stored call, octets', String(Math.round(octets / batches / batchSize)));
  }
}

async function measureRetention(shape: Shape, database: Kysely<Database>, figures: Figures): Promise<void> {
  const oldest = dayOf(now) - (days - 3) * dayMilliseconds;
  const { rows } = await sql<{ calls: string }>`
    select count(*) as calls from calls where started_at < ${new Date(oldest)}`.execute(database);
  const old = Number(rows[0]!.calls);
  const start = performance.now();
  if (shape === 'partitions') await dropDays(database, oldest);
  else {
    for (;;) {
      const { numAffectedRows } = await sql`
        delete from calls where call_id in (
          select call_id from calls where started_at < ${new Date(oldest)} limit 2000 for update skip locked)`.execute(
        database,
      );
      if (numAffectedRows === 0n) break;
    }
  }
  const milliseconds = performance.now() - start;
  figures.set('remove 100,000 old calls, ms', ((milliseconds / old) * 100_000).toFixed(0));
}

async function measureSizes(client: pg.Client, figures: Figures): Promise<void> {
  const { rows } = await client.query<{ tables: string; indexes: string }>(
    `select sum(pg_table_size(oid)) as tables, sum(pg_indexes_size(oid)) as indexes from pg_class
      where relkind = 'r' and relname like 'calls%' and relname !~ 'batch'`,
  );
  figures.set('tables, octets a call', String(Math.round(Number(rows[0]!.tables) / calls)));
  figures.set('indexes, octets a call', String(Math.round(Number(rows[0]!.indexes) / calls)));
}

async function fillShape(postgres: PrivatePostgres, shape: Shape): Promise<Filled> {
  const url = await postgres.database(`records_${shape}`);
  await migrate(url);
  const database = open(url);
  const client = new pg.Client({ connectionString: url });
  // The query that the end of the server interrupts rejects too.
  client.on('error', () => {});
  await client.connect();
  const start = performance.now();
  await (shape === 'table' ? fillTable(client) : fillPartitions(client, database));
  await client.query('vacuum analyze calls');
  print(`${shape}: filled in ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  return { shape, database, client, figures: new Map() };
}

const postgres = await PrivatePostgres.start([
  'shared_buffers=1GB',
  'maintenance_work_mem=512MB',
  'max_wal_size=8GB',
  'autovacuum=off',
]);
// In the middle of a long query, the server would not notice that its client is gone.
stopAtSignal(() => postgres.stop());
const all: Filled[] = [];
try {
  const shapes = values.shapes.split(',') as Shape[];
  for (const shape of shapes) all.push(await fillShape(postgres, shape));
  for (const { client, figures } of all) await measureSizes(client, figures);
  await measureReads(all);
  await measureStores(all);
  for (const { shape, database, figures } of all) await measureRetention(shape, database, figures);
  print(`\n${calls.toLocaleString('en')} calls in ${days} days\n`);
  print(`| | ${shapes.join(' | ')} |\n| --- |${' --- |'.repeat(shapes.length)}`);
  for (const name of all[0]!.figures.keys())
    print(`| ${name} | ${all.map(({ figures }) => figures.get(name)).join(' | ')} |`);
} finally {
  for (const { client, database } of all) {
    await client.end();
    await database.destroy();
  }
  await postgres.stop();
}
