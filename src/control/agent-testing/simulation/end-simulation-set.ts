import { addDeliveries } from '../../deliveries/delivery-storage.js';
import type { EndedHook } from '../runs/run-order.js';
import { batchStatus } from '../runs/run-view.js';
import { readSimulationSet } from './simulation-storage.js';
import { simulationSetView } from './simulation-view.js';

/** Ends a set with its last run, and queues its webhook. */
export const endSimulationSet: EndedHook = async ({ organizationId, simulationSetId }, transaction) => {
  if (simulationSetId === null) return;
  // Of runs that end at the same time, the last to get the lock sees all ends.
  await transaction
    .selectFrom('agent_test_simulation_sets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', simulationSetId)
    .forUpdate()
    .executeTakeFirst();
  const statuses = await transaction
    .selectFrom('agent_test_runs')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('simulation_set_id', '=', simulationSetId)
    .execute();
  if (statuses.some(({ status }) => status === 'PENDING' || status === 'RUNNING')) return;
  const set = await transaction
    .updateTable('agent_test_simulation_sets')
    .set({ status: batchStatus(statuses.map(({ status }) => status)), completed_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', simulationSetId)
    .where('status', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (set === undefined || set.webhook_url === null) return;
  const whole = await readSimulationSet(transaction, organizationId, set.id);
  const event = 'agent_test.simulation_set_completed';
  await addDeliveries(transaction, [
    {
      organizationId,
      event,
      subject: set.id,
      channel: 'webhook',
      target: set.webhook_url,
      content: {
        body: { event, occurred_at: set.completed_at!.toISOString(), data: simulationSetView(whole) },
      },
    },
  ]);
};
