import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { newId } from '../organizations/identifiers.js';
import type { Delivery } from './sender.js';
import type { Channel, DeliveryContent, DeliveryEvent, DeliveryStatus } from './tables.js';
import type { Exchange } from './webhook/exchange.js';

export interface NewDelivery {
  readonly organizationId: string;
  readonly event: DeliveryEvent;
  /** Id of the call or the alert. */
  readonly subject: string;
  readonly channel: Channel;
  /** Empty: there is no recipient; `impossible` explains why. */
  readonly target: string;
  readonly content: DeliveryContent | null;
  /** If set, the delivery is stored as failed from the start, so that the log explains why nothing was sent. */
  readonly impossible?: string;
}

/** Stores deliveries, one per subject and recipient. They are sent after the commit. */
export async function addDeliveries(
  database: Kysely<Database> | Transaction<Database>,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await database
    .insertInto('deliveries')
    .values(
      deliveries.map(({ organizationId, event, subject, channel, target, content, impossible }) => ({
        id: newId('dlv'),
        organization_id: organizationId,
        event,
        subject,
        channel,
        target,
        content: content === null ? null : JSON.stringify(content),
        status: impossible === undefined ? ('pending' as const) : ('failed' as const),
        last_error: impossible ?? null,
        endpoint_id: null,
        event_id: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function readDelivery(database: Kysely<Database>, id: string): Promise<Delivery | undefined> {
  return database.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface Attempt {
  readonly milliseconds: number;
  readonly status: DeliveryStatus;
  readonly lastStatus: number | null;
  readonly error: string | null;
  /** Of a webhook that was sent. */
  readonly exchange: Exchange | undefined;
  /** Null: none. */
  readonly nextAttemptAt: Date | null;
}

/** Stores the outcome of an attempt, unless the delivery has finished meanwhile. */
export async function storeAttempt(database: Kysely<Database>, id: string, attempt: Attempt): Promise<void> {
  const now = new Date();
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('deliveries')
      .set((expression) => ({
        status: attempt.status,
        attempts: expression('attempts', '+', 1),
        last_status: attempt.lastStatus,
        last_error: attempt.error,
        last_attempt_at: now,
        next_attempt_at: attempt.nextAttemptAt,
        delivered_at: attempt.status === 'delivered' ? now : null,
        ...(attempt.nextAttemptAt === null ? {} : { queue_at: attempt.nextAttemptAt }),
      }))
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const { lastStatus: answer, error, milliseconds, exchange } = attempt;
    await transaction
      .insertInto('delivery_attempts')
      .values({
        delivery_id: id,
        attempted_at: now,
        status: answer,
        error,
        milliseconds,
        request_head: exchange?.requestHead ?? null,
        response_head: exchange?.responseHead ?? null,
        response_body: exchange?.responseBody ?? null,
      })
      .execute();
  });
}

/** The last hundred attempts of a delivery, latest first. */
export const readAttempts = (database: Kysely<Database>, id: string) =>
  database
    .selectFrom('delivery_attempts')
    .select(['attempted_at', 'status', 'error', 'milliseconds'])
    .select(['request_head', 'response_head', 'response_body'])
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();

/**
 * Resends a finished webhook with the same body; its attempt count restarts. False: it is not finished, not a
 * webhook, or does not exist.
 */
export async function replayDelivery(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('deliveries')
    .set({
      status: 'pending',
      attempts: 0,
      next_attempt_at: null,
      delivered_at: null,
      queue_at: new Date(),
    })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('channel', '=', 'webhook')
    .where('event', '<>', 'alert.test')
    .where('status', '<>', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** At once; the request says whether more are left. */
export const replaysAtOnce = 10_000;
/** So that replayed webhooks leave room for new ones. */
const replaysPerSecond = 50;

export interface ReplayFilter {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly event: DeliveryEvent | undefined;
  readonly after: Date;
  readonly before: Date;
}

/** Resends an endpoint's failed webhooks that were created in that time, oldest first. Returns how many. */
export async function replayFailed(
  database: Kysely<Database>,
  { organizationId, endpointId, event, after, before }: ReplayFilter,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set status = 'pending', attempts = 0, next_attempt_at = null, delivered_at = null,
      queue_at = now() + make_interval(secs => chosen.place / ${replaysPerSecond}::float)
    from (
      select id, row_number() over (order by created_at, id) as place from deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and channel = 'webhook'
        and status = 'failed' and created_at >= ${after} and created_at < ${before}
        and (${event ?? null}::text is null or event = ${event ?? null})
      order by created_at, id limit ${replaysAtOnce}
    ) as chosen
    where deliveries.id = chosen.id and deliveries.status = 'failed'`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

export interface DeliveryFilter {
  readonly organizationId: string;
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly event?: DeliveryEvent | undefined;
  readonly subject?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly channel?: Channel | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Newest first, without their contents. `before`: id of the last entry of the previous page; undefined if it is unknown. */
export async function readDeliveries(
  database: Kysely<Database>,
  filter: DeliveryFilter & { readonly limit: number; readonly before?: string | undefined },
): Promise<{ readonly rows: Omit<Delivery, 'content'>[]; readonly hasMore: boolean } | undefined> {
  let query = database
    .selectFrom('deliveries')
    .select(shownColumns)
    .where('organization_id', '=', filter.organizationId);
  if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
  if (filter.endpointId !== undefined) query = query.where('endpoint_id', '=', filter.endpointId);
  if (filter.eventId !== undefined) query = query.where('event_id', '=', filter.eventId);
  if (filter.event !== undefined) query = query.where('event', '=', filter.event);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.channel !== undefined) query = query.where('channel', '=', filter.channel);
  if (filter.createdAfter !== undefined) query = query.where('created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query = query.where('created_at', '<', filter.createdBefore);
  if (filter.before !== undefined) {
    const cursor = await database
      .selectFrom('deliveries')
      .select('created_at')
      .where('id', '=', filter.before)
      .where('organization_id', '=', filter.organizationId)
      .executeTakeFirst();
    if (cursor === undefined) return undefined;
    query = query.where(sql<boolean>`(created_at, id) < (${cursor.created_at}, ${filter.before})`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  return { rows: rows.slice(0, filter.limit), hasMore: rows.length > filter.limit };
}

export const shownColumns = [
  'id',
  'organization_id',
  'event',
  'subject',
  'channel',
  'target',
  'status',
  'attempts',
  'last_status',
  'last_error',
  'created_at',
  'last_attempt_at',
  'next_attempt_at',
  'delivered_at',
  'endpoint_id',
  'event_id',
  'queue_at',
] as const;

const deleteBatch = 5_000;

/** Deletes finished deliveries after the retention period of calls, or that of their organization if it is shorter. */
export async function deleteOldDeliveries(database: Kysely<Database>, days: number): Promise<void> {
  await sql`delete from deliveries where id in (
    select deliveries.id from deliveries join organizations on organizations.id = deliveries.organization_id
    where call_retention_days is not null and deliveries.created_at < now() - make_interval(days => call_retention_days)
      and status <> 'pending' limit ${deleteBatch}
  )`.execute(database);
  if (days === 0) return;
  await sql`delete from deliveries where id in (
    select id from deliveries
    where created_at < now() - make_interval(days => ${days}) and status <> 'pending' limit ${deleteBatch}
  )`.execute(database);
}

/** Long enough to find out why a receiver failed at the weekend. */
const exchangeDays = 7;

/** Forgets what was sent and answered; the outcome of each attempt stays. */
export async function deleteOldExchanges(database: Kysely<Database>): Promise<void> {
  await sql`update delivery_attempts set request_head = null, response_head = null, response_body = null
    where id in (
      select id from delivery_attempts
      where request_head is not null and attempted_at < now() - make_interval(days => ${exchangeDays})
      limit ${deleteBatch}
    )`.execute(database);
}
