import { z } from 'zod';
import { e164 } from '../numbers/phone-number.js';
import { promotionSchema, promotionView } from '../promotions/promotions.js';
import { momentFields, momentsView } from '../versions/version-fields.js';
import type { Persona, VersionRow } from './persona-storage.js';

const moment = z.iso.datetime();
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
    current_production_version: personaVersionSchema
      .nullable()
      .meta({ description: 'The version that calls get; null: none.' }),
    current_draft_version: personaVersionSchema
      .nullable()
      .meta({ description: 'What the next promotion makes live; null: nothing.' }),
    promotion: promotionSchema
      .nullable()
      .meta({ description: 'The latest promotion that required tests; null: none.' }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Persona' });

export const versionView = (row: VersionRow): z.infer<typeof personaVersionSchema> => ({
  id: row.id,
  persona_id: row.persona_id,
  version_type: row.state,
  version_number: row.version_number,
  orchestration_prompt: row.orchestration_prompt,
  personality_prompt: row.personality_prompt,
  kb_ids: row.kb_ids,
  ...momentsView(row),
});

export function personaView({
  subject: persona,
  draft,
  production,
  promotion,
  numbers,
}: Persona): z.infer<typeof personaSchema> {
  const { id, name, role, description, tags, metadata } = persona;
  return {
    ...{ id, name, role, description, tags, metadata },
    inbound_numbers: numbers.map(e164),
    current_production_version_id: production?.id ?? null,
    current_draft_version_id: draft?.id ?? null,
    current_production_version: production === undefined ? null : versionView(production),
    current_draft_version: draft === undefined ? null : versionView(draft),
    promotion: promotion === undefined ? null : promotionView(promotion),
    created_at: persona.created_at.toISOString(),
    updated_at: persona.updated_at.toISOString(),
  };
}
