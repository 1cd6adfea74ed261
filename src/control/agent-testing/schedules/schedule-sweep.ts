import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { ControlSettings } from '../../../config/control-settings.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import { SweepService } from '../../jobs/sweep-service.js';
import type { TestBudget } from '../budget/test-budget.js';
import type { Runs } from '../runs/run-order.js';
import { storeSimulationSet } from '../simulation/simulation-storage.js';
import { nextRunAt } from './recurrence.js';
import { setOrder } from './schedule-storage.js';
import { readScheduleUse, remainingOf } from './schedule-use.js';
import type { ScheduleRow } from './schedule-view.js';
import { storeState } from './store-state.js';

export interface ScheduleSweepDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'start' | 'budgetOf' | 'wake'>;
  readonly budget: Pick<TestBudget, 'admit'>;
  readonly settings: ControlSettings;
  /** Sends the alerts. */
  readonly wakeDeliveries: () => void;
  readonly log: Logger;
}

const intervalMilliseconds = 2_000;
/** After a failure of the service itself, so that one schedule does not hold up the others. */
const postponedMinutes = 1;

type Key = Pick<ScheduleRow, 'organization_id' | 'id'>;

/**
 * Starts the runs of schedules that are due. The set and the next time are one transaction under a lock of the row, so that each
 * time is started once, whichever processes sweep or are killed.
 */
export class ScheduleSweep extends SweepService {
  constructor(private readonly deps: ScheduleSweepDeps) {
    super('test-schedules', 'starting recurring tests', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Starting recurring tests failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const due = await this.deps.database
      .selectFrom('agent_test_schedules')
      .select(['organization_id', 'id'])
      .where('next_run_at', '<=', sql<Date>`now()`)
      .orderBy('next_run_at')
      .execute();
    for (const key of due) {
      if (this.task.isStopped) return;
      await this.run(key);
    }
  }

  private async run(key: Key): Promise<void> {
    const { runs, wakeDeliveries, log } = this.deps;
    try {
      await this.claimed(key, (transaction, schedule) => this.startSet(transaction, schedule));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) {
        await this.postpone(key);
        throw error;
      }
      log.warn(
        { schedule: key.id, organization: key.organization_id, problem },
        'Recurring test not started.',
      );
      await this.claimed(key, (transaction, schedule) =>
        storeState(transaction, this.deps.settings, schedule, {
          problem: `The tests could not be started: ${problem}`,
          lowestPassRate: null,
        }),
      );
    }
    runs.wake();
    wakeDeliveries();
  }

  /** Does the work and sets the next time, unless another process does so or has done so. */
  private async claimed(
    { organization_id: organizationId, id }: Key,
    work: (transaction: Transaction<Database>, schedule: ScheduleRow) => Promise<void>,
  ): Promise<void> {
    await this.deps.database.transaction().execute(async (transaction) => {
      const schedule = await transaction
        .selectFrom('agent_test_schedules')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('next_run_at', '<=', sql<Date>`now()`)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (schedule === undefined || schedule.next_run_at === null) return;
      await work(transaction, schedule);
      await transaction
        .updateTable('agent_test_schedules')
        .set({ next_run_at: nextRunAt(schedule.recurrence, new Date(), schedule.next_run_at) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
    });
  }

  private async startSet(transaction: Transaction<Database>, schedule: ScheduleRow): Promise<void> {
    const { runs, budget, log } = this.deps;
    const { organization_id: organizationId, id, last_set_id: last } = schedule;
    if (last !== null && (await isOpen(transaction, organizationId, last))) {
      // Overlapping sets would only make the queue longer.
      log.info({ schedule: id, organization: organizationId }, 'Recurring test skipped: still running.');
      return;
    }
    await budget.admit(organizationId);
    const setId = randomUUID();
    const { cost_currency: currency } = await runs.budgetOf(transaction, organizationId, 'set');
    const use = (await readScheduleUse(transaction, [schedule]))(schedule);
    const order = { ...setOrder(schedule), ...remainingOf(schedule, use, currency) };
    await storeSimulationSet(transaction, runs, organizationId, setId, order);
    await transaction
      .updateTable('agent_test_schedules')
      .set({ last_set_id: setId, last_run_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    log.info({ schedule: id, organization: organizationId, set: setId }, 'Started a recurring test.');
  }

  private async postpone({ organization_id: organizationId, id }: Key): Promise<void> {
    await this.deps.database
      .updateTable('agent_test_schedules')
      .set({ next_run_at: sql<Date>`now() + make_interval(mins => ${postponedMinutes})` })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('next_run_at', '<=', sql<Date>`now()`)
      .execute();
  }
}

async function isOpen(
  transaction: Transaction<Database>,
  organizationId: string,
  setId: string,
): Promise<boolean> {
  const set = await transaction
    .selectFrom('agent_test_simulation_sets')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('id', '=', setId)
    .executeTakeFirst();
  return set !== undefined && set.status === null;
}

/** Why the tests cannot be started, for the customer; undefined: it is a failure of the service. */
export function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.faults.map(({ message }) => message).join(' ');
  return error instanceof DemarcError ? `${error.message}.` : undefined;
}
