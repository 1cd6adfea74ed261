import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../database/tables.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { RunStatus, setTriggers } from '../schemas/run.js';
import type { listedSimulationSetSchema } from '../schemas/simulation.js';

interface ListedSimulationSet {
  readonly id: string;
  readonly status: RunStatus;
  readonly simulations_per_scenario: number;
  readonly total_scenarios: number;
  readonly total_runs: number;
  readonly completed_runs: number;
  readonly passed_runs: number;
  readonly trigger_source: (typeof setTriggers)[number];
  readonly schedule_id: string | null;
  /** By name. */
  readonly scenarios: readonly { readonly id: string; readonly name: string }[];
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

/** Newest first. Throws `InvalidRequest` when `after` is no set. */
export async function listSimulationSets(
  database: Kysely<Database>,
  organizationId: string,
  {
    status,
    schedule_id: schedule,
  }: { readonly status?: RunStatus | undefined; readonly schedule_id?: string | undefined },
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly ListedSimulationSet[]; readonly next: string | null }> {
  const start = await pageStart(database, 'agent_test_simulation_sets', organizationId, after);
  const { rows } = await sql<ListedSimulationSet>`
    select agent_test_simulation_sets.id, shown.status, simulations_per_scenario, schedule_id,
      case when schedule_id is null then trigger_source else 'schedule' end as trigger_source,
      cardinality(scenario_ids) as total_scenarios, total_runs, completed_runs, passed_runs, scenarios,
      created_at, completed_at
    from agent_test_simulation_sets
    cross join lateral (
      select count(*)::int as total_runs, count(run.completed_at)::int as completed_runs,
        count(*) filter (where run.status = 'PASSED')::int as passed_runs,
        coalesce(bool_and(run.status = 'PENDING'), true) as is_pending
      from agent_test_runs as run
      where run.organization_id = agent_test_simulation_sets.organization_id
        and run.simulation_set_id = agent_test_simulation_sets.id
    ) as runs
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', scenario.id, 'name', scenario.name) order by scenario.name), '[]')
        as scenarios
      from agent_test_scenarios as scenario
      where scenario.organization_id = agent_test_simulation_sets.organization_id
        and scenario.id = any(agent_test_simulation_sets.scenario_ids)
    ) as names
    cross join lateral (
      select coalesce(agent_test_simulation_sets.status, case when is_pending then 'PENDING' else 'RUNNING' end)
        as status
    ) as shown
    where organization_id = ${organizationId} and ${start}
      and ${status === undefined ? sql<boolean>`true` : sql<boolean>`shown.status = ${status}`}
      and ${schedule === undefined ? sql<boolean>`true` : sql<boolean>`schedule_id = ${schedule}::uuid`}
    order by created_at desc, agent_test_simulation_sets.id desc limit ${limit + 1}`.execute(database);
  return pageFrom(rows, limit);
}

export const listedSimulationSetView = ({
  created_at: createdAt,
  completed_at: completedAt,
  scenarios,
  ...set
}: ListedSimulationSet): z.output<typeof listedSimulationSetSchema> => ({
  ...set,
  scenarios: [...scenarios],
  created_at: createdAt.toISOString(),
  completed_at: completedAt?.toISOString() ?? null,
});
