import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { RunChannel } from '../schemas/scenario.js';

/** More say little else, and fewer follow a change of the prompts sooner. */
export const measuredRuns = 20;

/** What the latest runs of a scenario took, on average. */
export interface MeasuredRuns {
  readonly tokens: number;
  /** US dollars; null: the cost of a run is not known. */
  readonly cost: number | null;
  readonly runs: number;
}

/** By id of the scenario. Scenarios without such runs are left out. */
export async function measuredTokens(
  database: Kysely<Database>,
  organizationId: string,
  scenarioIds: readonly string[],
  channel: RunChannel,
): Promise<ReadonlyMap<string, MeasuredRuns>> {
  const { rows } = await sql<MeasuredRuns & { id: string }>`
    select scenario.id, avg(latest.tokens)::float8 as tokens, count(*)::int as runs,
      case when bool_and(latest.cost is not null) then avg(latest.cost)::float8 end as cost
    from unnest(${[...scenarioIds]}::uuid[]) as scenario (id)
    cross join lateral (
      select run.prompt_tokens + run.completion_tokens as tokens, run.cost from agent_test_runs as run
      where run.organization_id = ${organizationId} and run.scenario_id = scenario.id
        and run.channel = ${channel} and run.status in ('PASSED', 'FAILED')
        and run.prompt_tokens + run.completion_tokens > 0
      order by run.created_at desc limit ${measuredRuns}
    ) as latest
    group by scenario.id`.execute(database);
  return new Map(rows.map(({ id, ...measured }) => [id, measured]));
}
