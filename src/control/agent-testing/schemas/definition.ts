import { createHash } from 'node:crypto';
import { z } from 'zod';
import { assertionSchema } from './assertion.js';
import { chatLineSchema, runChannels, scenarioTypes, webhookMockSchema } from './scenario.js';
import { voiceSettingsSchema } from './voice.js';

/** What a run runs: the scenario as it was when the run was ordered, without secrets. */
export const definitionSchema = z.object({
  scenario_id: z.string(),
  name: z.string(),
  pathway_id: z.string().nullable(),
  persona_id: z.string().nullable(),
  agent: z
    .object({ url: z.string().nullable(), model: z.string(), sip_uri: z.string().nullable() })
    .nullable(),
  scenario_type: z.enum(scenarioTypes),
  channel: z.enum(runChannels),
  tester_persona_prompt: z.string(),
  tester_persona_name: z.string().nullable(),
  first_speaker: z.enum(['agent', 'caller']).nullable(),
  max_turns: z.int(),
  request_data: z.record(z.string(), z.unknown()),
  start_node_id: z.string().nullable(),
  service_tone_enabled: z.boolean(),
  input_messages: z.array(chatLineSchema),
  advanced_instructions: z.string().nullable(),
  webhook_mocks: z.array(webhookMockSchema),
  voice: voiceSettingsSchema.nullable(),
  assertions: z.array(assertionSchema),
});
export type Definition = z.output<typeof definitionSchema>;

/** Equal definitions have equal digests: fields are written in the schema's order. */
export const digestOf = (definition: Definition): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(definitionSchema.parse(definition)))
    .digest();
