import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import { lockContacts } from './contact-rows.js';
import { readMemories, recentMessages } from './contact-view.js';
import { changed, type Remembered } from './memory-changes.js';
import type { MemoryBody } from './memory-input.js';

/** Whose memory of a contact it is. */
export interface Rememberer {
  /** Empty: an agent without a persona. */
  readonly personaId: string;
  /** E.164 with plus; null: of all numbers. */
  readonly agentNumber: string | null;
}

const maximumMemories = 50;
/** As many again as an answer shows. */
export const keptMessages = 2 * recentMessages;

interface Author {
  readonly rememberer: Rememberer;
  /** Null: written with a key. */
  readonly callId: string | null;
}

/**
 * Adds to what an agent remembers of a contact; creates the memory with its first entry. Two requests at once lose nothing.
 * Throws `DemarcError` `NOT_FOUND`, `InvalidRequest` for what would be too much. Returns the memory.
 */
export function writeMemory(
  database: Kysely<Database>,
  organizationId: string,
  contactId: string,
  { rememberer, callId }: Author,
  body: MemoryBody,
) {
  return database.transaction().execute(async (transaction) => {
    const [id] = await lockContacts(transaction, organizationId, [contactId]);
    const memory = await ensureMemory(transaction, organizationId, id!, rememberer);
    const now = new Date();
    await storeMemory(transaction, organizationId, memory.id, changed(memory, body, now.toISOString()), now);
    await addMessages(transaction, { organizationId, memoryId: memory.id, callId, now }, body.messages ?? []);
    await transaction
      .updateTable('contacts')
      .set({ updated_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id!)
      .execute();
    const [view] = await readMemories(transaction, organizationId, id!, { memoryId: memory.id });
    return view!;
  });
}

/** Replaces what a memory holds beside its messages. The contact's row must be locked. */
export async function storeMemory(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
  { summary, facts, open_items, entities }: Remembered,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('contact_memories')
    .set({
      summary,
      facts: JSON.stringify(facts),
      open_items: JSON.stringify(open_items),
      entities: JSON.stringify(entities),
      updated_at: now,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The contact's row must be locked. */
export async function ensureMemory(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
  { personaId, agentNumber }: Rememberer,
) {
  const memories = await transaction
    .selectFrom('contact_memories')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .execute();
  const found = memories.find(
    (memory) => memory.persona_id === personaId && memory.agent_number === agentNumber,
  );
  if (found !== undefined) return found;
  if (memories.length >= maximumMemories) {
    throw InvalidRequest.at(
      'persona_id',
      `the contact has ${memories.length} memories and the limit is ${maximumMemories}; use one of them.`,
    );
  }
  return transaction
    .insertInto('contact_memories')
    .values({
      organization_id: organizationId,
      contact_id: contactId,
      persona_id: personaId,
      agent_number: agentNumber,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface Conversation {
  readonly organizationId: string;
  readonly memoryId: string;
  readonly callId: string | null;
  readonly now: Date;
}

async function addMessages(
  transaction: Transaction<Database>,
  { organizationId, memoryId, callId, now }: Conversation,
  messages: NonNullable<MemoryBody['messages']>,
): Promise<void> {
  if (messages.length === 0) return;
  await transaction
    .insertInto('contact_messages')
    .values(
      timed(messages, now).map((message) => ({
        ...message,
        organization_id: organizationId,
        memory_id: memoryId,
        call_id: callId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await dropOldMessages(transaction, organizationId, memoryId);
}

/** Two without a time keep their order, and the same words twice stay two messages. */
export const timed = (messages: NonNullable<MemoryBody['messages']>, now: Date) =>
  messages.map(({ timestamp, ...message }, index) => ({
    ...message,
    sent_at: timestamp === undefined ? new Date(now.getTime() + index) : new Date(timestamp),
  }));

/** All but the last `keptMessages`. */
export async function dropOldMessages(
  transaction: Transaction<Database>,
  organizationId: string,
  memoryId: string,
): Promise<void> {
  await sql`delete from contact_messages where organization_id = ${organizationId} and memory_id = ${memoryId}
    and id in (
      select id from contact_messages where organization_id = ${organizationId} and memory_id = ${memoryId}
      order by sent_at desc, id desc offset ${keptMessages}
    )`.execute(transaction);
}
