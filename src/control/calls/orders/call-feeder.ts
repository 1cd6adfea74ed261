import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { RecurringTask } from '../../../base/recurring-task.js';
import type { Redis } from '../../../base/redis.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { withLiveAgents } from '../../personas/index.js';
import type { LostEnd } from '../lost/lost-end.js';
import { storeLost, type UntoldCall } from '../lost/lost-records.js';
import { timedCommand } from './order.js';
import { giveToEdges } from './order-stream.js';
import type { PendingCommand } from './tables.js';

export interface CallFeederDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  /** Called when there may be something to send. */
  readonly queued: () => void;
  readonly log: Logger;
}

const idleMilliseconds = 1_000;
const busyMilliseconds = 100;
const numbersAtOnce = 50;
/** Of one number in one round; with ten rounds a second a batch from an unlimited trunk begins fifty calls a second. */
const callsAtOnce = 5;
/** Queued at the edges per number: enough to fill the next free slot, few enough that other orders get through. */
const lineLength = 3;
/** The number's queue is full. */
const fullMilliseconds = 300;
/** No edge is ready, or Redis is down. */
const unavailableMilliseconds = 2_000;
/** Lease: other feeders take over a dead feeder's rows after this long. */
const leaseSeconds = 5;
const endedAtOnce = 200;
/** How long a call waits in the edges' queue, bounded by its own expiry. */
const longestWaitSeconds = 3_600;

/**
 * Hands due scheduled and batch calls to the edges, as fast as the edges' queues of the
 * numbers drain, so that the trunk's limits set the pace. A row stays pending until Redis has the order, and Redis takes an
 * order once, so that a crash at any point neither dials a call twice nor loses one.
 */
export class CallFeeder {
  readonly name = 'upcoming calls';
  private readonly task = new RecurringTask(() => this.round(), {
    everyMilliseconds: idleMilliseconds,
    failed: (error) =>
      this.deps.log.warn({ error: error.message }, 'Dialing scheduled calls and batches failed; retrying.'),
  });
  /** Number → monotonic milliseconds of the next attempt. */
  private readonly resting = new Map<string, number>();

  constructor(private readonly deps: CallFeederDeps) {}

