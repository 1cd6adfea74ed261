import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { forgetDeliveries, forgetInRedis, readStarts } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { SweepService } from '../jobs/sweep-service.js';

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
export class ErasureSweep extends SweepService {
  /** Calls that are finished; after a restart they are looked at once more. */
  private readonly finished = new Set<string>();

  constructor(private readonly deps: Deps) {
    super('deleted contacts', 'finishing deletions of contacts', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Finishing deletions of contacts failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    const { database } = this.deps;
    await sql`delete from contact_erasures
      where erased_at < now() - make_interval(days => ${keptDays})`.execute(database);
    const query = database
      .selectFrom('contact_erasures')
      .select(['organization_id', 'contact_id', 'call_ids'])
      .where(sql<boolean>`call_ids <> '[]'`)
      .orderBy('organization_id')
      .orderBy('contact_id')
      .limit(erasuresAtOnce);
    let page = await query.execute();
    for (;;) {
      for (const { organization_id, call_ids } of page) await this.finish(organization_id, call_ids);
      const last = page.at(-1);
      if (last === undefined || page.length < erasuresAtOnce || this.task.isStopped) return;
      const { organization_id, contact_id } = last;
      page = await query
        .where(sql<boolean>`(organization_id, contact_id) > (${organization_id}, ${contact_id}::uuid)`)
        .execute();
    }
  }

  private async finish(organizationId: string, erased: readonly string[]): Promise<void> {
    const { database, redis } = this.deps;
    const open = erased.filter((id) => !this.finished.has(id));
    if (open.length === 0) return;
    const callIds = [...(await readStarts(database, organizationId, open)).keys()];
    if (callIds.length === 0) return;
    await forgetInRedis(redis, callIds);
    await forgetDeliveries(database, organizationId, callIds);
    for (const id of callIds) this.finished.add(id);
  }
}
