import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import { dayOf, daySums, numberSums, type UsedCall } from './call-sums.js';
import type { CallDaysTable } from './tables.js';

export { dayOf, type UsedCall };

/**
 * Adds calls to the days on which they started; to be done in the transaction that stores them, so that each counts once.
 * @param sign -1: subtracts calls that leave the history
 */
export async function countDays(
  transaction: Transaction<Database>,
  calls: readonly UsedCall[],
  sign: 1 | -1,
): Promise<void> {
  const { rows, past } = daySums(calls, sign, dayOf(new Date()));
  if (rows.length === 0) return;
  await countNumbers(transaction, calls, sign);
  await transaction
    .insertInto('call_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'day', 'direction']).doUpdateSet({
        calls: sql`call_days.calls + excluded.calls`,
        answered: sql`call_days.answered + excluded.answered`,
        answered_milliseconds: sql`call_days.answered_milliseconds + excluded.answered_milliseconds`,
      }),
    )
    .execute();
  for (const { organization, day } of past) {
    await transaction
      .deleteFrom('call_day_peaks')
      .where('organization_id', '=', organization)
      .where('day', '=', sql<string>`${day}::date`)
      .execute();
  }
}

async function countNumbers(
  transaction: Transaction<Database>,
  calls: readonly UsedCall[],
  sign: 1 | -1,
): Promise<void> {
  await transaction
    .insertInto('call_number_days')
    .values(numberSums(calls, sign))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'day', 'number', 'agent', 'direction']).doUpdateSet({
        calls: sql`call_number_days.calls + excluded.calls`,
        answered: sql`call_number_days.answered + excluded.answered`,
        answered_milliseconds: sql`call_number_days.answered_milliseconds + excluded.answered_milliseconds`,
      }),
    )
    .execute();
}

/** What usage is broken down by. */
export type UsageGroup = 'number' | 'agent';

export interface GroupSum extends Omit<DaySum, 'day'> {
  /** Digits of the number, or address of the agent; empty: none. */
  readonly group: string;
}

/** What the organization's calls came to from the first day to the last, by number or agent and direction; the most minutes first. */
export async function readGroups(
  database: Kysely<Database>,
  organizationId: string,
  { by, first, last, limit }: { by: UsageGroup; first: string; last: string; limit: number },
): Promise<GroupSum[]> {
  const column = sql.ref(by);
  const { rows } = await sql<{
    group: string;
    direction: CallDaysTable['direction'];
    calls: string;
    answered: string;
    milliseconds: string;
  }>`
    with sums as (
      select ${column} as "group", direction, sum(calls) as calls, sum(answered) as answered,
        sum(answered_milliseconds) as milliseconds
      from call_number_days
      where organization_id = ${organizationId} and day >= ${first}::date and day <= ${last}::date
      group by 1, 2 having sum(calls) > 0
    ), most as (
      select "group", sum(milliseconds) as milliseconds, sum(calls) as calls from sums group by 1
      order by 2 desc, 3 desc, 1 limit ${limit}
    )
    select sums.* from sums join most using ("group")
    order by most.milliseconds desc, most.calls desc, "group", direction`.execute(database);
  return rows.map(({ group, direction, calls, answered, milliseconds }) => ({
    group,
    direction,
    calls: Number(calls),
    answered: Number(answered),
    answeredMilliseconds: Number(milliseconds),
  }));
}

export interface DaySum {
  readonly day: string;
  readonly direction: CallDaysTable['direction'];
  readonly calls: number;
  readonly answered: number;
  readonly answeredMilliseconds: number;
}

/** Sums of the organization's calls for each day that had any, from the first day to the last. */
export async function readDays(
  database: Kysely<Database>,
  organizationId: string,
  first: string,
  last: string,
): Promise<DaySum[]> {
  const rows = await database
    .selectFrom('call_days')
    .select(sql<string>`day::text`.as('day'))
    .select(['direction', 'calls', 'answered', 'answered_milliseconds'])
    .where('organization_id', '=', organizationId)
    .where('day', '>=', sql<string>`${first}::date`)
    .where('day', '<=', sql<string>`${last}::date`)
    .where('calls', '>', 0)
    .execute();
  return rows.map(({ answered_milliseconds, ...row }) => ({
    ...row,
    answeredMilliseconds: Number(answered_milliseconds),
  }));
}

/**
 * The most calls of a day that were active at once, from their first INVITE to their end; refused ones are none. A day that is
 * over is counted once and kept; undefined: its calls have left the history already.
 */
export async function readPeak(
  database: Kysely<Database>,
  organizationId: string,
  day: string,
  oldestDay: string,
): Promise<number | undefined> {
  const kept = await database
    .selectFrom('call_day_peaks')
    .select('peak')
    .where('organization_id', '=', organizationId)
    .where('day', '=', sql<string>`${day}::date`)
    .executeTakeFirst();
  if (kept !== undefined) return kept.peak;
  if (day <= oldestDay) return undefined;
  // One that started the day before may have gone on after midnight. What ends at a moment makes room for what begins then.
  const start = sql`(${day}::date)::timestamp at time zone 'UTC'`;
  const { rows } = await sql<{ peak: number }>`
    with spans as (
      select started_at, ended_at from calls
      where organization_id = ${organizationId} and outcome <> 'refused' and test_run_id is null
        and started_at < ${start} + interval '1 day' and started_at >= ${start} - interval '1 day'
        and ended_at > ${start} and ended_at > started_at
    ), steps as (
      select greatest(started_at, ${start}) as at, 1 as step from spans
      union all select ended_at, -1 from spans where ended_at < ${start} + interval '1 day'
    )
    select coalesce(max(active), 0)::int as peak
    from (select sum(step) over (order by at, step) as active from steps) counted`.execute(database);
  const { peak } = rows[0]!;
  if (day < dayOf(new Date())) await keepPeak(database, organizationId, day, peak);
  return peak;
}

async function keepPeak(
  database: Kysely<Database>,
  organizationId: string,
  day: string,
  peak: number,
): Promise<void> {
  await sql`insert into call_day_peaks (organization_id, day, peak) values (${organizationId}, ${day}::date, ${peak})
    on conflict do nothing`.execute(database);
}

/** Usage shows fewer days. Agents may redirect each call to another address, so that rows are not kept for ever. */
const keptNumberDays = 100;
const deletedAtOnce = 20_000;

export async function deleteOldNumberDays(database: Kysely<Database>): Promise<void> {
  await sql`delete from call_number_days where ctid = any(array(
    select ctid from call_number_days where day < current_date - ${keptNumberDays}::int limit ${deletedAtOnce}
  ))`.execute(database);
}
