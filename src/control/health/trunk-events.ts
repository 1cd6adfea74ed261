import { sql, type Transaction } from 'kysely';
import type { EndpointHealth } from '../../contract/health.js';
import type { Database } from '../database/tables.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { readEndpointNames } from './number-health.js';
import { trunkEvents } from './trunk-event.js';

/** Queues `trunk.unreachable` and `trunk.recovered` for the organizations whose numbers use these servers. */
export async function queueTrunkEvents(
  transaction: Transaction<Database>,
  changes: readonly EndpointHealth[],
): Promise<void> {
  if (changes.length === 0) return;
  const numbers = await transaction
    .selectFrom('configurations')
    .innerJoin('numbers', 'numbers.number', 'configurations.number')
    .select(['numbers.number', 'numbers.organization_id'])
    .distinct()
    .where('direction', '=', 'outbound')
    .where(
      sql<boolean>`exists (select from webhook_endpoints
        where webhook_endpoints.organization_id = numbers.organization_id and enabled)`,
    )
    .orderBy('numbers.number')
    .execute();
  if (numbers.length === 0) return;
  const names = await readEndpointNames(
    transaction,
    numbers.map(({ number }) => number),
  );
  await queueEvents(transaction, trunkEvents(changes, numbers, names));
}
