import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../database/tables.js';
import { readUsage } from '../budget/usage-sum.js';
import { usedBudget } from '../runs/used-budget.js';
import type { listedLoadTestSchema, loadStepSchema, loadTestSchema } from '../schemas/load-test.js';
import type { UsageSum } from '../schemas/money.js';
import { breakingPointOf } from './breaking-point.js';
import { type LoadTestRow, readCallers } from './load-test-storage.js';
import { type CallerRun, figuresOf } from './step-figures.js';

type StepView = z.output<typeof loadStepSchema>;

export function listedLoadTestView(test: LoadTestRow): z.output<typeof listedLoadTestSchema> {
  const ended = test.results.map(({ breaks, limit_refusals: limited }, index) => ({
    concurrency: test.steps[index]!.concurrency,
    breaks,
    limited,
  }));
  const { breaksAt, reason, holdsAt } = breakingPointOf(ended);
  return {
    id: test.id,
    status: test.status,
    scenario_ids: test.scenario_ids,
    channel: test.channel,
    concurrency: test.steps.map(({ concurrency }) => concurrency),
    completed_steps: ended.length,
    breaks_at: breaksAt,
    break_reason: reason,
    holds_at: holdsAt,
    error_message: test.error_message,
    created_at: test.created_at.toISOString(),
    completed_at: test.completed_at?.toISOString() ?? null,
  };
}

/** @param present callers of the step that has begun and not ended */
export const loadTestView = (
  test: LoadTestRow,
  present: readonly CallerRun[],
  usage: UsageSum,
): z.output<typeof loadTestSchema> => ({
  ...listedLoadTestView(test),
  version_number: test.version_number,
  seconds_per_step: test.seconds_per_step,
  required_success_rate: test.required_success_rate,
  maximum_latency_ms: test.maximum_latency_ms,
  stop_below: test.stop_below,
  ...usedBudget(test),
  usage,
  steps: test.steps.map((_, index) => stepView(test, index, present)),
});

function stepView(test: LoadTestRow, index: number, present: readonly CallerRun[]): StepView {
  const { concurrency, callers } = test.steps[index]!;
  const planned = { concurrency, planned_callers: callers };
  const result = test.results[index];
  if (result !== undefined) return { ...planned, status: 'COMPLETED', ...result };
  const isRunning = test.status === 'RUNNING';
  const hasBegun = index === test.results.length && test.step_attempts > 0;
  return {
    ...planned,
    status: hasBegun ? (isRunning ? 'RUNNING' : 'STOPPED') : isRunning ? 'PENDING' : 'SKIPPED',
    ...figuresOf(hasBegun ? present : []),
    breaks: null,
    attempts: hasBegun ? test.step_attempts : 0,
    started_at: hasBegun ? (test.step_started_at?.toISOString() ?? null) : null,
    completed_at: hasBegun ? (test.completed_at?.toISOString() ?? null) : null,
  };
}

/** With the figures of its present step. */
export async function viewLoadTest(
  database: Kysely<Database>,
  test: LoadTestRow,
): Promise<z.output<typeof loadTestSchema>> {
  const hasBegun = test.step_attempts > 0;
  const usage = await readUsage(database, test.organization_id, 'load_test_id', [test.id]);
  const present = hasBegun ? await readCallers(database, test, test.results.length) : [];
  return loadTestView(test, present, usage(test.id));
}
