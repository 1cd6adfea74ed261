import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { partitionStep } from '../../database/later-steps.js';
import {
  attachTable,
  createTable,
  dayMilliseconds,
  dayOf,
  daysAhead,
  tableAhead,
  tableBefore,
  tableOfDay,
} from './day-tables.js';

const cutConstraint = 'calls_before_first_day';
const lockMilliseconds = 1_000;
const lockAttempts = 60;
const pauseMilliseconds = 1_000;

export interface PartitionProgress {
  readonly report: (line: string) => void;
}

/**
 * Turns `calls` into partitions by day while control stores and reads calls: the table that exists becomes one partition, of all days before the
 * second midnight from now. Reads all calls once beside the traffic, then locks `calls` for some milliseconds. Can be repeated after an
 * interruption. Control of the release before cannot store calls afterwards, and refuses to start.
 * @param client without a timeout for statements
 * @returns false: `calls` has partitions already
 */
export async function partitionCalls(
  client: ClientBase,
  { report }: PartitionProgress,
  now: number = Date.now(),
): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    "select relkind as kind from pg_class where oid = 'calls'::regclass",
  );
  if (rows[0]?.kind === 'p') return false;
  // Calls that start until the end of this are stored in the table that exists.
  const first = dayOf(now) + 2 * dayMilliseconds;
  const cut = new Date(first).toISOString();
  report(`Checking that no call starts after ${cut}. Calls are stored and read meanwhile.`);
  await locked(client, report, [
    // Of an attempt that was interrupted.
    `alter table calls drop constraint if exists ${cutConstraint}`,
    `alter table calls add constraint ${cutConstraint} check (started_at < '${cut}') not valid`,
  ]);
  // Without it, attaching the table would read it while nothing can be stored.
  await client.query(`alter table calls validate constraint ${cutConstraint}`);
  const days = Array.from({ length: daysAhead }, (_, index) => first + index * dayMilliseconds);
  const end = first + daysAhead * dayMilliseconds;
  for (const table of [...days.map(tableOfDay), tableAhead]) await execute(client, createTable(table));
  report('Taking the table into the partitions.');
  const views = await viewsOfCalls(client);
  await locked(client, report, [
    `alter table calls rename to ${tableBefore}`,
    `create table calls (like ${tableBefore} including defaults including storage) partition by range (started_at)`,
    attachTable(tableBefore, undefined, first),
    ...days.map((day) => attachTable(tableOfDay(day), day, day + dayMilliseconds)),
    attachTable(tableAhead, end, undefined),
    // A view names its table by the id, which went to the partition.
    ...views.map(({ name, query }) => `create or replace view ${name} as ${query}`),
    `alter table ${tableBefore} drop constraint ${cutConstraint}`,
    `insert into kysely_migration (name, timestamp) values ('${partitionStep}', now()::text)`,
  ]);
  return true;
}

/** In one transaction, which gives up waiting for the lock after a second, so that stored calls never wait for longer, and tries again. */
async function locked(
  client: ClientBase,
  report: PartitionProgress['report'],
  statements: readonly string[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${lockMilliseconds}`);
      await execute(client, statements);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = (error as { code?: unknown }).code === '55P03';
      if (!isLocked || attempt === lockAttempts) throw error;
      if (attempt === 1) report('Waiting for a transaction that uses the table.');
      await sleep(pauseMilliseconds);
    }
  }
}

async function execute(client: ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

interface View {
  readonly name: string;
  readonly query: string;
}

async function viewsOfCalls(client: ClientBase): Promise<readonly View[]> {
  const { rows } = await client.query<View>(
    `select distinct ev_class::regclass::text as name, pg_get_viewdef(ev_class) as query
      from pg_rewrite join pg_depend on pg_depend.objid = pg_rewrite.oid
      where refobjid = 'calls'::regclass and ev_class <> 'calls'::regclass`,
  );
  return rows;
}
