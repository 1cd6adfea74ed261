import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import { endRun } from './end-run.js';
import { groupBudget } from './group-budget.js';
import type {
  BatchOrder,
  EndedHook,
  EndedRun,
  GroupBudget,
  OrderedBudget,
  RunOrder,
  Runs,
  StartedBatch,
} from './run-order.js';
import { isEnded } from './run-view.js';
import { checkRuns, extendBatch, type StartDeps, storeBatch, storeRuns } from './start-runs.js';

export interface TestRunsDeps extends StartDeps {
  readonly database: Kysely<Database>;
  readonly wake: () => void;
  readonly wakeDeliveries: () => void;
}

const pollMilliseconds = 250;
/** A worker with a free slot begins a run within this time. */
const beginMilliseconds = 400;
const beginPollMilliseconds = 20;

/** Starts, cancels and awaits runs. */
export class TestRuns implements Runs {
  readonly hooks: EndedHook[] = [];

  constructor(private readonly deps: TestRunsDeps) {}

  async start(orders: readonly RunOrder[], transaction?: Transaction<Database>): Promise<readonly string[]> {
    return this.within(transaction, (own) => storeRuns(own, this.deps, orders));
  }

  check(orders: readonly RunOrder[], budget?: GroupBudget): Promise<void> {
    return checkRuns(this.deps.database, this.deps, orders, budget);
  }

  budgetOf(
    database: Kysely<Database>,
    organizationId: string,
    which: 'set' | 'gate',
    ordered?: OrderedBudget,
  ): Promise<GroupBudget> {
    return groupBudget(database, this.deps.currency, organizationId, which, ordered);
  }

  async startBatch(batch: BatchOrder, transaction?: Transaction<Database>): Promise<StartedBatch> {
    return this.within(transaction, (own) => storeBatch(own, this.deps, batch));
  }

  extendBatch(batch: BatchOrder, transaction: Transaction<Database>): Promise<void> {
    return extendBatch(transaction, this.deps, batch);
  }

  wake(): void {
    this.deps.wake();
  }

  async cancel(organizationId: string, ids: readonly string[]): Promise<number> {
    const { database, wakeDeliveries } = this.deps;
    let cancelled = 0;
    for (const id of ids) {
      const end = { status: 'CANCELLED', reasoning: 'The run was cancelled.', errorMessage: null } as const;
      const isCancelled = await database
        .transaction()
        .execute((transaction) => endRun(transaction, this.hooks, { organizationId, id }, end));
      if (isCancelled) cancelled++;
    }
    if (cancelled > 0) wakeDeliveries();
    return cancelled;
  }

  onEnded(hook: EndedHook): void {
    this.hooks.push(hook);
  }

  async hasBegun(organizationId: string, id: string): Promise<boolean> {
    const end = performance.now() + beginMilliseconds;
    for (;;) {
      const run = await this.deps.database
        .selectFrom('agent_test_runs')
        .select('started_at')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (run !== undefined && run.started_at !== null) return true;
      if (performance.now() > end) return false;
      await sleep(beginPollMilliseconds);
    }
  }

  async ended(
    organizationId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly EndedRun[]> {
    for (;;) {
      signal.throwIfAborted();
      const rows = await this.deps.database
        .selectFrom('agent_test_runs')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute();
      const ended = rows.flatMap((run): EndedRun[] =>
        isEnded(run.status)
          ? [
              {
                organizationId,
                id: run.id,
                status: run.status,
                overallScore: run.overall_score,
                scenarioId: run.scenario_id,
                batchId: run.batch_id,
                simulationSetId: run.simulation_set_id,
                tornadoSessionId: run.tornado_session_id,
                monitorId: run.monitor_id,
              },
            ]
          : [],
      );
      if (ended.length === rows.length) return ended;
      await sleep(pollMilliseconds, undefined, { signal });
    }
  }

  private async within<Result>(
    transaction: Transaction<Database> | undefined,
    work: (transaction: Transaction<Database>) => Promise<Result>,
  ): Promise<Result> {
    if (transaction !== undefined) return work(transaction);
    const result = await this.deps.database.transaction().execute(work);
    this.deps.wake();
    return result;
  }
}
