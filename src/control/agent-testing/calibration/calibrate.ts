import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { readScenario } from '../scenarios/scenario-storage.js';
import type { AssertionStatus } from '../schemas/assertion.js';
import type { Agreement, Calibration } from '../schemas/calibration.js';
import { cohensKappa } from '../statistics/kappa.js';

/** A label and the verdicts on the same assertion of the same run; null: there is none. */
export interface LabelledVerdict {
  readonly run_id: string;
  readonly assertion_id: string;
  readonly label: boolean;
  readonly original: AssertionStatus | null;
  readonly again: AssertionStatus | null;
}

/** Labels that are compared, the newest ones. */
const mostLabels = 10_000;
const mostRuns = 500;

/** How far judge and people agree on the runs of a scenario. Throws `DemarcError` `NOT_FOUND`. */
export async function calibrate(
  database: Kysely<Database>,
  organizationId: string,
  scenarioId: string,
): Promise<Calibration> {
  const { row, assertions } = await readScenario(database, organizationId, scenarioId);
  const { rows } = await sql<LabelledVerdict>`
    select l.run_id, l.assertion_id, l.passed as label, r.status as original, j.status as again
    from agent_test_labels l
    join agent_test_runs run on run.organization_id = l.organization_id and run.id = l.run_id
    left join agent_test_results r on r.organization_id = l.organization_id and r.run_id = l.run_id
      and r.result ->> 'assertion_id' = l.assertion_id::text
    left join lateral (
      select judged.item ->> 'status' as status
      from agent_test_judgements g, jsonb_array_elements(g.results) as judged (item)
      where g.organization_id = l.organization_id and g.run_id = l.run_id
        and judged.item ->> 'assertion_id' = l.assertion_id::text limit 1) j on true
    where l.organization_id = ${organizationId} and run.scenario_id = ${row.id}
    order by l.labelled_at desc, l.run_id limit ${mostLabels}`.execute(database);
  return {
    assertions: assertions.flatMap(({ id, type, name }) => {
      const labelled = rows.filter(({ assertion_id }) => assertion_id === id);
      if (labelled.length === 0) return [];
      const run = agreementOf(labelled.map(({ label, original }) => [label, original]));
      const again = agreementOf(labelled.map(({ label, again: verdict }) => [label, verdict]));
      return [{ assertion_id: id, type, name, run, judged_again: again }];
    }),
    labelled_run_ids: [...new Set(rows.map(({ run_id }) => run_id))].slice(0, mostRuns),
  };
}

/** Of labels and verdicts on the same conversations; null: there is no verdict. */
export function agreementOf(
  pairs: readonly (readonly [label: boolean, verdict: AssertionStatus | null])[],
): Agreement {
  const count = (label: boolean, status: AssertionStatus): number =>
    pairs.filter(([person, judge]) => person === label && judge === status).length;
  const comparison = {
    bothPassed: count(true, 'PASSED'),
    bothFailed: count(false, 'FAILED'),
    onlyJudgePassed: count(false, 'PASSED'),
    onlyPersonPassed: count(true, 'FAILED'),
  };
  const { bothPassed, bothFailed, onlyJudgePassed, onlyPersonPassed } = comparison;
  const compared = bothPassed + bothFailed + onlyJudgePassed + onlyPersonPassed;
  const found = cohensKappa(comparison);
  return {
    compared,
    errors: count(true, 'ERROR') + count(false, 'ERROR'),
    both_passed: bothPassed,
    both_failed: bothFailed,
    only_judge_passed: onlyJudgePassed,
    only_person_passed: onlyPersonPassed,
    agreement: compared === 0 ? null : (bothPassed + bothFailed) / compared,
    kappa: found?.kappa ?? null,
    kappa_interval: found?.interval ?? null,
  };
}
