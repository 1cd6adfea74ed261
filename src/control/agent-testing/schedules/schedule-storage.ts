import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { InvalidRequest } from '../../http/validation.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { ScheduleChange, ScheduleValues } from '../schemas/schedule.js';
import { hasFewRuns, tooManyRuns } from '../schemas/simulation.js';
import type { SetOrder } from '../simulation/simulation-storage.js';
import { nextRunAt } from './recurrence.js';
import { budgetOf } from './schedule-use.js';
import type { ScheduleRow } from './schedule-view.js';

/** Schedules per organization: each runs for ever. */
export const maximumSchedules = 50;

const unknownSchedule = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Test schedule ${id.slice(0, 64)} not found`);

/** As columns of its table. */
export const columnsOf = ({ scenario_ids: ids, matrix, recurrence, budget, ...values }: ScheduleValues) => ({
  ...values,
  scenario_ids: ids.map((id) => id.toLowerCase()),
  matrix: matrix === null ? null : JSON.stringify(matrix),
  recurrence: JSON.stringify(recurrence),
  budget_period: budget?.period ?? null,
  budget_tokens: budget?.tokens ?? null,
  budget_cost: budget?.cost ?? null,
});

/** What a schedule starts. */
export const setOrder = ({
  id,
  scenario_ids,
  simulations_per_scenario,
  version,
  channel,
  matrix,
}: Pick<ScheduleRow, 'scenario_ids' | 'simulations_per_scenario' | 'version' | 'channel' | 'matrix'> & {
  readonly id?: string;
}): SetOrder => ({
  scenario_ids,
  simulations_per_scenario,
  ...(version === 'live' ? { version_number: 'live' as const } : {}),
  channel: channel ?? undefined,
  matrix: matrix ?? undefined,
  // Releases before do not know schedules as what starts a set; lists show it by `schedule_id`.
  trigger_source: 'api',
  schedule_id: id,
});

/** Stores a schedule, once for an id. Throws `DemarcError` `TOO_MANY_TEST_SCHEDULES`. */
export function createSchedule(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  values: ScheduleValues,
): Promise<ScheduleRow> {
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'test schedules', organizationId);
    const { count } = await transaction
      .selectFrom('agent_test_schedules')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumSchedules) throw new DemarcError('TOO_MANY_TEST_SCHEDULES');
    const row = await transaction
      .insertInto('agent_test_schedules')
      .values({
        ...columnsOf(values),
        organization_id: organizationId,
        id,
        next_run_at: firstRunAt(values, new Date()),
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    return row ?? readSchedule(transaction, organizationId, id);
  });
}

/** Omitted fields keep their value. Throws `DemarcError` `NOT_FOUND`, or `InvalidRequest` for too many runs. */
export function changeSchedule(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  change: ScheduleChange,
): Promise<ScheduleRow> {
  return database.transaction().execute(async (transaction) => {
    const row = await readSchedule(transaction, organizationId, id, { isLocked: true });
    const values = changedValues(row, change);
    const now = new Date();
    return transaction
      .updateTable('agent_test_schedules')
      .set({
        ...columnsOf(values),
        updated_at: now,
        ...(isRestarted(row, change) ? { next_run_at: firstRunAt(values, now) } : {}),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Null: it is paused. */
export const firstRunAt = (
  { enabled, recurrence }: Pick<ScheduleValues, 'enabled' | 'recurrence'>,
  now: Date,
): Date | null => (enabled ? nextRunAt(recurrence, now) : null);

/** Whether a change sets the next time again. */
export const isRestarted = (
  row: Pick<ScheduleRow, 'enabled'>,
  { recurrence, enabled = row.enabled }: Pick<ScheduleChange, 'recurrence' | 'enabled'>,
): boolean => recurrence !== undefined || enabled !== row.enabled;

/** Throws `InvalidRequest` for too many runs. */
export function changedValues(row: ScheduleRow, change: ScheduleChange): ScheduleValues {
  const { name, scenario_ids, simulations_per_scenario, version, channel, matrix } = row;
  const { recurrence, required_pass_rate, notify_contacts, enabled } = row;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const values: ScheduleValues = {
    name,
    scenario_ids,
    simulations_per_scenario,
    version,
    channel,
    matrix,
    recurrence,
    required_pass_rate,
    notify_contacts,
    budget: budgetOf(row),
    enabled,
    ...given,
  };
  if (!hasFewRuns(values)) throw InvalidRequest.at('simulations_per_scenario', tooManyRuns);
  return values;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readSchedule(
  database: Kysely<Database> | Transaction<Database>,
  organizationId: string,
  id: string,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<ScheduleRow> {
  if (!isUuid(id)) throw unknownSchedule(id);
  const query = database
    .selectFrom('agent_test_schedules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw unknownSchedule(id);
  return row;
}

/** Newest first. Throws `InvalidRequest` when `after` is no schedule. */
export async function listSchedules(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly ScheduleRow[]; readonly next: string | null }> {
  const start = await pageStart(database, 'agent_test_schedules', organizationId, after);
  const rows = await database
    .selectFrom('agent_test_schedules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(start)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageFrom(rows, limit);
}

/** Runs in progress continue. Throws `DemarcError` `NOT_FOUND`. */
export async function deleteSchedule(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  const { id: stored } = await readSchedule(database, organizationId, id);
  await database
    .deleteFrom('agent_test_schedules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`${stored}::uuid`)
    .execute();
}
