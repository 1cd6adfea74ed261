import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { readPhoneNumber } from '../../http/phone-number.js';
import { periodOf } from '../budget/period.js';
import { readUsage } from '../budget/usage-sum.js';
import { requireNumber } from '../scenarios/called-numbers.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import { readScenario } from '../scenarios/scenario-storage.js';
import type { UsageSum } from '../schemas/money.js';
import { earlierCalls, type MonitorChange, type MonitorValues, recentCalls } from '../schemas/monitor.js';
import type { MonitorRow } from './monitor-view.js';
import { type Judged, type Standing, standingOf } from './standing.js';

type Connection = Kysely<Database> | Transaction<Database>;

/** Monitors per organization: each runs for ever. */
export const maximumMonitors = 50;

/** Stores a monitor, once for an id. Throws `DemarcError` `NOT_FOUND` for a scenario or `TOO_MANY_TEST_MONITORS`, or `InvalidRequest`. */
export async function createMonitor(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { scenario_id, ...values }: MonitorValues,
): Promise<MonitorRow> {
  const { row: scenario } = await readScenario(database, organizationId, scenario_id);
  const columns = monitorColumns(values);
  if (columns.number !== null) await requireNumber(database, organizationId, columns.number, values.number!);
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'test monitors', organizationId);
    const { count } = await transaction
      .selectFrom('agent_test_monitors')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumMonitors) throw new DemarcError('TOO_MANY_TEST_MONITORS');
    const row = await transaction
      .insertInto('agent_test_monitors')
      .values({
        ...columns,
        organization_id: organizationId,
        id,
        scenario_id: scenario.id,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    return row ?? readMonitor(transaction, organizationId, id);
  });
}

/** The number by its digits, the persona as its table has it. */
export const monitorColumns = ({
  number,
  persona_id: personaId,
  ...values
}: Omit<MonitorValues, 'scenario_id'>) => ({
  ...values,
  number: number === null ? null : readPhoneNumber(number)!,
  persona_id: personaId === null ? null : personaId.toLowerCase(),
});

/** Omitted fields keep their value; a monitor that is resumed begins with the calls that end from then on. Throws `DemarcError` `NOT_FOUND`. */
export async function changeMonitor(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  change: MonitorChange,
): Promise<MonitorRow> {
  const { id: stored, enabled } = await readMonitor(database, organizationId, id);
  return database
    .updateTable('agent_test_monitors')
    .set(changedColumns(change, enabled, new Date()))
    .where('organization_id', '=', organizationId)
    .where('id', '=', stored)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @param isEnabled before the change */
export const changedColumns = (change: MonitorChange, isEnabled: boolean, now: Date) => ({
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  updated_at: now,
  ...(change.enabled === true && !isEnabled ? { examined_until: now } : {}),
});

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readMonitor(
  database: Connection,
  organizationId: string,
  id: string,
): Promise<MonitorRow> {
  const row = isUuid(id)
    ? await database
        .selectFrom('agent_test_monitors')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new DemarcError('NOT_FOUND', `Test monitor ${id.slice(0, 64)} not found`);
  return row;
}

/** Newest first. Throws `InvalidRequest` when `after` is no monitor. */
export async function listMonitors(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly MonitorRow[]; readonly next: string | null }> {
  const start = await pageStart(database, 'agent_test_monitors', organizationId, after);
  const rows = await database
    .selectFrom('agent_test_monitors')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(start)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageFrom(rows, limit);
}

/** Its runs stay. Throws `DemarcError` `NOT_FOUND`. */
export async function deleteMonitor(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  const { id: stored } = await readMonitor(database, organizationId, id);
  await database
    .deleteFrom('agent_test_monitors')
    .where('organization_id', '=', organizationId)
    .where('id', '=', stored)
    .execute();
}

/** What the latest judged calls of monitors show, by their ids. */
export async function readStandings(
  database: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<(id: string) => Standing> {
  const { rows } = await sql<{ id: string; statuses: Judged[] }>`
    select monitor.id, array_agg(latest.status order by latest.created_at desc, latest.id desc) as statuses
    from unnest(${[...ids]}::uuid[]) as monitor (id)
    cross join lateral (
      select run.status, run.created_at, run.id from agent_test_runs as run
      where run.organization_id = ${organizationId} and run.monitor_id = monitor.id
        and run.status in ('PASSED', 'FAILED')
      order by run.created_at desc, run.id desc limit ${recentCalls + earlierCalls}
    ) as latest
    group by monitor.id`.execute(database);
  const found = new Map(rows.map(({ id, statuses }) => [id, standingOf(statuses)]));
  return (id) => found.get(id) ?? standingOf([]);
}

/** Tokens and cost of what monitors judged in the present month (UTC), by their ids. */
export const readMonthlyUsage = (
  database: Connection,
  organizationId: string,
  ids: readonly string[],
  now = new Date(),
): Promise<(id: string) => UsageSum> =>
  readUsage(database, organizationId, 'monitor_id', ids, periodOf('month', now).begins);
