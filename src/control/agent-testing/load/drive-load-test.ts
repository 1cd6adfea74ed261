import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { TestBudget } from '../budget/test-budget.js';
import type { Runs } from '../runs/run-order.js';
import type { RunWork } from '../runs/run-work.js';
import { breakOf, isStop } from './breaking-point.js';
import { endLoadTest } from './end-load-test.js';
import { type Lease, lockLoadTest } from './load-test-lease.js';
import { callerOrder, type LoadTestRow, readCallers } from './load-test-storage.js';
import { figuresOf } from './step-figures.js';
import type { StepResult } from './tables.js';

export interface DriveDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'start' | 'cancel'>;
  readonly work: Pick<RunWork, 'run'>;
  readonly budget: Pick<TestBudget, 'admit'>;
  readonly wakeDeliveries: () => void;
}

/** After so many attempts whose process died, the step itself is taken for the cause. */
const maximumAttempts = 2;
/** Until a run that failed for a reason of this service is begun again. */
const retryMilliseconds = 500;

/** Why a load test cannot continue; the message is for the customer. */
export class LoadTestFailure extends Error {}

/** Runs the steps that have not ended. Rejects with `LeaseLost`, with `LoadTestFailure`, as `Runs.start`, and with the signal's reason. */
export async function driveLoadTest(deps: DriveDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  for (;;) {
    const test = await beginStep(deps, lease);
    await holdStep(deps, lease, test, signal);
    if (await finishStep(deps, lease)) return;
  }
}

/** Begins the present step, without the callers of an attempt that was interrupted: they were fewer at once than they should be. */
async function beginStep({ database, runs }: DriveDeps, lease: Lease): Promise<LoadTestRow> {
  const { test, stale } = await database.transaction().execute(async (transaction) => {
    const { organization_id: organizationId, id, results, ...row } = await lockLoadTest(transaction, lease);
    const { concurrency } = row.steps[results.length]!;
    if (row.step_attempts >= maximumAttempts) {
      throw new LoadTestFailure(
        `The step of ${concurrency} callers was interrupted ${maximumAttempts} times by a failure of this service.`,
      );
    }
    const begun = await transaction
      .updateTable('agent_test_load_tests')
      .set({ step_attempts: row.step_attempts + 1, step_started_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const left = await transaction
      .updateTable('agent_test_runs')
      .set({ load_step: null })
      .where('organization_id', '=', organizationId)
      .where('load_test_id', '=', id)
      .where('load_step', '=', results.length)
      .returning(['id', 'completed_at'])
      .execute();
    return { test: begun, stale: left.filter(({ completed_at: at }) => at === null).map((run) => run.id) };
  });
  await runs.cancel(test.organization_id, stale);
  return test;
}

/** Lets callers begin until the step has had them all, so many at once as it says; resolves when they have ended. */
async function holdStep(
  deps: DriveDeps,
  lease: Lease,
  test: LoadTestRow,
  signal: AbortSignal,
): Promise<void> {
  const index = test.results.length;
  const { concurrency, callers } = test.steps[index]!;
  const deadline =
    test.seconds_per_step === null
      ? Number.POSITIVE_INFINITY
      : performance.now() + 1_000 * test.seconds_per_step;
  // One caller that cannot begin ends the step for all.
  const failed = new AbortController();
  const step = AbortSignal.any([signal, failed.signal]);
  let begun = 0;
  const begin = async (count: number): Promise<readonly string[]> => {
    const first = begun;
    begun += count;
    return beginCallers(deps, lease, index, { first, count });
  };
  const first = await begin(concurrency);
  const line = async (id: string | undefined): Promise<void> => {
    try {
      for (let present = id; present !== undefined; ) {
        await holdCaller(deps, test.organization_id, present, step);
        const isOver = begun >= callers || performance.now() >= deadline;
        [present] = isOver ? [] : await begin(1);
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const lines = await Promise.allSettled(first.map(line));
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  const rejected = lines.find((ended) => ended.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
}

async function beginCallers(
  { database, runs, budget }: DriveDeps,
  lease: Lease,
  step: number,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<readonly string[]> {
  await budget.admit(lease.test.organization_id);
  return database.transaction().execute(async (transaction) => {
    const test = await lockLoadTest(transaction, lease);
    const orders = Array.from({ length: count }, (_, place) => callerOrder(test, step, first + place));
    return runs.start(orders, transaction);
  });
}

/** Resolves when the run has ended, also by another process or a cancellation. */
async function holdCaller(
  { database, work }: DriveDeps,
  organizationId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    await work.run(organizationId, id, signal);
    const run = await database
      .selectFrom('agent_test_runs')
      .select('completed_at')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (run === undefined || run.completed_at !== null) return;
    await sleep(retryMilliseconds, undefined, { signal });
  }
}

/** Stores what the step showed. @returns whether the load test has ended with it */
async function finishStep({ database, wakeDeliveries }: DriveDeps, lease: Lease): Promise<boolean> {
  const hasEnded = await database.transaction().execute(async (transaction) => {
    const test = await lockLoadTest(transaction, lease);
    const index = test.results.length;
    const figures = figuresOf(await readCallers(transaction, test, index));
    if (figures.success_rate === null) {
      const [most] = figures.reasons;
      throw new LoadTestFailure(
        `No caller of the step of ${test.steps[index]!.concurrency} showed anything of the agent: ${most?.reason ?? 'all were cancelled.'}`,
      );
    }
    const result: StepResult = {
      ...figures,
      breaks: breakOf(figures, test),
      attempts: test.step_attempts,
      started_at: test.step_started_at!.toISOString(),
      completed_at: new Date().toISOString(),
    };
    await storeResult(transaction, test, result);
    const isLast = index + 1 === test.steps.length;
    return (isLast || isStop(figures, test)) && endLoadTest(transaction, test, 'COMPLETED');
  });
  if (hasEnded) wakeDeliveries();
  return hasEnded;
}

async function storeResult(
  transaction: Transaction<Database>,
  { organization_id: organizationId, id, results }: LoadTestRow,
  result: StepResult,
): Promise<void> {
  await transaction
    .updateTable('agent_test_load_tests')
    .set({ results: JSON.stringify([...results, result]), step_attempts: 0, step_started_at: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
