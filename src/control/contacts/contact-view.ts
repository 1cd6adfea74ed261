import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import { type ContactIdentifiersTable, type ContactsTable, identifierTypes } from '../parties/tables.js';
import { identifiersOf, requireContactId, unknownContact } from './contact-rows.js';
import { type ContactMemoriesTable, messageChannels, messageRoles, priorities } from './tables.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });
const contactIdField = z.string().meta({ description: 'Id of the contact, a UUID.' });

export const identifierSchema = z
  .object({
    id: z.string(),
    contact_id: contactIdField,
    identifier_type: z.enum(identifierTypes).meta({ description: 'Kind of identifier.' }),
    identifier_value: z
      .string()
      .meta({ description: 'A number in E.164 with +, an email address, or your own id.' }),
    is_primary: z.boolean().meta({ description: 'True: the first one of its kind.' }),
  })
  .meta({ id: 'ContactIdentifier' });

const factsSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .meta({ description: 'What is known, by name.' });

export const messageSchema = z
  .object({
    role: z.enum(messageRoles).meta({ description: 'user: the contact. assistant: the agent.' }),
    content: z.string().meta({ description: 'What was said.' }),
    channel: z.enum(messageChannels).meta({ description: 'How it was said.' }),
    timestamp: moment,
  })
  .meta({ id: 'ContactMessage' });

export const openItemSchema = z
  .object({
    type: z.string().meta({ description: 'Kind of item, such as follow_up.' }),
    description: z.string().meta({ description: 'What is left to do.' }),
    created_at: moment,
    priority: z.enum(priorities).meta({ description: 'Its priority.' }),
    related_to: z
      .object({
        entity_type: z.string().meta({ description: 'Kind of entity.' }),
        entity_id: z.string().meta({ description: 'Id of the entity.' }),
      })
      .nullable()
      .meta({ description: 'The entity that it is about; null: none.' }),
  })
  .meta({ id: 'ContactOpenItem' });

export const entitySchema = z
  .object({
    entity_type: z.string().meta({ description: 'Kind of entity, such as order.' }),
    entity_id: z.string().meta({ description: 'Id of the entity.' }),
    facts: factsSchema,
    status: z.string().meta({ description: 'Its status; empty: unknown.' }),
    last_discussed_at: moment,
    notes: z.string().nullable().meta({ description: 'Further notes; null: none.' }),
  })
  .meta({ id: 'ContactEntity' });

export const memorySchema = z
  .object({
    id: z.string(),
    contact_id: contactIdField,
    persona_id: z.string().meta({ description: 'The persona that remembers; empty: an agent without one.' }),
    agent_number: z
      .string()
      .nullable()
      .meta({ description: 'The number whose agent remembers, E.164 with +; null: all numbers.' }),
    summary: z.string().meta({ description: 'The conversations so far; empty: none.' }),
    facts: factsSchema,
    recent_messages: z.array(messageSchema).meta({ description: 'The last messages, oldest first.' }),
    open_items: z.array(openItemSchema).meta({ description: 'What is left to do.' }),
    entities: z.array(entitySchema).meta({ description: 'What the contact talks about, such as orders.' }),
  })
  .meta({ id: 'ContactMemory' });

export const contactSummarySchema = z
  .object({
    id: contactIdField,
    org_id: z.string(),
    name: z.string().meta({ description: 'Name of the contact; empty: unknown.' }),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Your own data.' }),
    created_at: z.string(),
    updated_at: z.string().meta({ description: 'Time of the last change, ISO 8601 in UTC.' }),
    identifiers: z.array(identifierSchema).meta({ description: 'What the contact is recognized by.' }),
  })
  .meta({ id: 'ContactSummary' });

export const contactSchema = contactSummarySchema
  .extend({
    memories: z.array(memorySchema).meta({ description: 'One for each persona or number.' }),
  })
  .meta({ id: 'Contact' });

export type ContactView = z.infer<typeof contactSchema>;
type MemoryView = z.infer<typeof memorySchema>;

export const summaryView = (
  row: Selectable<ContactsTable>,
  identifiers: readonly Selectable<ContactIdentifiersTable>[],
): z.infer<typeof contactSummarySchema> => ({
  id: row.id,
  org_id: row.organization_id,
  name: row.name,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  identifiers: identifiers.flatMap((identifier) =>
    identifier.contact_id === row.id
      ? {
          id: identifier.id,
          contact_id: identifier.contact_id,
          identifier_type: identifier.identifier_type,
          identifier_value: identifier.identifier_value,
          is_primary: identifier.is_primary,
        }
      : [],
  ),
});

/** Messages of one memory in an answer; as many again are kept for exports. */
export const recentMessages = 50;

type MemoryRow = Selectable<ContactMemoriesTable> & {
  readonly messages: readonly {
    readonly role: (typeof messageRoles)[number];
    readonly content: string;
    readonly channel: (typeof messageChannels)[number];
    readonly sent_at: string;
  }[];
};

export const memoryView = (row: MemoryRow): MemoryView => ({
  id: row.id,
  contact_id: row.contact_id,
  persona_id: row.persona_id,
  agent_number: row.agent_number,
  summary: row.summary,
  facts: row.facts,
  recent_messages: row.messages
    .map(({ sent_at, ...message }) => ({ ...message, timestamp: new Date(sent_at).toISOString() }))
    .reverse(),
  open_items: [...row.open_items],
  entities: [...row.entities],
});

/** @param memoryId only this one */
export async function readMemories(
  database: Kysely<Database>,
  organizationId: string,
  contactId: string,
  { memoryId, messages = recentMessages }: { readonly memoryId?: string; readonly messages?: number } = {},
): Promise<MemoryView[]> {
  let query = database
    .selectFrom('contact_memories')
    .selectAll('contact_memories')
    .select(
      sql<MemoryRow['messages']>`coalesce((
        select json_agg(recent) from (
          select role, content, channel, sent_at from contact_messages
          where contact_messages.organization_id = contact_memories.organization_id
            and contact_messages.memory_id = contact_memories.id
          order by sent_at desc, id desc limit ${messages}
        ) recent), '[]')`.as('messages'),
    )
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId);
  if (memoryId !== undefined) query = query.where('id', '=', memoryId);
  const rows = await query.orderBy('created_at').orderBy('id').execute();
  return rows.map(memoryView);
}

/**
 * The contact that the id leads to, as of one moment. Throws `DemarcError` `NOT_FOUND`.
 * @param messages the last ones of each memory
 */
export function readContact(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  messages = recentMessages,
): Promise<ContactView> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const contactId = await requireContactId(transaction, organizationId, id);
      const row = await transaction
        .selectFrom('contacts')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', contactId)
        .executeTakeFirst();
      if (row === undefined) throw unknownContact();
      return {
        ...summaryView(row, await identifiersOf(transaction, organizationId, [contactId])),
        memories: await readMemories(transaction, organizationId, contactId, { messages }),
      };
    });
}
