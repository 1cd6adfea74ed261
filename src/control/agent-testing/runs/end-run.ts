import { sql, type Transaction } from 'kysely';
import { storable, storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import type { AssertionResult } from '../schemas/assertion.js';
import type { EndedStatus } from '../schemas/run.js';
import type { EndedHook, EndedRun } from './run-order.js';
import { readBatch, readRun } from './run-storage.js';
import { batchStatus, batchView, isEnded, runView } from './run-view.js';

/** How a run ended. */
export interface End {
  readonly status: EndedStatus;
  readonly reasoning: string;
  /** Null unless ERROR. */
  readonly errorMessage: string | null;
  /** What caused an ERROR: the agent, or a limit of Demarc. Default: the test itself. */
  readonly failedBy?: 'agent' | 'limit';
  readonly sipStatus?: number | null;
  readonly overallScore?: number | null;
  readonly results?: readonly AssertionResult[];
}

export interface EndedKey {
  readonly organizationId: string;
  readonly id: string;
  /** The attempt that ends it; undefined: whichever, as a cancellation does. */
  readonly attempt?: number | undefined;
}

/**
 * Ends a run with its results, its batch, its webhook and what the hooks store, in one transaction: an end counts once or not
 * at all.
 * @returns false: it has ended already, or another attempt has taken it over
 */
export async function endRun(
  transaction: Transaction<Database>,
  hooks: readonly EndedHook[],
  { organizationId, id, attempt }: EndedKey,
  { status, reasoning, errorMessage, failedBy, sipStatus, overallScore = null, results = [] }: End,
): Promise<boolean> {
  let update = transaction
    .updateTable('agent_test_runs')
    .set({
      status,
      error_message: errorMessage === null ? null : storable(errorMessage),
      failed_by: failedBy ?? null,
      sip_status: sipStatus ?? null,
      overall_score: overallScore,
      due_at: null,
      lease_until: null,
      completed_at: sql<Date>`now()`,
      duration_ms: sql<number>`case when started_at is null then null
        else (extract(epoch from now() - started_at) * 1000)::int end`,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('due_at', 'is not', null);
  if (attempt !== undefined) update = update.where('attempts', '=', attempt);
  const run = await update.returningAll().executeTakeFirst();
  if (run === undefined) return false;
  await transaction
    .updateTable('agent_test_conversations')
    .set({ reasoning: storable(reasoning) })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .execute();
  if (results.length > 0) {
    await transaction
      .insertInto('agent_test_results')
      .values(
        results.map((result, position) => ({
          organization_id: organizationId,
          run_id: id,
          position,
          type: result.type,
          status: result.status,
          is_required: result.is_required,
          name: result.name,
          result: storableJson(result),
        })),
      )
      .execute();
  }
  await queueRunWebhook(transaction, organizationId, id);
  if (run.batch_id !== null) await endBatch(transaction, organizationId, run.batch_id);
  const ended: EndedRun = {
    organizationId,
    id,
    status,
    overallScore,
    scenarioId: run.scenario_id,
    batchId: run.batch_id,
    simulationSetId: run.simulation_set_id,
    tornadoSessionId: run.tornado_session_id,
    monitorId: run.monitor_id,
  };
  for (const hook of hooks) await hook(ended, transaction);
  return true;
}

async function queueRunWebhook(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  const run = await readRun(transaction, organizationId, id);
  const { webhook_url: target } = run.conversation;
  if (target === null) return;
  const body = {
    event: 'agent_test.run_completed',
    occurred_at: run.run.completed_at!.toISOString(),
    data: runView(run),
  };
  await addDeliveries(transaction, [
    {
      organizationId,
      event: 'agent_test.run_completed',
      subject: id,
      channel: 'webhook',
      target,
      content: { body },
    },
  ]);
}

/** Ends the batch with its last run: of runs that end at the same time, the last to lock the batch sees all ends. */
async function endBatch(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  await transaction
    .selectFrom('agent_test_batches')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const whole = await readBatch(transaction, organizationId, id);
  if (whole.batch.status !== null || !whole.runs.every(({ status }) => isEnded(status))) return;
  const batch = await transaction
    .updateTable('agent_test_batches')
    .set({ status: batchStatus(whole.runs.map(({ status }) => status)), completed_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (batch.webhook_url === null) return;
  const body = {
    event: 'agent_test.batch_completed',
    occurred_at: batch.completed_at!.toISOString(),
    data: batchView({ ...whole, batch }),
  };
  await addDeliveries(transaction, [
    {
      organizationId,
      event: 'agent_test.batch_completed',
      subject: id,
      channel: 'webhook',
      target: batch.webhook_url,
      content: { body },
    },
  ]);
}
