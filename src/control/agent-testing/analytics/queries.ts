import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { FlowStep } from './flow.js';
import type { DayResults, NodeResults, RepeatedRuns } from './scores.js';

/** Whose runs are counted. */
export interface AnalyticsSubject {
  readonly organizationId: string;
  readonly kind: 'pathway' | 'persona';
  readonly id: string;
}

export interface DayTotals extends DayResults {
  readonly scoreSum: number;
  /** Runs with a score. */
  readonly scores: number;
}

/**
 * Runs that ended since a day, found by the index of pathway or persona. Cancelled runs have no result.
 * @param since YYYY-MM-DD, its beginning in UTC
 */
const endedRuns = ({ organizationId, kind, id }: AnalyticsSubject, since: string): RawBuilder<unknown> => sql`
  from agent_test_runs
  where organization_id = ${organizationId}
    and ${sql.ref(kind === 'pathway' ? 'pathway_id' : 'persona_id')} = ${id}::uuid
    and completed_at >= ${`${since}T00:00:00Z`}::timestamptz and status <> 'CANCELLED' and call_id is null
    and load_test_id is null`;

/** Oldest first. */
export const daysQuery = (subject: AnalyticsSubject, since: string) => sql<DayTotals>`
  select to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD') as date,
    count(*)::int as runs, (count(*) filter (where status = 'PASSED'))::int as passed,
    coalesce(sum(overall_score), 0) as "scoreSum", count(overall_score)::int as scores
  ${endedRuns(subject, since)}
  group by 1 order by 1`;

export interface Flow {
  readonly repeated: readonly RepeatedRuns[];
  readonly nodes: readonly NodeResults[];
  readonly steps: readonly FlowStep[];
}

/**
 * Equal paths are counted first, so that only distinct ones are taken apart. A node counts once for a run, at its first visit: a
 * Sankey diagram has no room for circles.
 */
export const flowQuery = (subject: AnalyticsSubject, since: string) => sql<Flow>`
  with paths as materialized (
    select row_number() over () as path, scenario_id, version_number, status, nodes_visited, current_node_id,
      count(*)::int as runs
    ${endedRuns(subject, since)}
    group by scenario_id, version_number, status, nodes_visited, current_node_id
  ), visits as materialized (
    select path, scenario_id, status, runs, node, current_node_id = node as is_last,
      row_number() over way as place, lead(node) over way as next
    from paths cross join lateral (
      select node, min(position) as position from unnest(nodes_visited) with ordinality as visit (node, position)
      group by node
    ) as first_visits
    window way as (partition by path order by position)
  ), steps as (
    select scenario_id, null as source, node as target, status, runs from visits where place = 1
    union all select scenario_id, node, next, status, runs from visits
    union all select scenario_id, null, null, status, runs from paths where nodes_visited = '{}'
  )
  select
    (select coalesce(json_agg(repeated), '[]') from (
      select sum(runs)::int as runs, coalesce(sum(runs) filter (where status = 'PASSED'), 0)::int as passed
      from paths group by scenario_id, version_number having sum(runs) > 1
    ) as repeated) as repeated,
    (select coalesce(json_agg(nodes), '[]') from (
      select node as node_id, sum(runs)::int as runs,
        coalesce(sum(runs) filter (where status <> 'PASSED'), 0)::int as failed,
        coalesce(sum(runs) filter (where status <> 'PASSED' and is_last), 0)::int as "failedHere"
      from visits group by node
    ) as nodes) as nodes,
    (select coalesce(json_agg(steps), '[]') from (
      select scenario_id, source, target, status, sum(runs)::int as runs
      from steps group by scenario_id, source, target, status
    ) as steps) as steps`;

export interface LatestRun {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  readonly score: number | null;
  readonly created_at: Date;
}

const maximumLatestRuns = 100;

/** Newest first. */
export const latestQuery = (subject: AnalyticsSubject, since: string) => sql<LatestRun>`
  select run.id, run.scenario_id, coalesce(scenario.name, '') as scenario_name, run.status,
    run.overall_score as score, run.created_at
  from (
    select organization_id, id, scenario_id, status, overall_score, created_at, completed_at
    ${endedRuns(subject, since)}
    order by completed_at desc limit ${maximumLatestRuns}
  ) as run
  left join agent_test_scenarios as scenario
    on scenario.organization_id = run.organization_id and scenario.id = run.scenario_id
  order by run.completed_at desc`;

/** Names of scenarios, deleted ones too. */
export async function scenarioNames(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const coveringRuns = 10_000;

/** What the latest runs by text of a version visited: each step from a node to the next one, and the last node without one. */
export const visitsQuery = (
  organizationId: string,
  pathwayId: string,
  version: number,
  batchId: string | undefined,
) => sql<{
  readonly runs: number;
  readonly source: string | null;
  readonly target: string | null;
}>`
  with run as (
    select nodes_visited from agent_test_runs
    where organization_id = ${organizationId} and pathway_id = ${pathwayId}::uuid and version_number = ${version}
      and channel = 'text' and status in ('PASSED', 'FAILED')
      and ${batchId === undefined ? sql`true` : sql`batch_id = ${batchId}::uuid`}
    order by completed_at desc limit ${coveringRuns}
  )
  select distinct (select count(*)::int from run) as runs, nodes_visited[place] as source,
    nodes_visited[place + 1] as target
  from (select 1) as one
  left join (select nodes_visited, generate_subscripts(nodes_visited, 1) as place from run) as step on true`;
