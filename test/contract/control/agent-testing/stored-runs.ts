import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type {
  BatchOrder,
  RunOrder,
  StartedBatch,
} from '../../../../src/control/agent-testing/runs/run-order.js';
import type { Database } from '../../../../src/control/database/tables.js';

/** Rows as runs leave them, without conversations: for tests of what follows from their ends. */
export class StoredRuns {
  readonly cancelled: string[] = [];
  /** Why no run can be started. */
  refusal: Error | undefined;

  constructor(private readonly database: Kysely<Database>) {}

  async start(orders: readonly RunOrder[], transaction?: Transaction<Database>): Promise<string[]> {
    if (this.refusal !== undefined) throw this.refusal;
    const connection = transaction ?? this.database;
    const ids = orders.map(({ id }) => id ?? randomUUID());
    for (const [index, order] of orders.entries()) {
      await sql`insert into agent_test_definitions values (${order.organizationId}, 'x', '{}')
        on conflict do nothing`.execute(connection);
      await sql`insert into agent_test_runs (organization_id, id, scenario_id, pathway_id, persona_id, version_number,
          definition_digest, channel, origin, batch_id, simulation_set_id, tornado_session_id, status, due_at)
        select organization_id, ${ids[index]}, id, pathway_id, persona_id, ${order.versionNumber ?? null}, 'x',
          'text', ${order.origin}, ${order.batchId ?? null}, ${order.simulationSetId ?? null},
          ${order.tornadoSessionId ?? null}, 'PENDING', now()
        from agent_test_scenarios where organization_id = ${order.organizationId} and id = ${order.scenarioId}
        on conflict do nothing`.execute(connection);
    }
    return ids;
  }

  async startBatch(batch: BatchOrder, transaction?: Transaction<Database>): Promise<StartedBatch> {
    const { id: batchId, scenarioIds, ...order } = batch;
    const orders = scenarioIds.map((scenarioId) => ({ ...order, scenarioId, batchId }));
    const ids = await this.start(orders, transaction);
    return { batchId, runs: ids.map((runId, index) => ({ runId, scenarioId: scenarioIds[index]! })) };
  }

  async extendBatch(batch: BatchOrder, transaction: Transaction<Database>): Promise<void> {
    await this.startBatch(batch, transaction);
  }

  wake(): void {}

  async cancel(_organizationId: string, ids: readonly string[]): Promise<number> {
    this.cancelled.push(...ids);
    return ids.length;
  }

  /** How many runs of the scenarios have not ended. */
  async waiting(...scenarioIds: string[]): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from agent_test_runs
      where completed_at is null and scenario_id = any(${scenarioIds}::uuid[])`.execute(this.database);
    return rows[0]!.count;
  }

  /** Ends some waiting runs of a scenario. */
  async endSome(scenarioId: string, status: 'PASSED' | 'FAILED', count: number): Promise<void> {
    await sql`update agent_test_runs set status = ${status}, due_at = null, completed_at = now()
      where id in (select id from agent_test_runs where scenario_id = ${scenarioId} and completed_at is null limit ${count})`.execute(
      this.database,
    );
  }

  /** Ends the waiting runs of a scenario. */
  async end(
    scenarioId: string,
    status: 'PASSED' | 'FAILED' | 'ERROR' | 'CANCELLED',
    { score, error, failed }: { score?: number; error?: string; failed?: string } = {},
  ): Promise<void> {
    const { rows } = await sql<{ organization_id: string; id: string }>`
      update agent_test_runs set status = ${status}, due_at = null, completed_at = now(),
        overall_score = ${score ?? (status === 'PASSED' ? 1 : status === 'FAILED' ? 0 : null)},
        error_message = ${status === 'ERROR' ? (error ?? 'No answer') : null}
      where scenario_id = ${scenarioId} and completed_at is null returning organization_id, id`.execute(
      this.database,
    );
    if (failed === undefined) return;
    for (const { organization_id, id } of rows)
      await sql`insert into agent_test_results values (${organization_id}, ${id}, 0, 'STRING_CHECK', 'FAILED', true,
        ${failed}, '{}')`.execute(this.database);
  }
}

/** A scenario as the API stores it. */
export async function storeScenario(
  database: Kysely<Database>,
  organizationId: string,
  {
    name,
    pathway = null,
    persona = null,
    isRequired = false,
    isEnabled = true,
    hasAssertion = true,
  }: {
    name: string;
    pathway?: string | null;
    persona?: string | null;
    isRequired?: boolean;
    isEnabled?: boolean;
    hasAssertion?: boolean;
  },
): Promise<string> {
  const id = randomUUID();
  await sql`insert into agent_test_scenarios (organization_id, id, pathway_id, persona_id, name, category, scenario_type,
      channel, tester_persona_prompt, max_turns, request_data, service_tone_enabled, is_required_for_promotion, enabled,
      input_messages, webhook_mocks, metadata)
    values (${organizationId}, ${id}, ${pathway}, ${persona}, ${name}, 'CUSTOM', 'AGENT', 'text', 'x', 20, '{}', false,
      ${isRequired}, ${isEnabled}, '[]', '[]', '{}')`.execute(database);
  if (hasAssertion)
    await sql`insert into agent_test_assertions (organization_id, scenario_id, id, type, config, is_required, weight, position)
      values (${organizationId}, ${id}, ${randomUUID()}, 'STRING_CHECK', '{}', true, 1, 0)`.execute(database);
  return id;
}
