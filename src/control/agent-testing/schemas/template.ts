import { z } from 'zod';
import { metadataSchema } from '../../http/metadata.js';
import { nameOf } from '../../http/one-line.js';
import { assertionSchema } from './assertion.js';
import { largestMaximumTurns } from './limits.js';
import { agentInput, categories, chatLineSchema, checkTarget } from './scenario.js';

export const unsavedAssertionSchema = assertionSchema.omit({ id: true }).meta({ id: 'UnsavedTestAssertion' });

export const templateSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the template.', examples: ['tmpl_voicemail'] }),
    name: z.string(),
    description: z.string().meta({ description: 'What it tests.' }),
    category: z.enum(categories).meta({ description: 'Kind of caller.' }),
    tester_persona_prompt: z
      .string()
      .meta({ description: 'How the simulated caller behaves and what it wants.' }),
    tester_persona_name: z.string().meta({ description: 'Name of the simulated caller.' }),
    max_turns: z.int().meta({ description: 'Most turns of the caller.' }),
    service_tone_enabled: z.boolean().meta({ description: 'Whether runs get a tone score.' }),
    assertions: z
      .array(unsavedAssertionSchema)
      .meta({ description: 'What must hold after the conversation.' }),
  })
  .meta({ id: 'TestTemplate' });

const target = {
  pathway_id: z.uuid().nullish().meta({ description: 'Pathway under test.' }),
  persona_id: z.uuid().nullish().meta({ description: 'Persona under test.' }),
};

/** Body of POST /v1/agent-testing/templates/{id}/clone. */
export const templateClone = z
  .strictObject({
    ...target,
    agent: agentInput.nullish().meta({ description: 'Agent under test at its own address.' }),
    name: nameOf(200).optional().meta({ description: "Default: the template's name." }),
    description: z.string().max(2_000).optional().meta({ description: 'Free text.' }),
    tester_persona_prompt: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: "How the simulated caller behaves. Default: the template's." }),
    max_turns: z
      .int()
      .min(1)
      .max(largestMaximumTurns)
      .optional()
      .meta({ description: `Most turns of the caller, 1–${largestMaximumTurns}. Default: the template's.` }),
    request_data: metadataSchema
      .optional()
      .meta({ description: 'Variables that the conversation begins with.' }),
    start_node_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Node that the conversation begins at. Default: the start node.' }),
    service_tone_enabled: z.boolean().optional().meta({ description: 'Whether runs get a tone score.' }),
    is_required_for_promotion: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether it must pass before a version is promoted. Default false.' }),
  })
  .superRefine(checkTarget);

/** Body of POST /v1/agent-testing/scenarios/generate-from-call. */
export const scenarioFromCall = z.strictObject({
  call_id: z.string().min(1).max(64),
  ...target,
  transcript: z.array(chatLineSchema).min(2).max(500).optional().meta({
    description:
      'What was said in the call. Default: the messages that the agent of the call stored in the memory of the contact.',
  }),
});

/** An unsaved scenario: POST it to /v1/agent-testing/scenarios without `generated_by`. */
export const scenarioDraftSchema = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: 'What it tests.' }),
    category: z.enum(categories).meta({ description: 'Kind of caller.' }),
    tester_persona_prompt: z
      .string()
      .meta({ description: 'How the simulated caller behaves and what it wants.' }),
    tester_persona_name: z.string().meta({ description: 'Name of the simulated caller.' }),
    pathway_id: z.string().nullable().meta({ description: 'Pathway under test; null: not chosen.' }),
    persona_id: z.string().nullable().meta({ description: 'Persona under test; null: not chosen.' }),
    start_node_id: z.string().nullable().meta({ description: 'Node to begin at; null: the start node.' }),
    request_data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Request data of the call, without phone numbers, webhook URLs and keys.' }),
    input_messages: z
      .array(chatLineSchema)
      .meta({ description: 'The conversation of the call, for REPLAY.' }),
    assertions: z
      .array(unsavedAssertionSchema)
      .meta({ description: 'What must hold after the conversation.' }),
    generated_by: z.string().meta({ description: 'Model that wrote it.' }),
  })
  .meta({ id: 'TestScenarioDraft' });
