import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import type { Models } from '../../models/models.js';
import { changeVersion, forkVersion, pathways } from '../../pathways/index.js';
import { analyzeRun } from '../analysis/analyze-run.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import type { Runs } from '../runs/run-order.js';
import { evaluate, outcomesOfScenarios, type ScenarioOutcome } from './outcome.js';
import { type AnalyzedFailure, type FixPlan, planFixes } from './plan.js';
import {
  endSession,
  type IterationRow,
  type Lease,
  lockSession,
  readIterations,
  type SessionRow,
} from './session-storage.js';

export interface DriveDeps {
  readonly database: Kysely<Database>;
  readonly models: Models;
  readonly runs: Pick<Runs, 'startBatch' | 'wake' | 'ended'>;
}

/**
 * Drives a session until it has ended. Each step is one transaction that only the holder of the lease can make, and the rows say which
 * step is next: a process that takes over continues where the killed one was. Rejects with the signal's reason, `LeaseLost`, or what
 * kept a step from succeeding.
 */
export async function driveSession(deps: DriveDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  const { organization_id: organizationId, id } = lease.session;
  for (;;) {
    signal.throwIfAborted();
    const iterations = await readIterations(deps.database, organizationId, id);
    const current = iterations.at(-1);
    if (current === undefined || current.completed_at !== null) {
      await beginIteration(deps, lease, (current?.iteration ?? 0) + 1);
    } else if (current.evaluated_at === null) {
      if (await evaluateIteration(deps, lease, iterations, signal)) return;
    } else if (await fixIteration(deps, lease, current, signal)) {
      return;
    }
  }
}

/** Starts the runs of the next iteration, with the fork if there is one. */
async function beginIteration({ database, runs }: DriveDeps, lease: Lease, iteration: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, lease);
    const { organization_id: organizationId, id } = session;
    const batchId = randomUUID();
    const versionNumber = session.forked_version ?? session.base_version;
    await transaction
      .insertInto('agent_test_tornado_iterations')
      .values({
        organization_id: organizationId,
        session_id: id,
        iteration,
        batch_id: batchId,
        version_number: versionNumber,
      })
      .execute();
    await runs.startBatch(
      {
        id: batchId,
        organizationId,
        versionNumber,
        origin: 'tornado',
        scenarioIds: session.scenario_ids.flatMap((id) => Array<string>(session.runs_per_scenario).fill(id)),
        tornadoSessionId: id,
      },
      transaction,
    );
  });
  runs.wake();
}

/** Waits for the runs and decides what follows. @returns true: the session has ended */
async function evaluateIteration(
  { database, runs }: DriveDeps,
  lease: Lease,
  iterations: readonly IterationRow[],
  signal: AbortSignal,
): Promise<boolean> {
  const { organization_id: organizationId, max_iterations: maximum } = lease.session;
  const current = iterations.at(-1)!;
  const ids = await database
    .selectFrom('agent_test_runs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('batch_id', '=', current.batch_id)
    .execute();
  await runs.ended(
    organizationId,
    ids.map(({ id }) => id),
    signal,
  );
  const ofRuns = await readOutcomes(database, organizationId, current.batch_id);
  const outcomes = outcomesOfScenarios(ofRuns, lease.session.required_pass_rate);
  return database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, lease);
    const { unfixable_ids: unfixableIds } = session;
    const earlier = iterations.slice(0, -1).map((iteration) => iteration.outcomes);
    const found = evaluate([...earlier, outcomes], { unfixableIds, maximum });
    const { decision } = found;
    const now = new Date();
    await transaction
      .updateTable('agent_test_tornado_iterations')
      .set({
        outcomes: storableJson(outcomes),
        passed_ids: [...found.passedIds],
        failed_ids: [...found.failedIds],
        newly_unfixable_ids: [...found.newlyUnfixableIds],
        evaluated_at: now,
        ...(decision.kind === 'fix' ? {} : { completed_at: now }),
      })
      .where('organization_id', '=', organizationId)
      .where('session_id', '=', session.id)
      .where('iteration', '=', current.iteration)
      .execute();
    if (found.newlyUnfixableIds.length > 0) await giveUp(transaction, session, found.newlyUnfixableIds);
    if (decision.kind === 'fix') return false;
    const message = decision.kind === 'ERROR' ? decision.message : null;
    return endSession(transaction, session, decision.kind, message);
  });
}

const giveUp = (database: Kysely<Database>, session: SessionRow, ids: readonly string[]) =>
  database
    .updateTable('agent_test_tornado_sessions')
    .set({ unfixable_ids: [...session.unfixable_ids, ...ids] })
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.id)
    .execute();

