import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { Variation } from '../schemas/matrix.js';
import type { EndedStatus, RunOrigin } from '../schemas/run.js';
import type { RunChannel } from '../schemas/scenario.js';

/** What an order allows; an omitted limit is that of the organization. */
export interface OrderedBudget {
  readonly tokens?: number | undefined;
  /** In the currency of the organization. */
  readonly cost?: number | undefined;
}

/** Columns of the budget of runs that are started together. */
export interface GroupBudget {
  readonly token_budget: number | null;
  readonly cost_budget: number | null;
  readonly cost_currency: string;
}

/** An order to run one scenario. */
export interface RunOrder {
  /** UUID; an order with the id of an earlier run changes nothing. Default: a new one. */
  readonly id?: string;
  readonly organizationId: string;
  readonly scenarioId: string;
  /** Of the pathway or persona. Default: the draft if there is one, else the live version. */
  readonly versionNumber?: number | 'live' | undefined;
  /** Default: that of the scenario. */
  readonly channel?: RunChannel | undefined;
  readonly origin: RunOrigin;
  readonly batchId?: string | undefined;
  readonly simulationSetId?: string | undefined;
  readonly tornadoSessionId?: string | undefined;
  readonly requestDataOverride?: Readonly<Record<string, unknown>> | undefined;
  /** Values that replace those of the scenario. */
  readonly variation?: Variation | undefined;
  /** Of noise, losses and delays, if the scenario has any. Default: that of the scenario. */
  readonly seed?: number | undefined;
  /** Already checked (`checkWebhookUrl`). */
  readonly webhookUrl?: string | undefined;
  /** Default: the limits of the organization. */
  readonly budget?: OrderedBudget | undefined;
  /** A real call to judge in place of a conversation. */
  readonly callId?: string | undefined;
  readonly monitorId?: string | undefined;
  /** The load test whose caller it is, which begins it in place of the queue. */
  readonly loadTestId?: string | undefined;
  /** From 0. */
  readonly loadStep?: number | undefined;
}

/** A run that has ended, as `onEnded` gets it. */
export interface EndedRun {
  readonly organizationId: string;
  readonly id: string;
  readonly scenarioId: string;
  readonly status: EndedStatus;
  readonly overallScore: number | null;
  readonly batchId: string | null;
  readonly simulationSetId: string | null;
  readonly tornadoSessionId: string | null;
  readonly monitorId: string | null;
}

/**
 * Called in the transaction that ends a run, once for each run, in the process that ran it. What it changes is stored with the
 * end or not at all; if it rejects, the end is stored again later.
 */
export type EndedHook = (run: EndedRun, transaction: Transaction<Database>) => Promise<void>;

/** Starts runs and reports their ends: what simulation sets, gates and tornado build on. */
export interface Runs {
  /**
   * Stores the runs, all or none; workers begin them when slots of the organization are free. Throws `DemarcError` `NOT_FOUND` for
   * a scenario, `RUN_QUEUE_FULL`, `TOKEN_BUDGET_TOO_LOW` and `COST_BUDGET_TOO_LOW`, and `InvalidRequest` for a version or a channel that it cannot be run with.
   * @returns the ids, in the order of the orders
   * @param transaction absent: a transaction for these orders alone
   */
  start(orders: readonly RunOrder[], transaction?: Transaction<Database>): Promise<readonly string[]>;
  /**
   * Throws as `start` for orders that are to be started later, whether or not there is space for them now.
   * @param budget of the orders together: `TOKEN_BUDGET_TOO_LOW` and `COST_BUDGET_TOO_LOW` are thrown for it as well
   */
  check(orders: readonly RunOrder[], budget?: GroupBudget): Promise<void>;
  /** What runs that are started together may take: the lower limits of the order and the organization. */
  budgetOf(
    database: Kysely<Database>,
    organizationId: string,
    which: 'set' | 'gate',
    ordered?: OrderedBudget,
  ): Promise<GroupBudget>;
  /** Stores a batch with its runs, one order for each scenario. Throws as `start`. */
  startBatch(batch: BatchOrder, transaction?: Transaction<Database>): Promise<StartedBatch>;
  /** Adds runs to a batch, one for each id of a scenario, and reopens it if it had ended. Throws as `start`. */
  extendBatch(batch: BatchOrder, transaction: Transaction<Database>): Promise<void>;
  /** Begins runs stored in a transaction of the caller at once, instead of within a second. */
  wake(): void;
  /**
   * Cancels runs that have not ended: those in progress stop within a second. Ids of ended runs are ignored.
   * @returns how many are cancelled
   */
  cancel(organizationId: string, ids: readonly string[]): Promise<number>;
  /** Register before the services start. */
  onEnded(hook: EndedHook): void;
  /** Resolves with whether a worker has begun the run; waits for that as long as a free worker needs. */
  hasBegun(organizationId: string, id: string): Promise<boolean>;
  /** Resolves when all of them have ended, whichever process ran them. Rejects with the signal's reason. */
  ended(organizationId: string, ids: readonly string[], signal: AbortSignal): Promise<readonly EndedRun[]>;
}

export interface BatchOrder {
  /** UUID. */
  readonly id: string;
  readonly organizationId: string;
  readonly scenarioIds: readonly string[];
  readonly versionNumber?: number | undefined;
  readonly channel?: RunChannel | undefined;
  readonly origin: RunOrigin;
  readonly publishOnPass?: boolean | undefined;
  readonly requestDataOverride?: Readonly<Record<string, unknown>> | undefined;
  /** Already checked (`checkWebhookUrl`). */
  readonly webhookUrl?: string | undefined;
  readonly tornadoSessionId?: string | undefined;
  /** Of its runs together. Default: the limits of the organization. */
  readonly budget?: OrderedBudget | undefined;
}

export interface StartedBatch {
  readonly batchId: string;
  readonly runs: readonly { readonly runId: string; readonly scenarioId: string }[];
}
