import { type Kysely, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { storable, storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import type { Models } from '../../models/models.js';
import type { WorkerPool } from '../../workers/worker-pool.js';
import { evaluate } from '../assertions/evaluate.js';
import { outcomeOf } from '../assertions/outcome.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import { throwUnavailable } from '../conversation/model-unavailable.js';
import { readRun } from '../runs/run-storage.js';
import { isEnded } from '../runs/run-view.js';
import { storedEvidence } from '../runs/stored-evidence.js';
import { readScenario } from '../scenarios/scenario-storage.js';
import { assertionView } from '../scenarios/scenario-view.js';
import type { Judgement } from '../schemas/calibration.js';
import { judgementView } from './judgement-view.js';

export interface JudgeAgainDeps {
  readonly database: Kysely<Database>;
  readonly models: Models;
  readonly workers: Pick<WorkerPool, 'run'>;
}

/** How long a person waits for it. */
const patienceMilliseconds = 120_000;

/**
 * Judges the stored conversation of a run by the scenario's present assertions, without a new conversation. The run keeps its own
 * result: gates and statistics count what was judged when it ran. Throws `DemarcError` `NOT_FOUND`, `RUN_NOT_JUDGEABLE` or
 * `MODEL_UNAVAILABLE`.
 */
export async function judgeAgain(
  { database, models, workers }: JudgeAgainDeps,
  organizationId: string,
  runId: string,
  signal = AbortSignal.timeout(patienceMilliseconds),
): Promise<Judgement> {
  const whole = await readRun(database, organizationId, runId);
  const { run, conversation } = whole;
  if (!isEnded(run.status)) throw new DemarcError('RUN_NOT_JUDGEABLE', `it is ${run.status}`);
  if (conversation.chat_history.length === 0)
    throw new DemarcError('RUN_NOT_JUDGEABLE', 'nothing was said in it');
  const { row: scenario, assertions } = await readScenario(database, organizationId, run.scenario_id);
  const price = await models.judge?.priceOf({ organizationId });
  const meter = new ModelMeter(price?.currency);
  const judge = models.judge && new MeteredModel(models.judge, organizationId, meter);
  const { results } = await evaluate(assertions.map(assertionView), false, storedEvidence(whole, scenario), {
    model: judge,
    workers,
    organizationId,
    signal,
  }).catch(throwUnavailable);
  const isJudged = results.some(({ judged_by: model }) => model !== null);
  const { status, overallScore, reasoning } = outcomeOf(results);
  const values = {
    status,
    overall_score: overallScore,
    reasoning: storable(reasoning),
    results: storableJson(results),
    judge_model: isJudged ? (judge?.name ?? null) : null,
    is_stand_in: isJudged && models.isStandIn,
    model_requests: meter.requests,
    prompt_tokens: meter.promptTokens,
    completion_tokens: meter.completionTokens,
    cost: meter.cost,
    cost_currency: meter.currency,
  };
  const stored = await database
    .insertInto('agent_test_judgements')
    .values({ organization_id: organizationId, run_id: run.id, ...values })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'run_id']).doUpdateSet({ ...values, judged_at: sql<Date>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return judgementView(stored);
}
