import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { SharedBudget } from '../conversation/run-budget.js';

/** Where a run belongs. */
export interface RunGroup {
  readonly organizationId: string;
  /** Null: to none. */
  readonly batchId: string | null;
  readonly simulationSetId: string | null;
  readonly loadTestId: string | null;
}

const tables = {
  batch: 'agent_test_batches',
  set: 'agent_test_simulation_sets',
  load: 'agent_test_load_tests',
} as const;

/** The budget of the batch, set or load test of a run; undefined: it has none. */
export async function sharedBudget(
  database: Kysely<Database>,
  { organizationId, batchId, simulationSetId, loadTestId }: RunGroup,
): Promise<SharedBudget | undefined> {
  const id = batchId ?? simulationSetId ?? loadTestId;
  if (id === null) return undefined;
  const table = tables[batchId !== null ? 'batch' : simulationSetId !== null ? 'set' : 'load'];
  const read = async () =>
    await database
      .selectFrom(table)
      .select(['token_budget', 'budget_tokens_used'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
  const first = await read();
  if (first === undefined || first.token_budget === null) return undefined;
  return {
    what:
      batchId === null
        ? simulationSetId === null
          ? 'load test'
          : 'simulation set'
        : (await isGate(database, organizationId, id))
          ? 'promotion'
          : 'batch',
    limit: Number(first.token_budget),
    used: async () => Number((await read())?.budget_tokens_used ?? 0),
    spend: async (tokens) => {
      await sql`update ${sql.table(table)} set budget_tokens_used = budget_tokens_used + ${Math.round(tokens)}
        where organization_id = ${organizationId} and id = ${id}`.execute(database);
    },
  };
}

async function isGate(database: Kysely<Database>, organizationId: string, id: string): Promise<boolean> {
  const batch = await database
    .selectFrom('agent_test_batches')
    .select('origin')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return batch?.origin === 'gate';
}
