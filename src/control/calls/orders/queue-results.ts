import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';

/**
 * Puts the results of these calls on their way to the webhooks that they were ordered with, each once for each event.
 * Calls without a webhook, and inbound ones, are no mistake.
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
