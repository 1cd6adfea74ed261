import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { contactId as idOfNumber } from '../../contract/contact-id.js';
import { activePartyCalls, erasePartyCalls, forgetInRedis, stopUpcomingCalls } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { erasureLock } from '../parties/call-parties.js';
import { lockContacts, numbersOf, requireContactId } from './contact-rows.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly log: Logger;
}

export interface Deletion {
  /** Names the deletion in the audit log, and nobody. */
  readonly id: string;
  readonly removed: Readonly<Record<string, number>>;
}

/**
 * Deletes a contact and what is stored of it: memories, messages, merges, and its part in call records, traces, orders, webhooks
 * and Redis. Records of its active calls are stored without it when they arrive. Upcoming calls to it are cancelled. All or
 * nothing, but for the cancelled calls. Rejects while Redis is down. Throws `DemarcError` `NOT_FOUND`.
 */
export async function deleteContact(
  { database, redis, log }: Deps,
  organizationId: string,
  id: string,
  keyId: string,
): Promise<Deletion> {
  const found = await requireContactId(database, organizationId, id);
  const before = { organizationId, numbers: await numbersOf(database, organizationId, found) };
  const active = await activePartyCalls(redis, before);
  const ordered = await stopUpcomingCalls({ database, redis }, before, active);
  const deletion = await database.transaction().execute(async (transaction) => {
    // No record is stored meanwhile: those that wait for it find the erasure.
    await sql`select pg_advisory_xact_lock(${sql.lit(erasureLock)}, hashtext(${organizationId}))`.execute(
      transaction,
    );
    const [contactId] = await lockContacts(transaction, organizationId, [id]);
    const numbers = await numbersOf(transaction, organizationId, contactId!);
    // Numbers that a merge has added since have calls of their own.
    const underWay = [...new Set([...active, ...ordered])];
    const erasedAt = new Date();
    for (const number of numbers) {
      await sql`insert into contact_erasures (organization_id, contact_id, erased_at, call_ids)
        values (${organizationId}, ${idOfNumber(organizationId, number)}, ${erasedAt}, ${JSON.stringify(underWay)}::jsonb)
        on conflict (organization_id, contact_id) do update
        set erased_at = excluded.erased_at, call_ids = contact_erasures.call_ids || excluded.call_ids`.execute(
        transaction,
      );
    }
    const erased = await erasePartyCalls(transaction, { organizationId, numbers });
    const memories = await transaction
      .deleteFrom('contact_memories')
      .where('organization_id', '=', organizationId)
      .where('contact_id', '=', contactId!)
      .returning('id')
      .execute();
    await transaction
      .deleteFrom('contacts')
      .where('organization_id', '=', organizationId)
      .where('id', '=', contactId!)
      .execute();
    const removed = {
      identifiers: numbers.length,
      memories: memories.length,
      calls: erased.calls,
      orders: erased.orders,
      trace_messages: erased.traceMessages,
      active_calls: active.length,
    };
    const { id: deletionId } = await transaction
      .insertInto('contact_deletions')
      .values({ organization_id: organizationId, deleted_by: keyId, removed: JSON.stringify(removed) })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Before the commit: while Redis is down, nothing is deleted.
    await forgetInRedis(
      redis,
      erased.callIds.filter((callId) => !underWay.includes(callId)),
    );
    return { id: deletionId, removed };
  });
  log.info({ organization: organizationId, deletion: deletion.id, key: keyId }, 'Deleted a contact.');
  return deletion;
}

/** The audit log of deletions, newest first. */
export async function listDeletions(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
) {
  let query = database
    .selectFrom('contact_deletions')
    .selectAll()
    .where('organization_id', '=', organizationId);
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(deleted_at, id) < (select deleted_at, id from contact_deletions
        where organization_id = ${organizationId} and id::text = ${after})`,
    );
  }
  const rows = await query
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return {
    deletions: shown.map((row) => ({
      deletion_id: row.id,
      deleted_by: row.deleted_by,
      deleted_at: row.deleted_at.toISOString(),
      removed: row.removed,
    })),
    next: rows.length > limit ? shown.at(-1)!.id : null,
  };
}
