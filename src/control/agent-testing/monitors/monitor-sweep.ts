import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { DemarcError } from '../../../errors.js';
import { readAnsweredCalls } from '../../calls/index.js';
import { readHeardCalls } from '../../contacts/index.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import { SweepService } from '../../jobs/sweep-service.js';
import type { TestBudget } from '../budget/test-budget.js';
import type { Runs } from '../runs/run-order.js';
import { numbersOfPersona } from '../scenarios/called-numbers.js';
import type { MonitorRow } from './monitor-view.js';
import { isSampled, runIdOf } from './sampled.js';

export interface MonitorSweepDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'start' | 'wake'>;
  readonly budget: Pick<TestBudget, 'admit'>;
  readonly log: Logger;
}

const intervalMilliseconds = 10_000;
/** Agents store the messages of a call while it lasts or right after it. */
const settleSeconds = 60;
/** A record may come later than that of a call which ended after it; runs have the same ids, so none is judged twice. */
const overlapSeconds = 600;
const callsAtOnce = 500;

type Key = Pick<MonitorRow, 'organization_id' | 'id'>;

/** Starts runs for a share of the calls that have ended. */
export class MonitorSweep extends SweepService {
  constructor(private readonly deps: MonitorSweepDeps) {
    super('test-monitors', 'judging real calls', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Judging real calls failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const { database, runs } = this.deps;
    const keys = await database
      .selectFrom('agent_test_monitors')
      .select(['organization_id', 'id'])
      .where('enabled', '=', true)
      .orderBy('examined_until')
      .execute();
    for (const key of keys) {
      if (this.task.isStopped) return;
      if (await database.transaction().execute((transaction) => this.examine(transaction, key))) runs.wake();
    }
  }

  /** Resolves with whether runs were started. */
  private async examine(
    transaction: Transaction<Database>,
    { organization_id: organizationId, id }: Key,
  ): Promise<boolean> {
    const monitor = await transaction
      .selectFrom('agent_test_monitors')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('enabled', '=', true)
      .forUpdate()
      // Another process examines it.
      .skipLocked()
      .executeTakeFirst();
    if (monitor === undefined) return false;
    const settled = new Date(Date.now() - settleSeconds * 1_000);
    const before = monitor.examined_until.getTime() - overlapSeconds * 1_000;
    const calls = await readAnsweredCalls(transaction, organizationId, {
      numbers:
        monitor.number === null
          ? await numbersOfPersona(transaction, organizationId, monitor.persona_id)
          : [monitor.number],
      // Calls of before the monitor are not its own.
      endedAfter: new Date(Math.max(before, monitor.created_at.getTime())),
      endedBefore: settled,
      limit: callsAtOnce,
    });
    const sampled = calls.filter(({ call_id: callId }) => isSampled(id, callId, monitor.share));
    const { started, unheard, problem } = await this.startRuns(transaction, monitor, sampled);
    // More calls than are read at once: the next sweep begins behind these.
    const until =
      calls.length < callsAtOnce
        ? settled
        : new Date(calls.at(-1)!.ended_at.getTime() + overlapSeconds * 1_000);
    await transaction
      .updateTable('agent_test_monitors')
      .set({
        examined_until: new Date(Math.max(until.getTime(), monitor.examined_until.getTime())),
        unheard_calls: sql<number>`unheard_calls + ${unheard}`,
        ...(problem === undefined ? {} : { problem }),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return started > 0;
  }

  private async startRuns(
    transaction: Transaction<Database>,
    { organization_id: organizationId, id, scenario_id: scenarioId, examined_until: examined }: MonitorRow,
    calls: readonly { readonly call_id: string; readonly ended_at: Date }[],
  ): Promise<{ readonly started: number; readonly unheard: number; readonly problem?: string }> {
    const { runs, budget, log } = this.deps;
    const ids = calls.map(({ call_id: callId }) => callId);
    const judged = await judgedCalls(transaction, organizationId, id, ids);
    const fresh = calls.filter(({ call_id: callId }) => !judged.has(callId));
    const heard = await readHeardCalls(transaction, organizationId, ids);
    // Calls of the overlap were counted before.
    const unheard = fresh.filter((call) => !heard.has(call.call_id) && call.ended_at > examined).length;
    const orders = fresh
      .filter(({ call_id: callId }) => heard.has(callId))
      .map(({ call_id: callId }) => ({
        id: runIdOf(id, callId),
        organizationId,
        scenarioId,
        // Releases before do not know monitors as what starts a run.
        origin: 'api' as const,
        versionNumber: 'live' as const,
        callId,
        monitorId: id,
      }));
    if (orders.length === 0) return { started: 0, unheard };
    try {
      await budget.admit(organizationId);
      await runs.start(orders, transaction);
      return { started: orders.length, unheard };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      log.warn({ monitor: id, organization: organizationId, problem }, 'Calls not judged.');
      return { started: 0, unheard, problem: `Calls are not judged: ${problem}` };
    }
  }
}

async function judgedCalls(
  transaction: Transaction<Database>,
  organizationId: string,
  monitorId: string,
  callIds: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const rows = await transaction
    .selectFrom('agent_test_runs')
    .select('call_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${callIds.map((callId) => runIdOf(monitorId, callId))}::uuid[])`)
    .execute();
  return new Set(rows.map(({ call_id }) => call_id));
}

/** Why calls cannot be judged, for the customer; undefined: it is a failure of the service. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.faults.map(({ message }) => message).join(' ');
  return error instanceof DemarcError ? `${error.message}.` : undefined;
}
