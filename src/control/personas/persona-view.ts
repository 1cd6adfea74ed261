import { z } from 'zod';
import { e164 } from '../http/phone-number.js';
import { agentView, agentViewSchema } from '../numbers/agent-streams.js';
import { warningsSchema } from '../numbers/warnings.js';
import { momentFields, momentsView, presentFields, presentView } from '../versions/version-fields.js';
import type { Persona, VersionRow } from './persona-storage.js';

const kbIds = z
  .array(z.string())
  .meta({ description: 'Knowledge bases that the agent of a call may search, UUIDs.' });

/** One version of a persona. */
export const personaVersionSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the version.' }),
    persona_id: z.string(),
    version_type: z
      .enum(['draft', 'production', 'archived'])
      .meta({ description: 'draft: takes changes; production: live; archived: was live.' }),
    version_number: z.int().meta({ description: 'Counts the versions of the persona from 1.' }),
    orchestration_prompt: z
      .string()
      .nullable()
      .meta({ description: 'What the agent does in a call; null: not set.' }),
    personality_prompt: z.string().nullable().meta({ description: 'How the agent speaks; null: not set.' }),
    kb_ids: kbIds,
    agent: agentViewSchema.nullable().meta({
      description:
        'Agent of its calls: a SIP URI, a wss:// URL, or a WebSocket server with its settings; null: the agent of the number.',
    }),
    pathway_id: z.string().nullable().meta({
      description: 'Pathway that its calls follow; null: none. A number’s own pathway takes precedence.',
    }),
    pathway_version: z.int().nullable().meta({
      description: 'Number of the pathway’s version; null: the one that is live when a call begins.',
    }),
    voice: z
      .string()
      .nullable()
      .meta({ description: 'Voice that the agent speaks with, passed on to it unchecked; null: not set.' }),
    ...momentFields,
  })
  .meta({ id: 'PersonaVersion' });

export const personaSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the persona, a UUID.' }),
    name: z.string(),
    role: z.string().nullable().meta({ description: 'Its role, free text; null: not set.' }),
    description: z.string().nullable().meta({ description: 'Free text; null: not set.' }),
    tags: z.array(z.string()).meta({ description: 'Your labels.' }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Your data, returned unchanged; null: not set.' }),
    inbound_numbers: z
      .array(z.string())
      .meta({ description: 'Numbers whose inbound calls it answers, E.164 with +.' }),
    current_production_version_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the live version; null: it was never promoted.' }),
    current_draft_version_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the draft; null: nothing changed since the last promotion.' }),
    ...presentFields(personaVersionSchema, 'The version that calls get; null: none.'),
  })
  .meta({ id: 'Persona' });

/** Of a response whose request changes what calls get. */
export const changedPersonaSchema = personaSchema
  .extend({ warnings: warningsSchema })
  .meta({ id: 'ChangedPersona' });

export const versionView = (row: VersionRow): z.infer<typeof personaVersionSchema> => ({
  id: row.id,
  persona_id: row.persona_id,
  version_type: row.state,
  version_number: row.version_number,
  orchestration_prompt: row.orchestration_prompt,
  personality_prompt: row.personality_prompt,
  kb_ids: row.kb_ids,
  agent: row.agent && agentView(row.agent),
  pathway_id: row.pathway_id,
  pathway_version: row.pathway_version,
  voice: row.voice,
  ...momentsView(row),
});

export function personaView(persona: Persona): z.infer<typeof personaSchema> {
  const { id, name, role, description, tags, metadata } = persona.subject;
  return {
    id,
    name,
    role,
    description,
    tags,
    metadata,
    inbound_numbers: persona.numbers.map(e164),
    current_production_version_id: persona.production?.id ?? null,
    current_draft_version_id: persona.draft?.id ?? null,
    ...presentView(persona, versionView),
  };
}
