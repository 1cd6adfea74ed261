import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { GateRun } from './refusals.js';

/** A version whose promotions count together. */
export interface GatedVersion {
  readonly organization_id: string;
  readonly version_id: string;
  readonly revision: number;
}

/**
 * Runs of all promotions of a version as it is, whose scenario is still as it was then. A run that ended in ERROR or was cancelled counts
 * for its own promotion alone.
 * @param batchId of the promotion to decide; null: none
 */
export async function readGateRuns(
  database: Kysely<Database> | Transaction<Database>,
  { organization_id: organizationId, version_id: versionId, revision }: GatedVersion,
  batchId: string | null,
): Promise<GateRun[]> {
  const { rows } = await sql<GateRun>`
    select run.id, run.scenario_id as "scenarioId", scenario.name, run.status, run.error_message as error,
      run.is_stand_in as "isStandIn", run.batch_id is not distinct from ${batchId}::uuid as "isCurrent",
      scenario.required_pass_rate as "requiredPassRate", scenario.promotion_runs as "promotionRuns",
      coalesce((
        select json_agg(coalesce(result.name, result.type) order by result.position)
        from agent_test_results as result
        where result.organization_id = run.organization_id and result.run_id = run.id
          and result.is_required and result.status <> 'PASSED'
      ), '[]') as failures
    from promotions
    join agent_test_runs as run
      on run.organization_id = promotions.organization_id and run.batch_id = promotions.batch_id
    join agent_test_scenarios as scenario
      on scenario.organization_id = run.organization_id and scenario.id = run.scenario_id
    where promotions.organization_id = ${organizationId} and promotions.version_id = ${versionId}
      and promotions.revision = ${revision}
      and (run.batch_id is not distinct from ${batchId}::uuid or (
        run.status in ('PASSED', 'FAILED') and not run.is_stand_in and run.created_at >= scenario.updated_at
      ))
    order by scenario.name, run.created_at, run.id`.execute(database);
  return rows;
}
