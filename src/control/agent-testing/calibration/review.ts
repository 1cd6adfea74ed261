import type { Kysely } from 'kysely';
import { storable } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import { readRun } from '../runs/run-storage.js';
import type { LabelInput, Review } from '../schemas/calibration.js';
import { judgementView } from './judgement-view.js';

/** Labels of a run, and how it was judged again. Throws `DemarcError` `NOT_FOUND`. */
export async function readReview(
  database: Kysely<Database>,
  organizationId: string,
  runId: string,
): Promise<Review> {
  const { run } = await readRun(database, organizationId, runId);
  const labels = await database
    .selectFrom('agent_test_labels')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', run.id)
    .orderBy('labelled_at')
    .orderBy('assertion_id')
    .execute();
  const judgement = await database
    .selectFrom('agent_test_judgements')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', run.id)
    .executeTakeFirst();
  return {
    labels: labels.map(({ assertion_id, passed, note, labelled_by, labelled_at }) => ({
      assertion_id,
      passed,
      note,
      labelled_by,
      labelled_at: labelled_at.toISOString(),
    })),
    judgement: judgement === undefined ? null : judgementView(judgement),
  };
}

/** Sets and removes labels. Throws `DemarcError` `NOT_FOUND`, and `InvalidRequest` for an assertion that the run did not evaluate. */
export async function setLabels(
  database: Kysely<Database>,
  { organizationId, runId, by }: { organizationId: string; runId: string; by: string },
  labels: readonly LabelInput[],
): Promise<void> {
  const { run, results } = await readRun(database, organizationId, runId);
  requireEvaluated(
    labels,
    results.map(({ result }) => result.assertion_id),
  );
  await database.transaction().execute(async (transaction) => {
    for (const { assertion_id, passed, note } of labels) {
      await transaction
        .deleteFrom('agent_test_labels')
        .where('organization_id', '=', organizationId)
        .where('run_id', '=', run.id)
        .where('assertion_id', '=', assertion_id)
        .execute();
      if (passed === null) continue;
      await transaction
        .insertInto('agent_test_labels')
        .values({
          organization_id: organizationId,
          run_id: run.id,
          assertion_id,
          passed,
          note: note === null ? null : storable(note),
          labelled_by: by,
        })
        // Of two people at the same time, the last one counts.
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'run_id', 'assertion_id']).doUpdateSet(({ ref }) => ({
            passed: ref('excluded.passed'),
            note: ref('excluded.note'),
            labelled_by: ref('excluded.labelled_by'),
            labelled_at: ref('excluded.labelled_at'),
          })),
        )
        .execute();
    }
  });
}

/** Throws `InvalidRequest` for the first label of an assertion that is not among those of the results. */
export function requireEvaluated(
  labels: readonly Pick<LabelInput, 'assertion_id'>[],
  evaluated: readonly string[],
): void {
  const unknown = labels.findIndex(({ assertion_id: id }) => !evaluated.includes(id));
  if (unknown !== -1)
    throw InvalidRequest.at(`labels.${unknown}.assertion_id`, 'The run has no result of this assertion.');
}
