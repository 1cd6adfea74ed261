import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { shownColumns } from '../deliveries/delivery-storage.js';
import { type DeliveryView, deliveryView } from '../deliveries/delivery-view.js';
import type { Direction } from '../numbers/tables.js';
import type { AlertRow } from './alert-view.js';
import type { AlertState } from './tables.js';

export interface AlertFilter {
  readonly organizationId: string;
  /** E.164 digits without plus. */
  readonly number?: string | undefined;
  readonly direction?: Direction | undefined;
  readonly state?: AlertState | undefined;
}

export interface AlertPage {
  readonly rows: readonly AlertRow[];
  readonly hasMore: boolean;
  readonly activeCount: number;
}

const filtered = (database: Kysely<Database>, filter: AlertFilter) => {
  let query = database.selectFrom('alerts').where('organization_id', '=', filter.organizationId);
  if (filter.number !== undefined) query = query.where('number', '=', filter.number);
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction);
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  return query;
};

/** Active alerts first, then the others, each newest first. Undefined if `before` is not an alert of the organization. */
export async function readAlerts(
  database: Kysely<Database>,
  filter: AlertFilter & { readonly limit: number; readonly before?: string | undefined },
): Promise<AlertPage | undefined> {
  let query = filtered(database, filter).selectAll();
  if (filter.before !== undefined) {
    const cursor = await readAlert(database, filter.organizationId, filter.before);
    if (cursor === undefined) return undefined;
    const { state, fired_at, id } = cursor;
    query = query.where(
      sql<boolean>`((state = 'active'), fired_at, id) < (${state === 'active'}, ${fired_at}, ${id})`,
    );
  }
  const rows = await query
    .orderBy(sql`(state = 'active')`, 'desc')
    .orderBy('fired_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const { count } = await filtered(database, filter)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
  return {
    rows: rows.slice(0, filter.limit),
    hasMore: rows.length > filter.limit,
    activeCount: Number(count),
  };
}

/** Undefined if the organization has no such alert. */
export function readAlert(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<AlertRow | undefined> {
  return database
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** The notices of these alerts and their outcome, in the order they were queued. */
export async function readNotices(
  database: Kysely<Database>,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DeliveryView[]>> {
  const notices = new Map<string, DeliveryView[]>();
  if (alertIds.length === 0) return notices;
  const rows = await database
    .selectFrom('deliveries')
    .select(shownColumns)
    .where('subject', '=', sql<string>`any(${[...alertIds]}::text[])`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const row of rows) {
    const list = notices.get(row.subject) ?? [];
    list.push(deliveryView(row));
    notices.set(row.subject, list);
  }
  return notices;
}

/** Alerts of the organization that fired within the time, the first one first, each with its notices. */
export async function readNotifiedBetween(
  database: Kysely<Database>,
  organizationId: string,
  { from, until, limit }: { readonly from: Date; readonly until: Date; readonly limit: number },
): Promise<readonly { readonly alert: AlertRow; readonly notices: readonly DeliveryView[] }[]> {
  const rows = await database
    .selectFrom('alerts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('fired_at', '>=', from)
    .where('fired_at', '<=', until)
    .orderBy('fired_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  const notices = await readNotices(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map((alert) => ({ alert, notices: notices.get(alert.id) ?? [] }));
}

/** An alert that reached no recipient by then counts as unnoticed, although its notices are still retried for hours. */
const noticeMinutes = 2;

/** The organization's active alerts, and those of them that are not acknowledged and reached no recipient. */
export async function countActive(
  database: Kysely<Database>,
  organizationId: string,
): Promise<{ active: number; unnoticed: number }> {
  const { active, noticed } = await database
    .selectFrom('alerts')
    .select(({ fn }) => [
      fn.countAll<string>().as('active'),
      sql<string>`count(*) filter (where acknowledged_at is not null or is_withheld or exists (
        select from deliveries where subject = alerts.id and event = 'alert.fired'
          and (status = 'delivered' or (status <> 'failed' and created_at > now() - make_interval(mins => ${noticeMinutes})))))`.as(
        'noticed',
      ),
    ])
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
  return { active: Number(active), unnoticed: Number(active) - Number(noticed) };
}

/** Active alerts of all organizations. */
export async function countAllActive(database: Kysely<Database>): Promise<number> {
  const { count } = await database
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(count);
}
