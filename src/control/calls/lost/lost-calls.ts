import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { Redis } from '../../../base/redis.js';
import type { Database } from '../../database/tables.js';
import { SweepService } from '../../jobs/sweep-service.js';
import { readLive } from '../orders/live-state.js';
import { continuable, heldPatienceMilliseconds, proveWritable } from './evidence.js';
import { lostEnd } from './lost-end.js';
import { storeLost, type UntoldCall } from './lost-records.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly log: Logger;
}

const intervalMilliseconds = 15_000;
/** By then an order that no edge claimed has expired. */
const patienceSeconds = 75;
const batchSize = 100;

/**
 * Finds ordered calls that are over without a record: no edge took them, their turn did not come, or their edge died. They get
 * their end in the history, the counts and the webhooks. The record of a dead edge may still come, from its disk when it is
 * started again: it replaces the end found here, and its webhook is delivered as well.
 */
export class LostCalls extends SweepService {
  /** Over when last looked at, with a record that may be on its way: since when, in monotonic milliseconds. */
  private suspected = new Map<string, number>();

  constructor(private readonly deps: Deps) {
    super('lost calls', 'searching for calls without a record', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) => deps.log.debug({ error: error.message }, 'Search for lost calls failed; retrying.'),
    });
  }

  /** One pass over the orders without an end, oldest first. */
  async sweep(): Promise<void> {
    await proveWritable(this.deps.redis).catch((error: unknown) => {
      this.suspected.clear();
      throw error;
    });
    const suspects = new Map<string, number>();
    let after = new Date(0);
    for (;;) {
      const rows = await this.deps.database
        .selectFrom('ordered_calls')
        .select(['call_id', 'organization_id', 'number', 'phone_number', 'created_at', 'given_at'])
        .where('settled', '=', false)
        .where('pending', 'is', null)
        .where('created_at', '>', after)
        .where(
          sql<boolean>`coalesce(given_at, created_at) < now() - make_interval(secs => ${patienceSeconds})`,
        )
        .orderBy('created_at')
        .limit(batchSize)
        .execute();
      for (const row of rows) await this.look(row, suspects);
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchSize || this.task.isStopped) break;
      after = last.created_at;
    }
    this.suspected = suspects;
  }

  private async look(
    call: UntoldCall & { readonly given_at: Date | null },
    suspects: Map<string, number>,
  ): Promise<void> {
    const { database, redis, log } = this.deps;
    const { call_id: callId } = call;
    const live = await readLive(redis, callId);
    const end = lostEnd(call.given_at ?? call.created_at, live, Date.now());
    if (end === undefined) return;
    const owner = live.kind === 'claimed' ? live.call.claimed_by : undefined;
    const now = performance.now();
    const since = this.suspected.get(callId);
    const isHeld = owner !== undefined && (await continuable(redis, owner)).has(callId);
    const patience = isHeld ? heldPatienceMilliseconds : 0;
    if (end.mayBeReported && (since === undefined || now - since < patience)) {
      suspects.set(callId, since ?? now);
      return;
    }
    // An owner is an edge id plus a suffix unique to the process.
    if (!(await storeLost(database, call, end, owner?.split(' ')[0] ?? ''))) return;
    log.warn({ call: callId, reason: end.reason, edge: owner }, 'An ordered call ended without a record.');
  }
}
