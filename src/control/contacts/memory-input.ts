import { z } from 'zod';
import { agentReferenceSchema } from '../../contract/commands.js';
import { isInUsualYears, unusualYear } from '../http/usual-years.js';
import { phoneSchema } from './contact-input.js';
import { messageChannels, messageRoles, priorities } from './tables.js';

const name = z.string().trim().min(1).max(100);

const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(isInUsualYears, { error: unusualYear })
  .transform((at) => at.toISOString());

const factsSchema = z
  .record(z.string().min(1).max(100), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
  .meta({
    description:
      'Facts to add or change, by name: text of at most 1,000 characters, numbers, true or false; null removes one.',
  });

const messageSchema = z.strictObject({
  role: z.enum(messageRoles).meta({ description: 'user: the contact. assistant: the agent.' }),
  content: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .meta({ description: 'What was said. At most 4,000 characters.' }),
  channel: z.enum(messageChannels).default('call').meta({ description: 'How it was said. Default call.' }),
  timestamp: moment
    .optional()
    .meta({ description: 'When, ISO 8601 with a time zone. Default: now. A repeated message counts once.' }),
});

const entityKey = {
  entity_type: name.meta({ description: 'Kind of entity, such as order.' }),
  entity_id: z.string().trim().min(1).max(200).meta({ description: 'Id of the entity.' }),
};

const itemKey = {
  type: name.meta({ description: 'Kind of item, such as follow_up.' }),
  description: z.string().trim().min(1).max(1_000).meta({ description: 'What is left to do.' }),
};

const openItemSchema = z.strictObject({
  ...itemKey,
  priority: z.enum(priorities).default('medium').meta({ description: 'Its priority. Default medium.' }),
  created_at: moment.optional().meta({ description: 'When it came up, ISO 8601. Default: now.' }),
  related_to: z
    .strictObject(entityKey)
    .nullable()
    .default(null)
    .meta({ description: 'The entity that it is about; null: none.' }),
});

const entitySchema = z.strictObject({
  ...entityKey,
  facts: factsSchema.optional(),
  status: z.string().trim().max(100).optional().meta({ description: 'Its status. At most 100 characters.' }),
  last_discussed_at: moment
    .optional()
    .meta({ description: 'When it was last talked about, ISO 8601. Default: now.' }),
  notes: z
    .string()
    .max(4_000)
    .nullable()
    .optional()
    .meta({ description: 'Further notes; null clears them.' }),
});

const most = 100;

/** What an agent writes: each list adds to what is there, so that two calls at once lose nothing. */
export const memoryBodySchema = z
  .strictObject({
    persona_id: agentReferenceSchema
      .optional()
      .meta({ description: 'The persona that remembers. With a call token: that of the call.' }),
    agent_number: phoneSchema.optional().meta({
      description: 'Without a persona: the number whose agent remembers, E.164 with +.',
    }),
    summary: z
      .string()
      .max(8_000)
      .optional()
      .meta({ description: 'Replaces the summary. At most 8,000 characters.' }),
    facts: factsSchema.optional(),
    messages: z
      .array(messageSchema)
      .max(most)
      .optional()
      .meta({ description: 'Messages to add, at most 100.' }),
    open_items: z.array(openItemSchema).max(most).optional().meta({
      description: 'Items to add; one with the same type and description is replaced. At most 100.',
    }),
    closed_items: z
      .array(z.strictObject(itemKey))
      .max(most)
      .optional()
      .meta({ description: 'Open items that are done, by type and description. At most 100.' }),
    entities: z.array(entitySchema).max(most).optional().meta({
      description: 'Entities to add or change, by type and id: omitted fields keep their value. At most 100.',
    }),
    removed_entities: z
      .array(z.strictObject(entityKey))
      .max(most)
      .optional()
      .meta({ description: 'Entities to forget, by type and id. At most 100.' }),
  })
  .meta({ id: 'ContactMemoryChanges' });

export type MemoryBody = z.infer<typeof memoryBodySchema>;
