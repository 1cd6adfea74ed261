import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { type Money, moneyOf } from '../schemas/money.js';
import type { RunChannel } from '../schemas/scenario.js';

/** More say little else, and fewer follow a change of the prompts sooner. */
export const measuredRuns = 20;

/** What the latest runs of a scenario took, on average. */
export interface MeasuredRuns {
  readonly tokens: number;
  /** Null: the cost of a run is not known, or they were counted in several currencies. */
  readonly cost: Money | null;
  readonly runs: number;
}

/** By id of the scenario. Scenarios without such runs are left out. */
export async function readMeasuredRuns(
  database: Kysely<Database>,
  organizationId: string,
  scenarioIds: readonly string[],
  channel: RunChannel,
): Promise<ReadonlyMap<string, MeasuredRuns>> {
  const { rows } = await sql<{
    id: string;
    tokens: number;
    runs: number;
    cost: number | null;
    currency: string;
  }>`
    select scenario.id, avg(latest.tokens)::float8 as tokens, count(*)::int as runs, max(latest.currency) as currency,
      case when bool_and(latest.cost is not null) and count(distinct latest.currency) = 1
        then avg(latest.cost)::float8 end as cost
    from unnest(${[...scenarioIds]}::uuid[]) as scenario (id)
    cross join lateral (
      select run.prompt_tokens + run.completion_tokens as tokens, run.cost, coalesce(run.cost_currency, 'USD') as currency
      from agent_test_runs as run
      where run.organization_id = ${organizationId} and run.scenario_id = scenario.id
        and run.channel = ${channel} and run.status in ('PASSED', 'FAILED')
        and run.prompt_tokens + run.completion_tokens > 0
      order by run.created_at desc limit ${measuredRuns}
    ) as latest
    group by scenario.id`.execute(database);
  return new Map(
    rows.map(({ id, tokens, runs, cost, currency }) => [id, { tokens, runs, cost: moneyOf(cost, currency) }]),
  );
}
