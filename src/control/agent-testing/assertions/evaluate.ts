import type { z } from 'zod';
import { ModelFailure } from '../../models/model-failure.js';
import { WorkerFailure, type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import type { Evidence, Verdict } from '../conversation/evidence.js';
import type { MeteredModel } from '../conversation/metered-model.js';
import {
  type AssertionConfig,
  type AssertionResult,
  type AssertionType,
  assertionConfigs,
  type assertionSchema,
} from '../schemas/assertion.js';
import type { ServiceToneScore } from '../schemas/run.js';
import type { CheckOrder } from './check-worker.js';
import { judge, judgeWith } from './judge.js';
import { scoreTone } from './tone.js';
import { unheard } from './unheard.js';

type Assertion = z.output<typeof assertionSchema>;

export interface Evaluation {
  /** In the order of the assertions. */
  readonly results: readonly AssertionResult[];
  /** Null: not asked for, or it failed. */
  readonly tone: ServiceToneScore | null;
  /** Why the tone was not scored although it was asked for; null: it was. */
  readonly toneProblem: string | null;
}

interface Judging {
  /** Undefined: none is configured. */
  readonly model: MeteredModel | undefined;
  readonly workers: Pick<WorkerPool, 'run'>;
  readonly organizationId: string;
  readonly signal: AbortSignal;
}

const checkWorker = workerFile<CheckOrder, Verdict>('./check-worker', import.meta.url);

const noModel = 'No language model is configured to judge.';

/**
 * Evaluates the assertions one after the other. Rejects with the signal's reason; an assertion that cannot be evaluated has
 * status ERROR.
 * @param wantsTone whether the tone is scored also without an assertion about it
 */
export async function evaluate(
  assertions: readonly Assertion[],
  wantsTone: boolean,
  evidence: Omit<Evidence, 'tone'>,
  judging: Judging,
): Promise<Evaluation> {
  const isToneNeeded = wantsTone || assertions.some(({ type }) => type === 'SERVICE_TONE');
  const missed = unheard(evidence);
  const scored = isToneNeeded ? await toneOf({ ...evidence, tone: null }, missed, judging) : noTone;
  const complete = { ...evidence, tone: scored.tone };
  const results: AssertionResult[] = [];
  for (const assertion of assertions) {
    const verdict = await verdictFor(assertion, complete, scored.toneProblem, judging);
    results.push({
      assertion_id: assertion.id,
      type: assertion.type,
      name: assertion.name,
      status: verdict.status,
      passed: verdict.status === 'PASSED',
      is_required: assertion.is_required,
      weight: assertion.weight,
      score: verdict.score,
      reasoning: verdict.reasoning,
      expected: verdict.expected ?? null,
      actual: verdict.actual ?? null,
      turns: verdict.turns === undefined ? null : [...verdict.turns],
      judged_by: verdict.judgedBy ?? null,
    });
  }
  return { results, ...scored };
}

interface Scored {
  readonly tone: ServiceToneScore | null;
  readonly toneProblem: string | null;
}
const noTone: Scored = { tone: null, toneProblem: null };

async function toneOf(
  evidence: Evidence,
  missed: Verdict | undefined,
  { model, signal }: Judging,
): Promise<Scored> {
  if (missed !== undefined) return { tone: null, toneProblem: missed.reasoning };
  if (model === undefined) return { tone: null, toneProblem: noModel };
  try {
    return { tone: await scoreTone(model, evidence, signal), toneProblem: null };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { tone: null, toneProblem: error.message };
  }
}

async function verdictFor(
  { type, config }: Assertion,
  evidence: Evidence,
  toneProblem: string | null,
  judging: Judging,
): Promise<Verdict> {
  const { model, signal } = judging;
  if (type === 'LLM_JUDGE' || type === 'CUSTOM_LLM') {
    const missed = unheard(evidence);
    if (missed !== undefined) return missed;
    if (model === undefined) return { status: 'ERROR', score: null, reasoning: noModel };
    return type === 'LLM_JUDGE'
      ? judge(model, parsed(type, config), evidence, signal)
      : judgeWith(model, parsed(type, config), evidence, signal);
  }
  if (type === 'SERVICE_TONE') {
    const judgedBy = model?.name ?? null;
    if (toneProblem !== null) return { status: 'ERROR', score: null, reasoning: toneProblem, judgedBy };
    return { ...(await check({ type, config, evidence }, judging)), judgedBy };
  }
  return check({ type, config, evidence }, judging);
}

const parsed = <Type extends AssertionType>(type: Type, config: unknown): AssertionConfig<Type> =>
  assertionConfigs[type].parse(config) as AssertionConfig<Type>;

async function check(order: CheckOrder, { workers, organizationId, signal }: Judging): Promise<Verdict> {
  try {
    return await workers.run(checkWorker, organizationId, order, signal);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return { status: 'ERROR', score: null, reasoning: `The evaluation was stopped. ${error.message}` };
  }
}