/** How each run of a batch ended; the signature names the required assertions that did not pass. */
async function readOutcomes(
  database: Kysely<Database>,
  organizationId: string,
  batchId: string,
): Promise<ScenarioOutcome[]> {
  const { rows } = await sql<ScenarioOutcome>`
    select run.scenario_id, run.id as run_id, run.status, run.error_message as error, coalesce((
      select string_agg(result.position || ' ' || result.type, ', ' order by result.position)
      from agent_test_results as result
      where result.organization_id = run.organization_id and result.run_id = run.id
        and result.is_required and result.status <> 'PASSED'
    ), '') as signature
    from agent_test_runs as run
    where run.organization_id = ${organizationId} and run.batch_id = ${batchId}::uuid
    order by run.created_at, run.id`.execute(database);
  return rows;
}

/** Analyzes the failures, plans fixes, and applies them to the fork. @returns true: the session has ended */
async function fixIteration(
  deps: DriveDeps,
  lease: Lease,
  current: IterationRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { database } = deps;
  const { session } = lease;
  const { organization_id: organizationId, pathway_id: pathwayId } = session;
  const failed = await fixableFailures(deps, lease, current, signal);
  const version = await pathways.versionForTest(database, organizationId, pathwayId, current.version_number);
  const plan = await planFixes(modelOf(deps.models, organizationId), version.document, failed, {
    iteration: current.iteration,
    signal,
  });
  const isUseful = plan.fixes.some(({ is_applied: isApplied }) => isApplied);
  return database.transaction().execute(async (transaction) => {
    const locked = await lockSession(transaction, lease);
    if (isUseful) await applyPlan(transaction, locked, plan, version.revision);
    await transaction
      .updateTable('agent_test_tornado_iterations')
      .set({
        fixes: storableJson(plan.fixes),
        prompt_excerpt: plan.promptExcerpt,
        completed_at: new Date(),
      })
      .where('organization_id', '=', organizationId)
      .where('session_id', '=', session.id)
      .where('iteration', '=', current.iteration)
      .execute();
    // The same version would end alike, but for chance.
    return isUseful ? false : endSession(transaction, locked, 'STUCK');
  });
}

async function fixableFailures(
  { database, models }: DriveDeps,
  { session }: Lease,
  { outcomes }: IterationRow,
  signal: AbortSignal,
): Promise<AnalyzedFailure[]> {
  const { organization_id: organizationId } = session;
  const { unfixable_ids: unfixable } = await database
    .selectFrom('agent_test_tornado_sessions')
    .select('unfixable_ids')
    .where('organization_id', '=', organizationId)
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const names = await database
    .selectFrom('agent_test_scenarios')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${session.scenario_ids}::uuid[])`)
    .execute();
  const failed = outcomes.filter(
    ({ scenario_id: id, status }) => status === 'FAILED' && !unfixable.includes(id),
  );
  // One after the other: a session must not take all slots of the model.
  const analyzed: AnalyzedFailure[] = [];
  for (const { scenario_id: scenarioId, run_id: runId } of failed) {
    analyzed.push({
      scenarioId,
      scenarioName: names.find(({ id }) => id === scenarioId)?.name ?? scenarioId,
      analysis: await analyzeRun({ database, models }, organizationId, runId, signal),
    });
  }
  return analyzed;
}

function modelOf({ judge }: Models, organizationId: string): MeteredModel {
  // The analysis needed it as well.
  if (judge === undefined) throw new Error('No language model is configured (DEMARC_LLM_URL).');
  return new MeteredModel(judge, organizationId, new ModelMeter());
}

async function applyPlan(
  transaction: Parameters<typeof lockSession>[0],
  session: SessionRow,
  { document }: FixPlan,
  revision: number,
): Promise<void> {
  const { organization_id: organizationId, pathway_id: pathwayId } = session;
  const change = (): typeof document => document;
  const { forked_version: forkedVersion } = session;
  if (forkedVersion !== null) {
    // What a person changed meanwhile is not overwritten.
    await changeVersion(transaction, organizationId, pathwayId, {
      versionNumber: forkedVersion,
      revision,
      change,
    });
  } else {
    const fork = await forkVersion(transaction, organizationId, pathwayId, {
      versionNumber: session.base_version,
      note: `Fixes of tornado session ${session.id}`,
    });
    const versionNumber = fork.version_number;
    await transaction
      .updateTable('agent_test_tornado_sessions')
      .set({ forked_version: versionNumber })
      .where('organization_id', '=', organizationId)
      .where('id', '=', session.id)
      .execute();
    await changeVersion(transaction, organizationId, pathwayId, { versionNumber, change });
  }
}
