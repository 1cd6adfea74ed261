import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { newId } from '../../organizations/identifiers.js';
import { firstSeenAt, mergedReasons, recoveryOf, type SeenReason } from './seen-reasons.js';
import type { IncidentsTable, StoredChange } from './tables.js';

export type IncidentRow = Selectable<IncidentsTable>;

const mostChanges = 20;
/** Changes of a day before may be the cause. */
const changesMilliseconds = 86_400_000;
/** Calls of the window that turned the verdict red. */
const firstCallMilliseconds = 3_600_000;
const keptDays = 400;

/** What people do with the dashboard itself, which changes no call. */
const unrelatedActions = [
  ...['signIn', 'switchOrganization', 'acceptInvitation', 'setPassword', 'changePassword'],
  ...['updateAlert', 'testAlerts', 'testAlertContact', 'updateIncident', 'shareCall', 'revokeCallShare'],
];

export const readOpenIncidents = (database: Kysely<Database>): Promise<IncidentRow[]> =>
  database.selectFrom('incidents').selectAll().where('recovered_at', 'is', null).execute();

/** Opens an incident with what is known of its beginning. Undefined: another process has just opened it. */
export async function openIncident(
  database: Kysely<Database>,
  organizationId: string | null,
  reasons: readonly SeenReason[],
  now: Date,
): Promise<IncidentRow | undefined> {
  const openedAt = firstSeenAt(reasons);
  const first =
    organizationId === null ? undefined : await readFirstCall(database, organizationId, reasons, now);
  const firstFailureAt = first === undefined || first.started_at > openedAt ? openedAt : first.started_at;
  const changes = organizationId === null ? [] : await readChanges(database, organizationId, firstFailureAt);
  return database
    .insertInto('incidents')
    .values({
      id: newId('inc'),
      organization_id: organizationId,
      title: reasons[0]!.text,
      opened_at: openedAt,
      first_failure_at: firstFailureAt,
      first_call_id: first?.call_id ?? null,
      reasons: JSON.stringify(mergedReasons([], reasons, now)),
      changes: JSON.stringify(changes),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * The verdict is still red, or again before it had recovered. The row is locked, because another process may add its reasons.
 * Returns false if the organization, or the service (null), has no open incident.
 */
export const continueIncident = (
  database: Kysely<Database>,
  organizationId: string | null,
  reasons: readonly SeenReason[],
  now: Date,
): Promise<boolean> =>
  database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('incidents')
      .select(['id', 'reasons'])
      .where('organization_id', 'is not distinct from', organizationId)
      .where('recovered_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    await transaction
      .updateTable('incidents')
      .set({ reasons: JSON.stringify(mergedReasons(row.reasons, reasons, now)), clear_since: null })
      .where('id', '=', row.id)
      .execute();
    return true;
  });

/** The verdict is not red. Returns whether the incident has recovered; not if another process has just seen it red. */
export async function clearIncident(
  database: Kysely<Database>,
  row: IncidentRow,
  now: Date,
): Promise<boolean> {
  const { clearSince, isOver } = recoveryOf(row.clear_since, now);
  if (row.clear_since !== null && !isOver) return false;
  const { numUpdatedRows } = await database
    .updateTable('incidents')
    .set({ clear_since: clearSince, recovered_at: isOver ? clearSince : null })
    .where('id', '=', row.id)
    .where('recovered_at', 'is', null)
    .where('clear_since', 'is not distinct from', row.clear_since)
    .executeTakeFirst();
  return isOver && numUpdatedRows === 1n;
}

/** The first call that ended like those that turned the verdict red. */
async function readFirstCall(
  database: Kysely<Database>,
  organizationId: string,
  reasons: readonly SeenReason[],
  now: Date,
): Promise<{ readonly call_id: string; readonly started_at: Date } | undefined> {
  const cause = reasons.find(({ end_reason }) => end_reason !== null);
  if (cause === undefined) return undefined;
  return database
    .selectFrom('ended_calls')
    .select(['call_id', 'started_at'])
    .where('organization_id', '=', organizationId)
    .where('started_at', '>', new Date(now.getTime() - firstCallMilliseconds))
    .where('end_reason', '=', cause.end_reason!)
    .where('sip_status', 'is not distinct from', cause.sip_status)
    .$if(cause.phone_number !== null, (query) => query.where('number', '=', cause.phone_number!.slice(1)))
    .orderBy('started_at')
    .orderBy('call_id')
    .limit(1)
    .executeTakeFirst();
}

async function readChanges(
  database: Kysely<Database>,
  organizationId: string,
  before: Date,
): Promise<readonly StoredChange[]> {
  const rows = await database
    .selectFrom('audit_events')
    .select(['occurred_at', 'actor_name', 'summary', 'subject', 'fields'])
    .where('organization_id', '=', organizationId)
    .where('occurred_at', '<=', before)
    .where('occurred_at', '>', new Date(before.getTime() - changesMilliseconds))
    .where('action', 'not in', unrelatedActions)
    .orderBy('id', 'desc')
    .limit(mostChanges)
    .execute();
  return rows.map(({ occurred_at, actor_name, summary, subject, fields }) => ({
    at: occurred_at.toISOString(),
    by: actor_name,
    summary,
    subject,
    fields,
  }));
}

export interface IncidentFilter {
  /** Undefined: those of all organizations and of the service. */
  readonly organizationId: string | undefined;
  readonly state?: 'open' | 'recovered' | undefined;
  readonly limit: number;
  /** Id of the last incident of the previous page. */
  readonly after?: string | undefined;
}

/** Its own incidents, and those of components, which concern every organization. */
const visible = (database: Kysely<Database>, organizationId: string | undefined) =>
  database
    .selectFrom('incidents')
    .leftJoin('organizations', 'organizations.id', 'organization_id')
    .selectAll('incidents')
    .select('organizations.name as organization_name')
    .$if(organizationId !== undefined, (query) =>
      query.where(
        sql<boolean>`(organization_id = ${organizationId} or (organization_id is null and reasons @> '[{"kind":"component"}]'))`,
      ),
    );

export type NamedIncident = IncidentRow & { readonly organization_name: string | null };

/** Newest first. Undefined if `after` is not an incident that the organization sees. */
export async function readIncidents(
  database: Kysely<Database>,
  { organizationId, state, limit, after }: IncidentFilter,
): Promise<readonly NamedIncident[] | undefined> {
  let query = visible(database, organizationId);
  if (state !== undefined) query = query.where('recovered_at', state === 'open' ? 'is' : 'is not', null);
  if (after !== undefined) {
    const cursor = await readIncident(database, organizationId, after);
    if (cursor === undefined) return undefined;
    query = query.where(sql<boolean>`(opened_at, incidents.id) < (${cursor.opened_at}, ${cursor.id})`);
  }
  return query.orderBy('opened_at', 'desc').orderBy('incidents.id', 'desc').limit(limit).execute();
}

export const readIncident = (
  database: Kysely<Database>,
  organizationId: string | undefined,
  id: string,
): Promise<NamedIncident | undefined> =>
  visible(database, organizationId).where('incidents.id', '=', id).executeTakeFirst();

export interface IncidentHandling {
  readonly acknowledged?: boolean | undefined;
  readonly note?: string | null | undefined;
}

/** @param name of the member or key that acknowledges */
export async function handleIncident(
  database: Kysely<Database>,
  { id }: IncidentRow,
  name: string,
  { acknowledged, note }: IncidentHandling,
): Promise<void> {
  await database
    .updateTable('incidents')
    .set({
      ...(acknowledged === undefined
        ? {}
        : acknowledged
          ? { acknowledged_at: new Date(), acknowledged_by: name }
          : { acknowledged_at: null, acknowledged_by: null }),
      ...(note === undefined ? {} : { note: note === '' ? null : note }),
    })
    .where('id', '=', id)
    .execute();
}

/** As long as the audit log. */
export async function deleteOldIncidents(database: Kysely<Database>): Promise<void> {
  await database
    .deleteFrom('incidents')
    .where('recovered_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
    .execute();
}
