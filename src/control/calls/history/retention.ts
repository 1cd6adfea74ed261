import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { RecurringTask } from '../../../base/recurring-task.js';
import type { Database } from '../../database/tables.js';
import { deleteExpiredRequests } from '../../idempotency/idempotent-requests.js';
import { dayMilliseconds, dayOf } from '../partitions/day-tables.js';
import { addDays, dropDays, partitionsOf } from '../partitions/partition-days.js';
import { deleteOldNumberDays } from './call-days.js';
import { deleteOldMinutes } from './call-minutes.js';
import type { TraceArchive } from './trace-archive.js';

export interface RetentionDeps {
  readonly database: Kysely<Database>;
  readonly log: Logger;
  /** 0: calls are kept forever. */
  readonly days: number;
  /** Absent: there is no object store. */
  readonly traces?: Pick<TraceArchive, 'deleteBefore'> | undefined;
  /** Of those in the object store; 0: as long as the calls. */
  readonly traceDays?: number;
}

const intervalMilliseconds = 3_600_000;
const firstMilliseconds = 10_000;
/** Small batches, so that queries and new records never wait for a long transaction. */
const batchSize = 2_000;
const pauseMilliseconds = 50;

/**
 * Deletes calls older than the retention period, where `calls` has partitions by dropping the days that are over, so that a call is kept up to a
 * day longer; those of an organization with a shorter period row by row; and makes the tables of the next days.
 */
export class Retention {
  readonly name = 'retention';
  private readonly task = new RecurringTask(() => this.run(), {
    everyMilliseconds: intervalMilliseconds,
    retryMilliseconds: firstMilliseconds,
    failed: (error) => this.deps.log.warn({ error: error.message }, 'Deleting old calls failed; retrying.'),
  });

  constructor(private readonly deps: RetentionDeps) {}

  async start(): Promise<void> {
    this.task.start(firstMilliseconds);
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const { days } = this.deps;
    return {
      ready: true,
      detail: days === 0 ? 'calls are kept forever' : `calls are kept for ${days} days`,
    };
  }

  /** Deletes all expired calls; returns how many. */
  async sweep(): Promise<number> {
    const { database, days } = this.deps;
    await deleteOldMinutes(database);
    await deleteExpiredRequests(database);
    await deleteOldNumberDays(database);
    await addDays(database);
    await this.sweepTraces();
    const own = await this.sweepOrganizations();
    if (days === 0) return own;
    const now = Date.now();
    const hasPartitions = (await partitionsOf(database)).length > 0;
    const oldest = (hasPartitions ? dayOf(now) : now) - days * dayMilliseconds;
    const dropped = hasPartitions ? await dropDays(database, oldest) : 0;
    // What was there before the partitions, and what had a wrong time.
    return own + dropped + (await this.deleteUntil(new Date(oldest)));
  }

  /** Objects hold traces of many calls, so they go a day after the last of these calls. */
  private async sweepTraces(): Promise<void> {
    const { traces, traceDays = 0, days, log } = this.deps;
    const kept = [traceDays, ...(days === 0 ? [] : [days + 1])].filter((each) => each > 0);
    if (traces === undefined || kept.length === 0) return;
    const oldest = new Date(Date.now() - Math.min(...kept) * dayMilliseconds);
    // Calls must go although the store is down.
    await traces
      .deleteBefore(oldest, () => this.task.isStopped)
      .catch((error: Error) => log.warn({ error: error.message }, 'Deleting old traces failed; retrying.'));
  }

  /** Of organizations whose calls are kept for fewer days than those of the others. */
  private async sweepOrganizations(): Promise<number> {
    const { database, days } = this.deps;
    const organizations = await database
      .selectFrom('organizations')
      .select(['id', 'call_retention_days'])
      .where('call_retention_days', 'is not', null)
      .execute();
    let total = 0;
    for (const { id, call_retention_days: own } of organizations) {
      if (own === null || (days !== 0 && own >= days)) continue;
      total += await this.deleteUntil(new Date(Date.now() - own * dayMilliseconds), id);
    }
    return total;
  }

  private async deleteUntil(oldest: Date, organization?: string): Promise<number> {
    let total = 0;
    while (!this.task.isStopped) {
      const deleted = await this.deleteBatch(oldest, organization);
      total += deleted;
      if (deleted < batchSize) break;
      await sleep(pauseMilliseconds);
    }
    return total;
  }

  private async run(): Promise<void> {
    const deleted = await this.sweep();
    if (deleted > 0) this.deps.log.info({ calls: deleted }, 'Deleted old calls.');
  }

  /** @param organization undefined: of all, and what no organization has */
  private async deleteBatch(oldest: Date, organization: string | undefined): Promise<number> {
    const { database } = this.deps;
    const its = organization === undefined ? sql`true` : sql`organization_id = ${organization}`;
    // The time in both leaves the partitions of later days out.
    const { numAffectedRows } = await sql`
      delete from calls where started_at < ${oldest} and call_id in (
        select call_id from calls where ${its} and started_at < ${oldest} limit ${batchSize}
        for update skip locked
      )`.execute(database);
    await sql`delete from ordered_calls where ${its} and created_at < ${oldest}`.execute(database);
    if (organization === undefined)
      await sql`delete from refused_call_records where refused_at < ${oldest}`.execute(database);
    return Number(numAffectedRows ?? 0n);
  }
}
