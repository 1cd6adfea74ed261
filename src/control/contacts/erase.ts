import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { contactId as idOfNumber } from '../../contract/contact-id.js';
import type { CallErasure } from '../area.js';
import {
  activePartyCalls,
  type ErasedCalls,
  erasePartyCalls,
  eraseStoredCalls,
  forgetDeliveries,
  forgetInRedis,
  stopUpcomingCalls,
} from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import { erasureLock } from '../parties/call-parties.js';
import { lockContacts, numbersOf, requireContactId } from './contact-rows.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly log: Logger;
  readonly callErasures: () => readonly CallErasure[];
}

export interface Deletion {
  /** Names the deletion in the audit log, not the contact. */
  readonly id: string;
  readonly removed: Readonly<Record<string, number>>;
}

interface Deleter {
  readonly organizationId: string;
  /** Id of the API key. */
  readonly keyId: string;
}

/**
 * Deletes a contact and what is stored of it: memories, messages, merges, its part in call records, traces, orders, webhooks and Redis,
 * and what other areas keep of its calls. Records of its active calls are stored without it when they arrive; upcoming calls to it
 * are cancelled. The contact goes last: a deletion that failed, as it does while Redis is down, is repeated. Throws `DemarcError` `NOT_FOUND`.
 */
export async function deleteContact(
  { database, redis, log, callErasures }: Deps,
  { organizationId, keyId }: Deleter,
  id: string,
): Promise<Deletion> {
  const contactId = await requireContactId(database, organizationId, id);
  const party = { organizationId, numbers: await numbersOf(database, organizationId, contactId) };
  const active = await activePartyCalls(redis, party);
  const ordered = await stopUpcomingCalls({ database, redis }, party, active);
  // Ids of calls that an edge may still report.
  const underWay = [...new Set([...active, ...ordered])];
  const forget = async (callIds: readonly string[]): Promise<void> => {
    await forgetDeliveries(database, organizationId, callIds);
    await forgetInRedis(
      redis,
      callIds.filter((callId) => !underWay.includes(callId)),
    );
  };
  // Most of the work, without holding back the records of other calls.
  const stored = await eraseStoredCalls(database, party);
  await forget(stored.callIds);
  const eraseElsewhere = async (callIds: readonly string[]): Promise<void> => {
    for (const erase of callErasures()) await erase(organizationId, callIds);
  };
  const calls = [...stored.callIds, ...(await callsOfMessages(database, organizationId, contactId))];
  await eraseElsewhere(calls);
  const { deletion, late } = await database
    .transaction()
    .execute((transaction) =>
      deleteRows(transaction, { organizationId, keyId }, id, { active, underWay, stored }),
    );
  await forget(late);
  // Another area may have begun to read the messages before they were deleted.
  await eraseElsewhere([...calls, ...late]);
  log.info({ organization: organizationId, deletion: deletion.id, key: keyId }, 'Deleted a contact.');
  return deletion;
}

/** Calls of which an agent stored messages with the contact. */
async function callsOfMessages(
  database: Kysely<Database>,
  organizationId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await database
    .selectFrom('contact_messages')
    .innerJoin('contact_memories', (join) =>
      join
        .onRef('contact_memories.organization_id', '=', 'contact_messages.organization_id')
        .onRef('contact_memories.id', '=', 'contact_messages.memory_id'),
    )
    .select('call_id')
    .distinct()
    .where('contact_memories.organization_id', '=', organizationId)
    .where('contact_memories.contact_id', '=', contactId)
    .where('call_id', 'is not', null)
    .execute();
  return rows.flatMap(({ call_id }) => call_id ?? []);
}

interface SoFar {
  readonly active: readonly string[];
  readonly underWay: readonly string[];
  readonly stored: ErasedCalls;
}

/** The contact itself, and what was stored of it meanwhile. */
async function deleteRows(
  transaction: Transaction<Database>,
  { organizationId, keyId }: Deleter,
  id: string,
  { active, underWay, stored }: SoFar,
): Promise<{ readonly deletion: Deletion; readonly late: readonly string[] }> {
  // No record is stored meanwhile: those that wait for it find the erasure.
  await sql`select pg_advisory_xact_lock(${sql.lit(erasureLock)}, hashtext(${organizationId}))`.execute(
    transaction,
  );
  const [contactId] = await lockContacts(transaction, organizationId, [id]);
  const numbers = await numbersOf(transaction, organizationId, contactId!);
  for (const number of numbers) {
    await sql`insert into contact_erasures (organization_id, contact_id, erased_at, call_ids)
      values (${organizationId}, ${idOfNumber(organizationId, number)}, ${new Date()},
        ${JSON.stringify(underWay)}::jsonb)
      on conflict (organization_id, contact_id) do update
      set erased_at = excluded.erased_at, call_ids = contact_erasures.call_ids || excluded.call_ids`.execute(
      transaction,
    );
  }
  const late = await erasePartyCalls(transaction, { organizationId, numbers });
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
    calls: stored.calls + late.calls,
    orders: stored.orders + late.orders,
    trace_messages: stored.traceMessages + late.traceMessages,
    active_calls: active.length,
  };
  const made = await transaction
    .insertInto('contact_deletions')
    .values({ organization_id: organizationId, deleted_by: keyId, removed: JSON.stringify(removed) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { deletion: { id: made.id, removed }, late: late.callIds };
}

/** The audit log of deletions, newest first. Throws `InvalidRequest` when `after` is none of them. */
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
    const last = await database
      .selectFrom('contact_deletions')
      .select(['deleted_at', 'id'])
      .where('organization_id', '=', organizationId)
      .where(sql`id::text`, '=', after)
      .executeTakeFirst();
    if (last === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
    query = query.where(sql<boolean>`(deleted_at, id) < (${last.deleted_at}, ${last.id}::uuid)`);
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
