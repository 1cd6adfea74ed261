import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Database } from '../database/tables.js';
import { deleteExpiredRequests } from '../idempotency/idempotent-requests.js';
import { deleteOldMinutes } from './call-minutes.js';

export interface RetentionParts {
  readonly database: Kysely<Database>;
  readonly log: Logger;
  /** 0: calls are kept for ever. */
  readonly days: number;
}

const intervalMilliseconds = 3_600_000;
const firstMilliseconds = 10_000;
/** Short transactions: pages of calls and new records are never held up. */
const batchSize = 2_000;
const pauseMilliseconds = 50;

/** Deletes calls that are older than the history reaches. */
export class Retention {
  readonly name = 'retention';
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: RetentionParts) {}

  async start(): Promise<void> {
    this.schedule(firstMilliseconds);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const { days } = this.parts;
    return {
      ready: true,
      detail: days === 0 ? 'calls are kept for ever' : `calls are kept for ${days} days`,
    };
  }

  /** Deletes everything that is too old now; returns how many calls that were. */
  async sweep(): Promise<number> {
    await deleteOldMinutes(this.parts.database);
    await deleteExpiredRequests(this.parts.database);
    if (this.parts.days === 0) return 0;
    let total = 0;
    while (!this.stopped) {
      const deleted = await this.deleteBatch();
      total += deleted;
      if (deleted < batchSize) break;
      await sleep(pauseMilliseconds);
    }
    return total;
  }

  private async deleteBatch(): Promise<number> {
    const oldest = sql`now() - make_interval(days => ${this.parts.days})`;
    const { numAffectedRows } = await sql`
      delete from calls where call_id in (
        select call_id from calls where started_at < ${oldest} limit ${batchSize}
        for update skip locked
      )`.execute(this.parts.database);
    await sql`delete from ordered_calls where created_at < ${oldest}`.execute(this.parts.database);
    await sql`delete from refused_call_records where refused_at < ${oldest}`.execute(this.parts.database);
    return Number(numAffectedRows ?? 0n);
  }

  private schedule(milliseconds: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep().then(
        (deleted) => {
          if (deleted > 0) this.parts.log.info({ calls: deleted }, 'Old calls were deleted.');
          this.schedule(intervalMilliseconds);
        },
        (error: Error) => {
          this.parts.log.warn({ error: error.message }, 'Old calls were not deleted.');
          this.schedule(firstMilliseconds);
        },
      );
    }, milliseconds);
    this.timer.unref();
  }
}
