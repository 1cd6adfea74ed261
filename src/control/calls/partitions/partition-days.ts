import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import {
  attachTable,
  createTable,
  dayMilliseconds,
  daysToAdd,
  isOver,
  type Partition,
  tableAhead,
  tableOfDay,
} from './day-tables.js';

/** While a statement waits for the lock of `calls`, all others wait behind it. */
const lockMilliseconds = 1_000;

/** "demarc calls"; other locks have 64-bit hashes of names. */
const lock = 7_364_219_006;

/** The partitions of `calls`; none: it is one table. */
export async function partitionsOf(database: Kysely<Database>): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select relname as name, pg_get_expr(relpartbound, oid) as bound from pg_class
    where relispartition and oid in (select inhrelid from pg_inherits where inhparent = to_regclass('calls'))
    order by relname`.execute(database);
  return rows.map(({ name, bound }) => {
    const [, end] = /TO \('([^']+)'\)/.exec(bound) ?? [];
    return { table: name, end: end === undefined ? undefined : Date.parse(end) };
  });
}

/**
 * Makes the tables of today and the next days where they are missing, in one short transaction; calls of these days that were stored
 * meanwhile move into them. Does nothing while another process does so. Throws if a long transaction keeps `calls` locked.
 */
export async function addDays(database: Kysely<Database>, now: number = Date.now()): Promise<void> {
  const partitions = await partitionsOf(database);
  if (partitions.length === 0) return;
  const days = daysToAdd(partitions, now);
  if (days.length === 0) return;
  await exclusively(database, async (transaction) => {
    // No partitions yet, so making them locks nothing.
    for (const statement of days.flatMap((day) => createTable(tableOfDay(day))))
      await run(transaction, statement);
    await run(transaction, `set local lock_timeout = ${lockMilliseconds}`);
    await run(transaction, `alter table calls detach partition ${tableAhead}`);
    for (const day of days) {
      await sql`
        with moved as (delete from ${sql.table(tableAhead)}
          where started_at >= ${new Date(day)} and started_at < ${new Date(day + dayMilliseconds)} returning *)
        insert into ${sql.table(tableOfDay(day))} select * from moved`.execute(transaction);
      await run(transaction, attachTable(tableOfDay(day), day, day + dayMilliseconds));
    }
    await run(transaction, attachTable(tableAhead, days.at(-1)! + dayMilliseconds, undefined));
  });
}

/**
 * Drops the tables whose calls all started before the moment. A table that is in use for longer than a second stays for the next time.
 * @returns how many calls left, by PostgreSQL's estimate
 */
export async function dropDays(database: Kysely<Database>, before: number): Promise<number> {
  let calls = 0;
  for (const partition of await partitionsOf(database)) {
    if (!isOver(partition, before)) continue;
    const { table } = partition;
    await exclusively(database, async (transaction) => {
      const { rows } = await sql<{ calls: string }>`
        select greatest(0, reltuples)::bigint as calls from pg_class where oid = to_regclass(${table})`.execute(
        transaction,
      );
      await run(transaction, `set local lock_timeout = ${lockMilliseconds}`);
      await run(transaction, `drop table if exists ${table}`);
      calls += Number(rows[0]?.calls ?? 0);
    });
  }
  return calls;
}

async function exclusively(
  database: Kysely<Database>,
  change: (transaction: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      taken: boolean;
    }>`select pg_try_advisory_xact_lock(${lock}) as taken`.execute(transaction);
    if (rows[0]?.taken === true) await change(transaction);
  });
}

const run = (transaction: Transaction<Database>, statement: string): Promise<unknown> =>
  sql.raw(statement).execute(transaction);
