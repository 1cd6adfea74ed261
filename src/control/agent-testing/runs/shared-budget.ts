import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { SharedBudget } from '../conversation/run-budget.js';
import { moneyOf } from '../schemas/money.js';

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

/** What a run shares its budget with; undefined: with nothing. */
export function groupOf({
  batchId,
  simulationSetId,
  loadTestId,
}: Omit<RunGroup, 'organizationId'>):
  | { readonly kind: keyof typeof tables; readonly id: string }
  | undefined {
  if (batchId !== null) return { kind: 'batch', id: batchId };
  if (simulationSetId !== null) return { kind: 'set', id: simulationSetId };
  return loadTestId === null ? undefined : { kind: 'load', id: loadTestId };
}

/** The budget of the batch, set or load test of a run; undefined: it has none. */
export async function sharedBudget(
  database: Kysely<Database>,
  { organizationId, ...groups }: RunGroup,
): Promise<SharedBudget | undefined> {
  const group = groupOf(groups);
  if (group === undefined) return undefined;
  const { kind, id } = group;
  const table = tables[kind];
  const read = async () =>
    await database
      .selectFrom(table)
      .select(['token_budget', 'budget_tokens_used', 'cost_budget', 'cost_currency', 'budget_cost_used'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
  const first = await read();
  if (first === undefined) return undefined;
  const limits = {
    tokens: first.token_budget === null ? null : Number(first.token_budget),
    cost: moneyOf(first.cost_budget, first.cost_currency),
  };
  const isCounted =
    limits.tokens !== null ||
    limits.cost !== null ||
    // The budget of a schedule counts what all of its sets take, those before it was set too.
    (kind === 'set' && (await isScheduled(database, organizationId, id)));
  if (!isCounted) return undefined;
  return {
    what:
      kind === 'load'
        ? 'load test'
        : kind === 'set'
          ? 'simulation set'
          : (await isGate(database, organizationId, id))
            ? 'promotion'
            : 'batch',
    limits,
    used: async () => {
      const now = await read();
      return { tokens: Number(now?.budget_tokens_used ?? 0), cost: Number(now?.budget_cost_used ?? 0) };
    },
    spend: async ({ tokens, cost }) => {
      await sql`update ${sql.table(table)} set budget_tokens_used = budget_tokens_used + ${Math.round(tokens)},
          budget_cost_used = budget_cost_used + ${cost ?? 0}::float8::numeric, has_unpriced = has_unpriced or ${cost === null}
        where organization_id = ${organizationId} and id = ${id}`.execute(database);
    },
  };
}

async function isScheduled(database: Kysely<Database>, organizationId: string, id: string): Promise<boolean> {
  const set = await database
    .selectFrom('agent_test_simulation_sets')
    .select('schedule_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return set !== undefined && set.schedule_id !== null;
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
