import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';

/**
 * Queues the results of these calls for the webhooks they were ordered with, once per event.
 * Inbound calls and calls without a webhook are skipped.
 */
export async function queueCallResults(
  database: Kysely<Database> | Transaction<Database>,
  callIds: readonly string[],
  event: 'call.completed' | 'call.lost',
): Promise<void> {
  await sql`
    insert into deliveries (id, organization_id, event, subject, channel, target)
    select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), organization_id, ${event}, call_id, 'webhook', webhook
    from ordered_calls where call_id = any(${[...callIds]}::text[]) and webhook is not null
    on conflict do nothing`.execute(database);
}
