import type { Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import type { LoadTestStatus } from '../schemas/load-test.js';
import type { LoadTestRow } from './load-test-storage.js';
import { viewLoadTest } from './load-test-view.js';

/** Ends a load test and queues its webhook. @returns false: it has ended already */
export async function endLoadTest(
  transaction: Transaction<Database>,
  { organization_id: organizationId, id }: Pick<LoadTestRow, 'organization_id' | 'id'>,
  status: Exclude<LoadTestStatus, 'RUNNING'>,
  errorMessage: string | null = null,
): Promise<boolean> {
  const now = new Date();
  const test = await transaction
    .updateTable('agent_test_load_tests')
    .set({ status, error_message: errorMessage, completed_at: now, lease_owner: null, lease_until: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .returningAll()
    .executeTakeFirst();
  if (test === undefined) return false;
  if (test.webhook_url === null) return true;
  const event = 'agent_test.load_test_completed';
  await addDeliveries(transaction, [
    {
      organizationId,
      event,
      subject: id,
      channel: 'webhook',
      target: test.webhook_url,
      content: {
        body: { event, occurred_at: now.toISOString(), data: await viewLoadTest(transaction, test) },
      },
    },
  ]);
  return true;
}
