import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import type { Delivery } from './sender.js';
import type { DueDelivery } from './turns.js';

/** Another process takes over a delivery whose process died after this long. */
const leaseMilliseconds = 10_000;
export const renewalMilliseconds = leaseMilliseconds / 3;
/** Of a probe: an attempt takes less, however slow its channel is. */
const probeSeconds = 90;

const after = (milliseconds: number) => sql<Date>`now() + make_interval(secs => ${milliseconds / 1_000})`;

const receiverOf = sql<string>`delivery_receiver(endpoint_id, channel, target)`;

/** Every receiver that has pending deliveries, found without reading the deliveries between. */
export const receiversWithPending = sql`receivers (organization_id, receiver) as (
  (select organization_id, ${receiverOf} from deliveries where status = 'pending' order by 1, 2 limit 1)
  union all
  select next.* from receivers cross join lateral (
    select organization_id, ${receiverOf} from deliveries
    where status = 'pending'
      and (organization_id, ${receiverOf}) > (receivers.organization_id, receivers.receiver)
    order by 1, 2 limit 1
  ) next
)`;

export interface LateDelivery extends DueDelivery {
  readonly secondsLate: number;
  /** True: earlier attempts at its receiver had no response. */
  readonly isSuspect: boolean;
}

/** The first due deliveries of each receiver that is not paused, longest due first. */
export async function readDue(
  database: Kysely<Database>,
  { each, without }: { readonly each: number; readonly without: readonly string[] },
): Promise<readonly LateDelivery[]> {
  const { rows } = await sql<LateDelivery>`
    with recursive ${receiversWithPending}
    select due.id, receivers.organization_id as "organizationId", receivers.receiver,
      silent.paused_until is not null as "isProbe", silent.receiver is not null as "isSuspect",
      extract(epoch from now() - due.queue_at)::float8 as "secondsLate"
    from receivers
    left join silent_receivers silent using (organization_id, receiver)
    cross join lateral (
      select id, queue_at from deliveries
      where status = 'pending' and organization_id = receivers.organization_id
        and ${receiverOf} = receivers.receiver and queue_at <= now()
      order by queue_at limit ${each}
    ) due
    where (silent.paused_until is null or silent.paused_until <= now())
      and receivers.organization_id <> all(${without}::text[])
    order by due.queue_at`.execute(database);
  return rows;
}

/** How long the longest due delivery has been due; 0: none is, or its receiver is paused. */
export async function secondsOfOldestDue(database: Kysely<Database>): Promise<number> {
  const [oldest] = await readDue(database, { each: 1, without: [] });
  return oldest?.secondsLate ?? 0;
}

/**
 * Claims deliveries for this process until its lease ends; those that another process has claimed meanwhile are missing. Of all
 * processes one gets the probe of a paused receiver.
 */
export async function claimDeliveries(
  database: Kysely<Database>,
  due: readonly DueDelivery[],
): Promise<Delivery[]> {
  const lost = new Set<string>();
  for (const probe of due.filter(({ isProbe }) => isProbe)) {
    const { numUpdatedRows } = await database
      .updateTable('silent_receivers')
      .set({ paused_until: after(probeSeconds * 1_000) })
      .where('organization_id', '=', probe.organizationId)
      .where('receiver', '=', probe.receiver)
      .where('paused_until', '<=', sql<Date>`now()`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) lost.add(probe.id);
  }
  const ids = due.map(({ id }) => id).filter((id) => !lost.has(id));
  if (ids.length === 0) return [];
  return database
    .updateTable('deliveries')
    .set({ queue_at: after(leaseMilliseconds) })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('status', '=', 'pending')
    .where('queue_at', '<=', sql<Date>`now()`)
    .returningAll()
    .execute();
}

/** Keeps claimed deliveries from other processes while their attempts last. */
export async function renewClaims(database: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await claimed(database, ids)
    .set({ queue_at: after(leaseMilliseconds) })
    .execute();
}

/** Any process may take them at once: their attempts were interrupted. */
export async function releaseClaims(database: Kysely<Database>, ids: readonly string[]): Promise<void> {
  await claimed(database, ids).set({ queue_at: sql<Date>`now()` }).execute();
}

const claimed = (database: Kysely<Database>, ids: readonly string[]) =>
  database
    .updateTable('deliveries')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('status', '=', 'pending');
