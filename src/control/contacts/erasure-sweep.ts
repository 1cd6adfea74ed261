import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import type { Service } from '../area.js';
import { forgetDeliveries, forgetInRedis } from '../calls/index.js';
import type { Database } from '../database/tables.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly log: Logger;
}

const intervalMilliseconds = 30_000;
/** The longest call, and records on the disk of a dead edge. */
const keptDays = 30;
const erasuresAtOnce = 200;

/**
 * Finishes deletions of contacts whose calls were active: once such a call's record is stored, without the contact, its traces in
 * Redis and its webhooks are deleted as well. Forgets erasures when no record of theirs can arrive any more.
 */
export class ErasureSweep implements Service {
  readonly name = 'deleted contacts';
  /** Calls that are finished; after a restart they are looked at once more. */
  private readonly finished = new Set<string>();
  private readonly task: RecurringTask;

  constructor(private readonly deps: Deps) {
    this.task = new RecurringTask(() => this.sweep(), {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Finishing deletions of contacts failed; retrying.'),
    });
  }

  async start(): Promise<void> {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: 'finishing deletions of contacts' };
  }

  async sweep(): Promise<void> {
    const { database, redis } = this.deps;
    await sql`delete from contact_erasures
      where erased_at < now() - make_interval(days => ${keptDays})`.execute(database);
    const erasures = await database
      .selectFrom('contact_erasures')
      .select(['organization_id', 'call_ids'])
      .where(sql<boolean>`call_ids <> '[]'`)
      .orderBy('erased_at', 'desc')
      .limit(erasuresAtOnce)
      .execute();
    for (const { organization_id: organizationId, call_ids } of erasures) {
      const open = call_ids.filter((id) => !this.finished.has(id));
      if (open.length === 0) continue;
      const stored = await database
        .selectFrom('calls')
        .select('call_id')
        .where('organization_id', '=', organizationId)
        .where('call_id', 'in', open)
        .execute();
      const callIds = stored.map(({ call_id }) => call_id);
      if (callIds.length === 0) continue;
      await forgetInRedis(redis, callIds);
      await forgetDeliveries(database, organizationId, callIds);
      for (const id of callIds) this.finished.add(id);
    }
  }
}
