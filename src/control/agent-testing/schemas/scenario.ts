import { z } from 'zod';
import { metadataSchema } from '../../http/metadata.js';
import { nameOf } from '../../http/one-line.js';
import { defaultPromotionRuns, defaultRequiredPassRate } from '../statistics/evidence.js';
import { assertionInputs, assertionSchema } from './assertion.js';
import { largestMaximumTurns } from './limits.js';
import { voiceSettingsSchema } from './voice.js';

export const categories = [
  'CUSTOM',
  'VOICEMAIL',
  'VOICEMAIL_SCREENER',
  'ANGRY_CALLER',
  'BELLIGERENT_CALLER',
  'CONFUSED_CALLER',
  'CALL_SCREENER',
  'HAPPY_PATH',
  'EDGE_CASE',
  'RED_TEAM',
] as const;
export type Category = (typeof categories)[number];

export const scenarioTypes = ['AGENT', 'REPLAY', 'HISTORICAL'] as const;
export type ScenarioType = (typeof scenarioTypes)[number];

export const runChannels = ['text', 'voice'] as const;
export type RunChannel = (typeof runChannels)[number];

const defaultMaximumTurns = 20;

const name = nameOf(200).meta({
  description: 'Its name, at most 200 characters, unique among the scenarios of its target.',
});
const prompt = z.string().max(20_000);

export const chatLineSchema = z
  .strictObject({
    role: z.enum(['user', 'assistant']).meta({ description: 'user: the caller; assistant: the agent.' }),
    content: z.string().max(20_000).meta({ description: 'What was said.' }),
  })
  .meta({ id: 'TestChatLine' });
export type ChatLine = z.output<typeof chatLineSchema>;