  async start(): Promise<void> {
    this.task.start(0);
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.task.problem ?? 'dialling scheduled calls and batches' };
  }

  /** Resolves with the milliseconds until the next round. */
  private async round(): Promise<number> {
    const { database } = this.deps;
    const numbers = await database
      .selectFrom('ordered_calls')
      .select('number')
      .distinct()
      .where('pending', 'is not', null)
      .where('take_at', '<=', sql<Date>`now()`)
      .limit(numbersAtOnce)
      .execute();
    if (numbers.length > 0) await this.endLate();
    for (const { number } of numbers) {
      if (this.task.isStopped) return idleMilliseconds;
      if (performance.now() < (this.resting.get(number) ?? 0)) continue;
      this.resting.delete(number);
      await this.feed(number);
    }
    return numbers.length > 0 ? busyMilliseconds : idleMilliseconds;
  }

  private async feed(number: string): Promise<void> {
    const taken = await this.take(number);
    for (const [index, { call_id: id, command, pending_until: until }] of taken.entries()) {
      const rest = taken.slice(index).map(({ call_id }) => call_id);
      if (this.task.isStopped) return this.release(rest);
      const now = new Date();
      const seconds = Math.min(longestWaitSeconds, (until.getTime() - now.getTime()) / 1_000);
      try {
        const outcome = await giveToEdges(this.deps.redis, timedCommand(command, now, seconds), {
          lineLength,
        });
        if (outcome === 'ordered') await this.noteGiven(id, now);
        else await this.end(id, stoppedEnd);
      } catch (error) {
        if (!(error instanceof DemarcError)) throw error;
        const wait = error.code === 'NUMBER_QUEUE_FULL' ? fullMilliseconds : unavailableMilliseconds;
        this.resting.set(number, performance.now() + wait);
        // After a lost reply the call may already be ordered; Redis then says so at the next attempt.
        return this.release(rest);
      }
    }
  }

  /** Leases the next calls of a number, so that no other feeder takes them. */
  private async take(number: string) {
    const { rows } = await sql<{
      call_id: string;
      position: number;
      created_at: Date;
      pending: PendingCommand;
      pending_until: Date;
    }>`
      update ordered_calls set take_at = now() + make_interval(secs => ${leaseSeconds})
      where call_id in (
        select call_id from ordered_calls
        where number = ${number} and pending is not null and take_at <= now() and pending_until > now()
        order by take_at, position limit ${callsAtOnce} for update skip locked
      )
      returning call_id, position, created_at, pending, pending_until`.execute(this.deps.database);
    const ordered = rows.toSorted(
      (left, right) => +left.created_at - +right.created_at || left.position - right.position,
    );
    const commands = await withLiveAgents(
      this.deps.database,
      ordered.map(({ pending }) => pending),
    );
    return ordered.map(({ pending, ...row }, index) => ({ ...row, command: commands[index] ?? pending }));
  }

  private async noteGiven(callId: string, at: Date): Promise<void> {
    await this.deps.database
      .updateTable('ordered_calls')
      .set({ pending: null, given_at: at })
      .where('call_id', '=', callId)
      .execute();
  }

  /** Releases rows with their original time, so that their order is kept. */
  private async release(callIds: readonly string[]): Promise<void> {
    if (callIds.length === 0) return;
    await this.deps.database
      .updateTable('ordered_calls')
      .set({ take_at: sql<Date>`coalesce(scheduled_at, created_at)` })
      .where('call_id', '=', sql<string>`any(${[...callIds]}::text[])`)
      .where('pending', 'is not', null)
      .execute();
  }

  /** Ends calls of stopped batches and calls that expired before an edge could take them. */
  private async endLate(): Promise<void> {
    const rows = await this.deps.database
      .selectFrom('ordered_calls')
      .leftJoin('call_batches', 'call_batches.id', 'ordered_calls.batch_id')
      .select(['ordered_calls.call_id', 'call_batches.stopped_at', 'ordered_calls.pending_until'])
      .where('pending', 'is not', null)
      .where('pending_until', '<=', sql<Date>`now()`)
      // A row leased by a feeder may be on its way to an edge.
      .where('take_at', '<=', sql<Date>`now()`)
      .orderBy('position')
      .limit(endedAtOnce)
      .execute();
    for (const { call_id: id, stopped_at: stoppedAt, pending_until: until } of rows) {
      await this.end(id, stoppedAt === null ? lateEnd(until ?? new Date()) : stoppedEnd);
    }
    if (rows.length > 0) this.deps.queued();
  }

  private async end(callId: string, end: LostEnd): Promise<void> {
    const { database } = this.deps;
    const call: UntoldCall | undefined = await database
      .selectFrom('ordered_calls')
      .select(['call_id', 'organization_id', 'number', 'phone_number', 'created_at'])
      .where('call_id', '=', callId)
      .executeTakeFirst();
    if (call !== undefined) await storeLost(database, call, end, '');
  }
}

/** For a call that was stopped before any edge had it. */
export const stoppedEnd: LostEnd = {
  status: 'canceled',
  queue_status: 'complete',
  error_message: null,
  reason: 'stopped',
  by: 'api',
  endedAt: undefined,
  mayBeReported: false,
};

/** For a call that no edge took before `until`. */
export const lateEnd = (until: Date): LostEnd => ({
  status: 'failed',
  queue_status: 'queue_error',
  error_message: 'No edge took the call in time: none was ready, or the number was at its limits.',
  reason: 'order_expired',
  by: 'edge',
  endedAt: until.getTime(),
  mayBeReported: false,
});
