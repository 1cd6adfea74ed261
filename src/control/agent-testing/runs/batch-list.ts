import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { RunOrigin, RunStatus } from '../schemas/run.js';

/** A batch with the figures of its runs. */
export interface ListedBatch {
  readonly id: string;
  readonly status: RunStatus;
  readonly origin: RunOrigin;
  readonly total_runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly publish_on_pass: boolean;
  /** By name. */
  readonly scenarios: readonly { readonly id: string; readonly name: string }[];
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

interface BatchFilter {
  readonly status?: RunStatus | undefined;
  readonly trigger_source?: RunOrigin | undefined;
}

/** Newest first. Throws `InvalidRequest` when `after` is no batch. */
export async function listBatches(
  database: Kysely<Database>,
  organizationId: string,
  { status, trigger_source: origin }: BatchFilter,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly ListedBatch[]; readonly next: string | null }> {
  const start = await pageStart(database, 'agent_test_batches', organizationId, after);
  const { rows } = await sql<ListedBatch>`
    select agent_test_batches.id, shown.status, origin, total_runs, passed, failed, publish_on_pass, scenarios,
      created_at, completed_at
    from agent_test_batches
    cross join lateral (
      select count(*) filter (where run.status = 'PASSED')::int as passed,
        count(*) filter (where run.status in ('FAILED', 'ERROR', 'CANCELLED'))::int as failed,
        coalesce(bool_and(run.status = 'PENDING'), true) as is_pending,
        coalesce(json_agg(json_build_object('id', scenario.id, 'name', scenario.name) order by scenario.name), '[]')
          as scenarios
      from agent_test_runs as run
      join agent_test_scenarios as scenario
        on scenario.organization_id = run.organization_id and scenario.id = run.scenario_id
      where run.organization_id = agent_test_batches.organization_id and run.batch_id = agent_test_batches.id
    ) as runs
    cross join lateral (
      select coalesce(agent_test_batches.status, case when is_pending then 'PENDING' else 'RUNNING' end) as status
    ) as shown
    where organization_id = ${organizationId} and ${start}
      and ${status === undefined ? sql<boolean>`true` : sql<boolean>`shown.status = ${status}`}
      and ${origin === undefined ? sql<boolean>`true` : sql<boolean>`origin = ${origin}`}
    order by created_at desc, agent_test_batches.id desc limit ${limit + 1}`.execute(database);
  return pageFrom(rows, limit);
}
