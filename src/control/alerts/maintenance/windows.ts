import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { newId } from '../../organizations/identifiers.js';
import type { AlertKind, MaintenanceWindowsTable } from '../tables.js';
import { isCovered, type Schedule } from './schedule.js';

export type MaintenanceWindow = Selectable<MaintenanceWindowsTable>;
type Connection = Kysely<Database> | Transaction<Database>;

export const maximumWindows = 200;

export interface WindowValues {
  readonly name: string;
  /** E.164 digits without plus; null with `trunkId` null: all numbers of the organization. */
  readonly number: string | null;
  readonly trunkId: string | null;
  readonly kinds: readonly AlertKind[];
  readonly timeZone: string;
  readonly schedule: Schedule;
  readonly enabled: boolean;
}

const columnsOf = ({ name, number, trunkId, kinds, timeZone, schedule, enabled }: WindowValues) => ({
  name,
  number,
  enabled,
  trunk_id: trunkId,
  time_zone: timeZone,
  kinds: JSON.stringify(kinds),
  schedule: JSON.stringify(schedule),
});

/**
 * @param by name of the member or key
 * Throws `DemarcError` `TOO_MANY_MAINTENANCE_WINDOWS`.
 */
export function createWindow(
  database: Kysely<Database>,
  organizationId: string,
  values: WindowValues,
  by: string,
): Promise<MaintenanceWindow> {
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'maintenance windows', organizationId);
    if ((await readWindows(transaction, organizationId)).length >= maximumWindows) {
      throw new DemarcError('TOO_MANY_MAINTENANCE_WINDOWS');
    }
    return transaction
      .insertInto('maintenance_windows')
      .values({
        id: newId('mwn'),
        organization_id: organizationId,
        created_by: by,
        updated_by: by,
        ...columnsOf(values),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Newest first, unpaged because there are few. */
export const readWindows = (database: Connection, organizationId: string): Promise<MaintenanceWindow[]> =>
  database
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const findWindow = (
  database: Connection,
  organizationId: string,
  id: string,
): Promise<MaintenanceWindow | undefined> =>
  database
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Undefined: no such window. */
export const updateWindow = (
  database: Connection,
  organizationId: string,
  id: string,
  values: WindowValues,
  by: string,
): Promise<MaintenanceWindow | undefined> =>
  database
    .updateTable('maintenance_windows')
    .set({ ...columnsOf(values), updated_at: new Date(), updated_by: by })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returningAll()
    .executeTakeFirst();

/** False: no such window. */
export async function deleteWindow(
  database: Connection,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('maintenance_windows')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a window is open at that moment. */
export const isOpen = (
  { enabled, schedule, time_zone: zone }: Pick<MaintenanceWindow, 'enabled' | 'schedule' | 'time_zone'>,
  moment: Date,
): boolean => enabled && isCovered(schedule, zone, moment);

/** The open windows of all organizations. */
export async function readOpenWindows(database: Connection, now: Date): Promise<MaintenanceWindow[]> {
  const rows = await database
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('enabled', '=', true)
    // As texts of one form: a cast of a year that PostgreSQL cannot write would fail for all organizations.
    .where(
      sql<boolean>`(schedule->>'type' <> 'once' or (schedule->>'ends_at') collate "C" > ${now.toISOString()})`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.filter((row) => isOpen(row, now));
}

/** What a window may cover. */
export interface Subject {
  readonly organizationId: string;
  /** E.164 digits without plus. */
  readonly number: string;
  /** The trunk that the number shares; null: none. */
  readonly trunkId: string | null;
}

/** Whether the window is for that number, at whatever time. */
export const isFor = (window: MaintenanceWindow, { organizationId, number, trunkId }: Subject): boolean =>
  window.organization_id === organizationId &&
  (window.number === null || window.number === number) &&
  (window.trunk_id === null || window.trunk_id === trunkId);

/** The first of the open windows that covers alerts of that kind; undefined: none. */
export const coveringWindow = (
  open: readonly MaintenanceWindow[],
  subject: Subject & { readonly kind: AlertKind },
): MaintenanceWindow | undefined =>
  open.find((window) => isFor(window, subject) && window.kinds.includes(subject.kind));
