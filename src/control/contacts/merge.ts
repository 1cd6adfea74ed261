import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import { mergedMetadata } from './contact-input.js';
import { ContactsChanged, identifiersOf, indexContact, lockContacts, maximumLooks } from './contact-rows.js';
import { readMemories, summaryView } from './contact-view.js';
import { maximumIdentifiers } from './identities.js';
import { dropOldMessages, storeMemory } from './memory.js';
import { united } from './memory-changes.js';

interface Merge {
  readonly organizationId: string;
  readonly primaryId: string;
  readonly duplicateId: string;
  /** Id of the API key. */
  readonly keyId: string;
}

/**
 * Makes one contact of two: the primary gets the other's identifiers, memories and messages, and the other's ids lead to it. All or
 * nothing. What the primary knows stays; the other, as it was, is kept in the history. Two that were merged already are not an
 * error. Throws `DemarcError`: `NOT_FOUND`, `BAD_REQUEST`. Returns the contact's id.
 */
export async function mergeContacts(database: Kysely<Database>, merge: Merge): Promise<string> {
  const { primaryId, duplicateId } = merge;
  if (primaryId.toLowerCase() === duplicateId.toLowerCase())
    throw new DemarcError('BAD_REQUEST', 'a contact cannot be merged with itself');
  for (let tried = 1; ; tried += 1) {
    try {
      return await mergeOnce(database, merge);
    } catch (error) {
      if (!(error instanceof ContactsChanged) || tried === maximumLooks) throw error;
    }
  }
}

function mergeOnce(
  database: Kysely<Database>,
  { organizationId, primaryId, duplicateId, keyId }: Merge,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const [primary, duplicate] = (await lockContacts(transaction, organizationId, [
      primaryId,
      duplicateId,
    ])) as [string, string];
    if (primary === duplicate) return primary;
    await transaction
      .insertInto('contact_merges')
      .values({
        organization_id: organizationId,
        contact_id: primary,
        merged_contact_id: duplicate,
        merged_by: keyId,
        merged: JSON.stringify(await snapshot(transaction, organizationId, duplicate)),
      })
      .execute();
    const identifiers = await identifiersOf(transaction, organizationId, [primary, duplicate]);
    if (identifiers.length > maximumIdentifiers) {
      const problem = `the contact would have ${identifiers.length} identifiers and the limit is ${maximumIdentifiers}`;
      throw new DemarcError('BAD_REQUEST', `${problem}; do not merge these two`);
    }
    await moveIdentifiers(transaction, organizationId, primary, duplicate);
    await moveMemories(transaction, organizationId, primary, duplicate);
    await moveFields(transaction, organizationId, primary, duplicate);
    for (const table of ['contact_ids', 'contact_merges'] as const) {
      await transaction
        .updateTable(table)
        .set({ contact_id: primary })
        .where('organization_id', '=', organizationId)
        .where('contact_id', '=', duplicate)
        .execute();
    }
    await transaction
      .deleteFrom('contacts')
      .where('organization_id', '=', organizationId)
      .where('id', '=', duplicate)
      .execute();
    await indexContact(transaction, organizationId, primary);
    return primary;
  });
}

async function rowOf(transaction: Transaction<Database>, organizationId: string, id: string) {
  return transaction
    .selectFrom('contacts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Without its messages, which are moved. */
async function snapshot(transaction: Transaction<Database>, organizationId: string, id: string) {
  const row = await rowOf(transaction, organizationId, id);
  const memories = await readMemories(transaction, organizationId, id, { messages: 0 });
  return {
    ...summaryView(row, await identifiersOf(transaction, organizationId, [id])),
    memories: memories.map(({ recent_messages: _, ...memory }) => memory),
  };
}

async function moveIdentifiers(
  transaction: Transaction<Database>,
  organizationId: string,
  primary: string,
  duplicate: string,
): Promise<void> {
  await sql`update contact_identifiers set contact_id = ${primary}, is_primary = is_primary and not exists (
      select from contact_identifiers kept
      where kept.organization_id = contact_identifiers.organization_id and kept.contact_id = ${primary}
        and kept.identifier_type = contact_identifiers.identifier_type and kept.is_primary
    )
    where organization_id = ${organizationId} and contact_id = ${duplicate}`.execute(transaction);
}

async function moveMemories(
  transaction: Transaction<Database>,
  organizationId: string,
  primary: string,
  duplicate: string,
): Promise<void> {
  const memories = await transaction
    .selectFrom('contact_memories')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('contact_id', 'in', [primary, duplicate])
    .execute();
  const own = memories.filter(({ contact_id }) => contact_id === primary);
  for (const memory of memories) {
    if (memory.contact_id === primary) continue;
    const twin = own.find(
      (candidate) =>
        candidate.persona_id === memory.persona_id && candidate.agent_number === memory.agent_number,
    );
    if (twin === undefined) {
      await transaction
        .updateTable('contact_memories')
        .set({ contact_id: primary })
        .where('organization_id', '=', organizationId)
        .where('id', '=', memory.id)
        .execute();
      continue;
    }
    await storeMemory(transaction, organizationId, twin.id, united(twin, memory), new Date());
    // The same message may be in both.
    await sql`insert into contact_messages (organization_id, memory_id, call_id, role, content, channel, sent_at)
      select organization_id, ${twin.id}, call_id, role, content, channel, sent_at from contact_messages
      where organization_id = ${organizationId} and memory_id = ${memory.id} order by sent_at, id
      on conflict do nothing`.execute(transaction);
    await dropOldMessages(transaction, organizationId, twin.id);
  }
}

async function moveFields(
  transaction: Transaction<Database>,
  organizationId: string,
  primary: string,
  duplicate: string,
): Promise<void> {
  const kept = await rowOf(transaction, organizationId, primary);
  const merged = await rowOf(transaction, organizationId, duplicate);
  await transaction
    .updateTable('contacts')
    .set({
      name: kept.name === '' ? merged.name : kept.name,
      metadata: JSON.stringify(unitedMetadata(merged.metadata, kept.metadata)),
      updated_at: new Date(),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', primary)
    .execute();
}

/** Fields of the other contact that do not fit stay in the history. */
export function unitedMetadata(
  merged: Record<string, unknown>,
  kept: Record<string, unknown>,
): Record<string, unknown> {
  let metadata = kept;
  for (const [name, value] of Object.entries(merged)) {
    if (Object.hasOwn(kept, name)) continue;
    try {
      metadata = mergedMetadata(metadata, { [name]: value });
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      return metadata;
    }
  }
  return metadata;
}

/** The merges that made the contact, newest first. */
export async function readMerges(database: Kysely<Database>, organizationId: string, contactId: string) {
  const rows = await database
    .selectFrom('contact_merges')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .orderBy('merged_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, merged_contact_id, merged_by, merged_at, merged }) => ({
    id,
    merged_contact_id,
    merged_by,
    merged_at: merged_at.toISOString(),
    merged,
  }));
}
