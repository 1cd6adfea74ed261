import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { eventId } from '../events/event.js';
import { receiversWithPending } from './due-deliveries.js';
import { queueEvents } from './queue-events.js';

/** Dropped in one statement; more are dropped next time. */
const dropAtOnce = 10_000;

interface Excess {
  readonly organizationId: string;
  readonly receiver: string;
  readonly count: number;
}

/** Fails the oldest deliveries of receivers for which more than `limit` are pending; returns how many. */
export async function dropExcess(database: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<Excess>`
    with recursive ${receiversWithPending}
    select organization_id as "organizationId", receiver, count - ${limit} as count from (
      select receivers.*, (
        select count(*)::integer from deliveries where status = 'pending'
          and organization_id = receivers.organization_id
          and delivery_receiver(endpoint_id, channel, target) = receivers.receiver
      ) as count from receivers
    ) counted where count > ${limit}`.execute(database);
  let dropped = 0;
  for (const row of rows) dropped += await drop(database, row, limit);
  return dropped;
}

function drop(
  database: Kysely<Database>,
  { organizationId, receiver, count }: Excess,
  limit: number,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update deliveries set status = 'failed', next_attempt_at = null,
        last_error = ${`Dropped: more than ${limit} deliveries were waiting for this receiver`}
      where status = 'pending' and id in (
        select id from deliveries where status = 'pending' and organization_id = ${organizationId}
          and delivery_receiver(endpoint_id, channel, target) = ${receiver}
        order by created_at, id limit ${Math.min(count, dropAtOnce)}
      )`.execute(transaction);
    const dropped = Number(numAffectedRows ?? 0n);
    const endpoint = await transaction
      .updateTable('webhook_endpoints')
      .set({ dropped_deliveries: sql<string>`dropped_deliveries + ${dropped}` })
      .where('id', '=', receiver)
      .where('organization_id', '=', organizationId)
      .returning('dropped_deliveries')
      .executeTakeFirst();
    if (endpoint === undefined) return dropped;
    const now = new Date().toISOString();
    const event = {
      organizationId,
      subject: receiver,
      // One an hour, however many are dropped.
      event_id: eventId('webhook.deliveries_dropped', receiver, now.slice(0, 13)),
      event: 'webhook.deliveries_dropped' as const,
      occurred_at: now,
      sequence: Date.now(),
      data: { webhook_id: receiver, limit, dropped_deliveries: Number(endpoint.dropped_deliveries) },
    };
    await queueEvents(transaction, [event], { exceptEndpoint: receiver });
    return dropped;
  });
}

/** Fails deliveries that were due all the time while their receiver was paused; returns how many. */
export async function dropStale(database: Kysely<Database>, hours: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set status = 'failed', next_attempt_at = null,
      last_error = ${`Dropped: the receiver did not respond for ${hours} hours`}
    where status = 'pending' and queue_at < now() - make_interval(hours => ${hours})
      and exists (select from silent_receivers s where s.organization_id = deliveries.organization_id
        and s.receiver = delivery_receiver(deliveries.endpoint_id, deliveries.channel, deliveries.target)
        and s.paused_until is not null)`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
