import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { moneyOf, type UsageSum } from '../schemas/money.js';

const groups = ['batch_id', 'simulation_set_id', 'load_test_id', 'monitor_id'] as const;

/**
 * Tokens and cost of the runs that have ended, by the batch, set, load test or monitor that they belong to.
 * @param since when the runs were started; undefined: ever
 */
export async function readUsage(
  database: Kysely<Database>,
  organizationId: string,
  group: (typeof groups)[number],
  ids: readonly string[],
  since?: Date,
): Promise<(id: string) => UsageSum> {
  const column = sql.ref(`run.${group}`);
  const { rows } = await sql<{ id: string; tokens: number; cost: number | null; currency: string }>`
    select ${column} as id, sum(run.prompt_tokens + run.completion_tokens)::float8 as tokens,
      max(coalesce(run.cost_currency, 'USD')) as currency,
      -- A run that has not begun has cost nothing.
      case when bool_and(run.cost is not null or (run.started_at is null and run.model_requests = 0))
          and count(distinct coalesce(run.cost_currency, 'USD')) = 1
        then coalesce(sum(run.cost::numeric), 0)::float8 end as cost
    from agent_test_runs as run
    where run.organization_id = ${organizationId} and ${column} = any(${[...ids]}::uuid[])
      and run.completed_at is not null ${since === undefined ? sql`` : sql`and run.created_at >= ${since}`}
    group by ${column}`.execute(database);
  const found = new Map(
    rows.map(({ id, tokens, cost, currency }) => [id, { tokens, cost: moneyOf(cost, currency) }]),
  );
  return (id) => found.get(id) ?? { tokens: 0, cost: null };
}