/** An agent at its own address. */
const agentUrl = z
  .url({ protocol: /^https?$/, error: 'Must be http://… or https://…' })
  .max(2_048)
  .refine((text) => {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'Must not contain a user or password: send api_key instead')
  .meta({
    description:
      'Base URL of an OpenAI-compatible interface, to which `/chat/completions` is added; for runs by text.',
    examples: ['https://agent.example.com/v1'],
  });
const sipUri = z
  .string()
  .max(255)
  .regex(/^sips?:[^\s<>"]+$/i, 'Must be a SIP URI, such as sip:agent@example.com')
  .meta({ description: 'SIP URI that is called; for runs by voice.', examples: ['sip:agent@example.com'] });
const agentModel = z
  .string()
  .min(1)
  .max(200)
  .default('agent')
  .meta({ description: 'Name that requests send as `model`. Default agent.' });

export const agentInput = z
  .strictObject({
    url: agentUrl.optional(),
    model: agentModel,
    api_key: z
      .string()
      .max(4_096)
      .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without spaces')
      .optional()
      .meta({ description: 'Sent as bearer token; never returned. Omit it to keep the stored one.' }),
    sip_uri: sipUri.optional(),
  })
  .refine(({ url, sip_uri: uri }) => url !== undefined || uri !== undefined, {
    error: 'url, sip_uri or both are required',
  });
export type AgentInput = z.output<typeof agentInput>;

export const agentSchema = z
  .object({
    url: z.string().nullable().meta({ description: 'Base URL for runs by text; null: none.' }),
    model: z.string().meta({ description: 'Name that requests send as `model`.' }),
    has_api_key: z.boolean().meta({ description: 'Whether an API key is stored.' }),
    sip_uri: z.string().nullable().meta({ description: 'SIP URI for runs by voice; null: none.' }),
  })
  .meta({ id: 'TestAgent' });

/** Answers in place of a webhook of the pathway, which is not called, or of a tool of an agent at its own URL. */
export const webhookMockSchema = z
  .strictObject({
    node_id: z.string().min(1).max(200).meta({
      description: 'Node whose webhook is replaced, or name of the tool that the agent asks for.',
    }),
    from_call: z.int().min(1).max(1_000).optional().meta({
      description: 'Answers this call of the node or tool and later ones. Default 1: from the first.',
    }),
    from_turn: z
      .int()
      .min(0)
      .max(largestMaximumTurns)
      .optional()
      .meta({ description: 'Answers from this turn of the caller on. Default 0: from the beginning.' }),
    status: z.int().min(100).max(599).default(200).meta({ description: 'HTTP status. Default 200.' }),
    body: z.unknown().optional().meta({ description: 'JSON of the answer. Default none.' }),
  })
  .meta({ id: 'TestWebhookMock' });
export type WebhookMock = z.output<typeof webhookMockSchema>;

const maximumMessages = 200;

/** Fields of a scenario that may be omitted; creation gives them defaults. */
const optional = {
  description: z.string().max(2_000).nullable(),
  category: z.enum(categories),
  scenario_type: z.enum(scenarioTypes),
  channel: z.enum(runChannels),
  tester_persona_prompt: prompt,
  tester_persona_name: z.string().max(200).nullable(),
  first_speaker: z.enum(['agent', 'caller']).nullable(),
  max_turns: z.int().min(1).max(largestMaximumTurns),
  request_data: metadataSchema,
  start_node_id: z.string().min(1).max(200).nullable(),
  service_tone_enabled: z.boolean(),
  is_required_for_promotion: z.boolean(),
  promotion_runs: z.int().min(1).max(50),
  required_pass_rate: z.number().min(0.05).max(0.95),
  enabled: z.boolean(),
  input_messages: z.array(chatLineSchema).max(maximumMessages),
  advanced_instructions: prompt.nullable(),
  webhook_mocks: z.array(webhookMockSchema).max(100),
  voice: voiceSettingsSchema.nullable(),
  metadata: metadataSchema,
};

/** What each field means, for requests and answers. */
const meanings: Readonly<Record<keyof typeof optional, string>> = {
  description: 'Free text; null: none.',
  category: 'Kind of caller. Default CUSTOM.',
  scenario_type:
    'AGENT: a model speaks for the caller. REPLAY: the caller says the user messages of input_messages. HISTORICAL: no conversation is held; the assertions judge input_messages. Default AGENT.',
  channel: 'How it is run unless the run says otherwise: text or voice (a real call). Default text.',
  tester_persona_prompt: 'How the simulated caller behaves and what it wants; required with AGENT.',
  tester_persona_name: 'Name of the simulated caller; null: none.',
  first_speaker:
    'Who speaks first. Null: the agent, except a caller speaks first to an agent at its own URL.',
  max_turns: `Most turns of the caller. Default ${defaultMaximumTurns}, range 1–${largestMaximumTurns}.`,
  request_data: 'Variables that the conversation begins with, as in `request_data` of a call.',
  start_node_id: 'Node that the conversation begins at; null: the start node of the pathway.',
  service_tone_enabled: 'Whether runs get a tone score. Default false.',
  is_required_for_promotion:
    'Whether it must pass often enough before a version is promoted. It needs a required assertion. Default false.',
  promotion_runs: `How often a promotion runs it at first; it runs more while that decides. Default ${defaultPromotionRuns}, range 1–50.`,
  required_pass_rate: `Pass rate that the runs must show: the lower end of its 95 % interval must reach it. Default ${defaultRequiredPassRate}, range 0.05–0.95.`,
  enabled: 'False: gates and tornado skip it. Default true.',
  input_messages: `Recorded conversation for REPLAY and HISTORICAL, at most ${maximumMessages} lines.`,
  advanced_instructions: 'Further instructions for the simulated caller; null: none.',
  webhook_mocks:
    'Answers in place of webhooks of the pathway, which are then not called, and to tools that an agent at its own URL asks for (`tool_calls`). Of several for a node or tool, the one with the highest from_call, then from_turn, that applies is used.',
  voice: 'How it is run as a call; null: the defaults.',
  metadata: 'Your data, returned unchanged.',
};

type Optional = typeof optional;
const described = Object.fromEntries(
  Object.entries(optional).map(([field, schema]) => [
    field,
    schema.meta({ description: meanings[field as keyof Optional] }),
  ]),
) as Optional;

const targets = {
  pathway_id: z.uuid().nullish().meta({ description: 'Pathway under test.' }),
  persona_id: z.uuid().nullish().meta({ description: 'Persona under test.' }),
  agent: agentInput.nullish().meta({ description: 'Agent under test at its own address.' }),
};

/** Names of the targets, of which a scenario has one. */
const targetFields = ['pathway_id', 'persona_id', 'agent'] as const;

/** Adds an issue unless exactly one target is given. */
export function checkTarget(
  body: { readonly [Field in (typeof targetFields)[number]]?: unknown },
  context: z.RefinementCtx,
): void {
  const given = targetFields.filter((field) => body[field] !== undefined && body[field] !== null);
  if (given.length === 1) return;
  const message =
    given.length === 0
      ? 'One of pathway_id, persona_id and agent is required.'
      : `${given.join(' and ')} exclude each other: send one.`;
  context.addIssue({ code: 'custom', path: [given[1] ?? 'pathway_id'], message });
}

export const scenarioCreation = z
  .strictObject({
    name,
    ...targets,
    description: described.description.optional(),
    category: described.category.default('CUSTOM'),
    scenario_type: described.scenario_type.default('AGENT'),
    channel: described.channel.default('text'),
    tester_persona_prompt: described.tester_persona_prompt.default(''),
    tester_persona_name: described.tester_persona_name.optional(),
    first_speaker: described.first_speaker.optional(),
    max_turns: described.max_turns.default(defaultMaximumTurns),
    request_data: described.request_data.default({}),
    start_node_id: described.start_node_id.optional(),
    service_tone_enabled: described.service_tone_enabled.default(false),
    is_required_for_promotion: described.is_required_for_promotion.default(false),
    promotion_runs: described.promotion_runs.default(defaultPromotionRuns),
    required_pass_rate: described.required_pass_rate.default(defaultRequiredPassRate),
    enabled: described.enabled.default(true),
    input_messages: described.input_messages.default([]),
    advanced_instructions: described.advanced_instructions.optional(),
    webhook_mocks: described.webhook_mocks.default([]),
    voice: described.voice.optional(),
    metadata: described.metadata.default({}),
    assertions: assertionInputs.default([]),
  })
  .superRefine(checkTarget);
export type ScenarioCreation = z.output<typeof scenarioCreation>;

/** Omitted fields keep their value; `assertions` replaces all of them. The kind of target stays. */
export const scenarioUpdate = z.strictObject({
  name: name.optional(),
  agent: agentInput.optional().meta({ description: 'Agent under test; only for scenarios that have one.' }),
  ...(Object.fromEntries(
    Object.entries(described).map(([field, schema]) => [
      field,
      schema.optional().meta({ description: meanings[field as keyof Optional] }),
    ]),
  ) as { [Field in keyof Optional]: z.ZodOptional<Optional[Field]> }),
  assertions: assertionInputs.optional(),
});
export type ScenarioUpdate = z.output<typeof scenarioUpdate>;

export const scenarioSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the scenario, a UUID.' }),
    org_id: z.string(),
    name: z.string(),
    pathway_id: z.string().nullable().meta({ description: 'Pathway under test; null: another target.' }),
    persona_id: z.string().nullable().meta({ description: 'Persona under test; null: another target.' }),
    agent: agentSchema.nullable().meta({ description: 'Agent at its own address; null: another target.' }),
    ...described,
    assertions: z.array(assertionSchema).meta({ description: 'What must hold after the conversation.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'Time of the last change, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'TestScenario' });

/** Path of the endpoints of one scenario. */
export const scenarioPath = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the scenario.' }),
});
