import { z } from 'zod';
import { metadataSchema } from '../../http/metadata.js';
import { assertionResultSchema } from './assertion.js';
import { budgetFields } from './budget.js';
import { variationSchema } from './matrix.js';
import { moneySchema } from './money.js';
import { chatLineSchema, runChannels } from './scenario.js';
import { voiceMeasurementsSchema } from './voice.js';

export const runStatuses = ['PENDING', 'RUNNING', 'PASSED', 'FAILED', 'ERROR', 'CANCELLED'] as const;
export type RunStatus = (typeof runStatuses)[number];
const endedStatuses = ['PASSED', 'FAILED', 'ERROR', 'CANCELLED'] as const;
export type EndedStatus = (typeof endedStatuses)[number];

/** What started a run. */
export const runOrigins = ['api', 'dashboard', 'ci', 'gate', 'simulation', 'tornado'] as const;
export type RunOrigin = (typeof runOrigins)[number];
/** Those that a client may name. */
export const triggerSources = ['api', 'dashboard', 'ci'] as const;
/** What starts simulation sets. */
export const setTriggers = [...triggerSources, 'schedule'] as const;

const score = (description: string) => z.number().nullable().meta({ description });

const toneDimension = (name: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${name}, 0–1.` });

export const serviceToneScoreSchema = z
  .object({
    naturalness: toneDimension('How natural the agent sounds'),
    conciseness: toneDimension('How concise its answers are'),
    empathy: toneDimension('How well it responds to feelings'),
    flow_preservation: toneDimension('How well it keeps the conversation flowing'),
    back_channeling: toneDimension('How well it signals that it listens'),
    topic_transitions: toneDimension('How smoothly it changes the topic'),
    overall_tone_score: toneDimension('Overall tone'),
    issues: z.array(z.string().max(2_000)).max(50).meta({ description: 'What sounded unnatural.' }),
    examples: z
      .array(
        z.object({
          turn: z.int().min(0).meta({ description: 'Position of the line in chat_history, from 0.' }),
          category: z.string().max(100).meta({ description: 'Dimension that it is an example of.' }),
          text: z.string().max(2_000).meta({ description: 'What was said.' }),
          sentiment: z
            .enum(['positive', 'negative'])
            .meta({ description: 'Good example (positive) or bad example (negative) of the dimension.' }),
        }),
      )
      .max(50)
      .meta({ description: 'Lines that are examples of a dimension.' }),
  })
  .meta({ id: 'ServiceToneScore' });
export type ServiceToneScore = z.output<typeof serviceToneScoreSchema>;

const turnDetailSchema = z
  .object({
    turn: z.int().meta({ description: 'Position of the line in chat_history, from 0.' }),
    node_id: z.string().nullable().meta({ description: 'Node that spoke; null: the caller, or no pathway.' }),
    latency_ms: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds until the answer; null: not measured.' }),
    extracted: z
      .array(z.string())
      .meta({ description: 'Names of the variables extracted before this line was spoken.' }),
  })
  .meta({ id: 'TestTurnDetail' });
export type TurnDetail = z.output<typeof turnDetailSchema>;

/** Without headers and query, which may hold secrets; those in arguments are masked. */
const triggeredWebhookSchema = z
  .object({
    node_id: z
      .string()
      .meta({ description: 'Node that called it, or name of the tool that an agent asked for or reported.' }),
    url: z.string().meta({ description: 'URL without its query; empty: a tool of an agent.' }),
    arguments: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What it was called with: the JSON body; with GET, the parameters of the query that hold variables. Secrets are `[masked]`. Null: not kept, because they have more than 10,000 characters, or those of the run more than 200,000.',
    }),
    status: z.int().nullable().meta({ description: 'HTTP status; null: no answer, or not known.' }),
    is_mocked: z.boolean().meta({ description: 'Whether the scenario answered in its place.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why there was no answer; null: there was one, or it is not known.' }),
    duration_ms: z.int().meta({ description: 'Milliseconds until the answer.' }),
    turn: z.int().nullable().meta({
      description:
        'Position of the next line in chat_history, from 0; null: not reported by an agent that was called.',
    }),
  })
  .meta({ id: 'TestWebhookCall' });
export type TriggeredWebhook = z.output<typeof triggeredWebhookSchema>;

export const endingSchema = z
  .object({
    ended_by: z.enum(['agent', 'caller', 'test']).meta({
      description:
        'Who ended the conversation. test: neither side; turns, time or recorded lines ran out, or the agent fell silent.',
    }),
    transfer: z.enum(['none', 'transferred', 'unknown']).meta({
      description:
        'Whether the agent transferred the caller; unknown: an agent at its own URL, or the record of the call is missing.',
    }),
    transferred_to: z
      .string()
      .nullable()
      .meta({ description: 'Number or URI that the caller was transferred to; null: none.' }),
  })
  .meta({ id: 'TestEnding' });
export type RunEnding = z.output<typeof endingSchema>;

export const modelUsageSchema = z
  .object({
    requests: z.int().meta({ description: 'Requests to models.' }),
    prompt_tokens: z.int().meta({ description: 'Tokens sent, as far as the endpoints count them.' }),
    completion_tokens: z.int().meta({ description: 'Tokens received, as far as the endpoints count them.' }),
    cost: moneySchema.nullable().meta({
      description:
        'Cost of all requests; null: not ended, or the cost of a request is not known, because its model has no price or its endpoint does not count tokens.',
    }),
    cost_usd: z
      .number()
      .nullable()
      .meta({ description: 'The cost in US dollars; null: not known, or in another currency.' }),
  })
  .meta({ id: 'TestModelUsage' });

const modelName = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `Model ${what}; null: none.` });

const usedModelsSchema = z
  .object({
    agent: modelName('that spoke for the agent'),
    tester: modelName('that spoke for the caller'),
    judge: modelName('that judged'),
    is_stand_in: z.boolean().meta({
      description:
        'True: the stand-in that answers by rules was used, because no language model is configured. Its results say nothing about the agent.',
    }),
  })
  .meta({ id: 'TestModels' });

/** What lists show of a run. */
const runSummary = {
  id: z.string().meta({ description: 'Id of the run, a UUID.' }),
  scenario_id: z.string(),
  scenario: z.object({ id: z.string(), name: z.string() }).meta({ description: 'The scenario that it ran.' }),
  pathway_id: z.string().nullable().meta({ description: 'Pathway under test; null: another target.' }),
  persona_id: z.string().nullable().meta({ description: 'Persona under test; null: another target.' }),
  version_number: z
    .int()
    .nullable()
    .meta({ description: 'Version of the pathway or persona; null: an agent at its own address.' }),
  batch_id: z.string().nullable().meta({ description: 'Batch that it belongs to; null: none.' }),
  simulation_set_id: z
    .string()
    .nullable()
    .meta({ description: 'Simulation set that it belongs to; null: none.' }),
  tornado_session_id: z
    .string()
    .nullable()
    .meta({ description: 'Tornado session that it belongs to; null: none.' }),
  call_id: z.string().nullable().meta({
    description: 'Real call that it judges, in place of a conversation with a simulated caller; null: none.',
  }),
  monitor_id: z.string().nullable().meta({ description: 'Monitor that started it; null: none.' }),
  load_test_id: z.string().nullable().meta({ description: 'Load test whose caller it is; null: none.' }),
  answer_ms: z
    .int()
    .nullable()
    .meta({ description: 'Milliseconds until the agent answered the call; null: by text, or not answered.' }),
  sip_status: z.int().nullable().meta({
    description: 'Final SIP response to a call that the agent did not answer; null: none.',
  }),
  variation: variationSchema.nullable().meta({
    description: 'Values of the scenario that its simulation set replaced, by field; null: none.',
  }),
  channel: z.enum(runChannels).meta({ description: 'text, or voice: a real call.' }),
  origin: z.enum(runOrigins).meta({ description: 'What started it.' }),
  status: z.enum(runStatuses).meta({
    description:
      'PASSED: every required assertion passed. FAILED: one did not. ERROR: the run could not be completed or judged; error_message says why.',
  }),
  turn_count: z.int().meta({ description: 'Turns of the caller.' }),
  duration_ms: z.int().nullable().meta({ description: 'Duration in milliseconds; null: not ended.' }),
  overall_score: score('Weighted mean of the scores of the assertions, 0–1; null: none.'),
  tone_score: score('Overall tone score, 0–1; null: not scored.'),
  nodes_visited: z.array(z.string()).meta({ description: 'Nodes in the order of the visits.' }),
  current_node_id: z
    .string()
    .nullable()
    .meta({ description: 'Node at which the conversation is or ended; null: no pathway.' }),
  models: usedModelsSchema.meta({ description: 'Models that took part.' }),
  error_message: z.string().nullable().meta({ description: 'Why it ended in ERROR; null: it did not.' }),
  usage: modelUsageSchema.meta({
    description: 'Requests to models, their tokens and cost; zero until it has ended.',
  }),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable().meta({ description: 'When it began; null: not yet.' }),
  completed_at: z.iso.datetime().nullable(),
};

export const runSummarySchema = z.object(runSummary).meta({ id: 'TestRunSummary' });

export const runSchema = z
  .object({
    ...runSummary,
    chat_history: z.array(chatLineSchema).meta({ description: 'The conversation so far.' }),
    variables_extracted: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Variables that the pathway extracted.' }),
    webhooks: z.array(triggeredWebhookSchema).meta({
      description: 'Webhooks that the pathway called, and tools that the agent asked for or reported.',
    }),
    service_tone_score: serviceToneScoreSchema.nullable().meta({
      description: 'Tone of the agent; null: not scored.',
    }),
    assertion_results: z.array(assertionResultSchema).meta({ description: 'Result of each assertion.' }),
    reasoning: z.string().nullable().meta({ description: 'Result in plain words; null: not ended.' }),
    end_reason: z
      .enum(['agent_ended', 'caller_ended', 'max_turns', 'replay_ended', 'recorded'])
      .nullable()
      .meta({ description: 'How the conversation ended; null: it did not.' }),
    ending: endingSchema.nullable().meta({
      description: 'Who ended it, and transfers; null: not ended, recorded, or run by an earlier release.',
    }),
    token_budget: z.int().nullable().meta({
      description: 'Tokens that the models of the service may take for it; null: no separate limit.',
    }),
    cost_budget: moneySchema.nullable().meta({
      description: 'What the models of the service may cost for it; null: no separate limit.',
    }),
    voice: voiceMeasurementsSchema
      .nullable()
      .meta({ description: 'What was measured in the call; null: a run by text.' }),
    recording: z
      .object({
        duration_ms: z
          .int()
          .meta({ description: 'Milliseconds from the answer to its end; at most ten minutes.' }),
        octets: z.int().meta({ description: 'Size of the file.' }),
      })
      .nullable()
      .meta({
        description:
          'Recording of the call, at `/v1/agent-testing/runs/{id}/recording`; null: a run by text, not recorded, or deleted.',
      }),
    attempts: z.int().meta({
      description: 'Number of times that the run was begun; more than 1 after a process was killed.',
    }),
    metadata: z
      .object({
        node_id_to_name: z
          .record(z.string(), z.string())
          .meta({ description: 'Names of the nodes of the pathway.' }),
        turn_details: z.array(turnDetailSchema).meta({ description: 'Details of each line.' }),
      })
      .meta({ description: 'Names of nodes and details of turns.' }),
  })
  .meta({ id: 'TestRun' });

export const versionMeaning =
  'Version of the pathway or persona. Default: the draft if there is one, else the live version.';

export const versionNumber = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .meta({ description: versionMeaning });

/** Body of POST /v1/agent-testing/scenarios/{id}/run. */
export const runStart = z.strictObject({
  version_number: versionNumber,
  channel: z
    .enum(runChannels)
    .optional()
    .meta({ description: 'text or voice. Default: that of the scenario.' }),
  call_id: z.string().min(1).max(64).optional().meta({
    description:
      'Ended call of yours to judge with the assertions of the scenario, in place of a conversation. Its agent must have stored messages of it in the memory of a contact.',
  }),
  request_data_override: metadataSchema
    .optional()
    .meta({ description: 'Replaces single fields of request_data of the scenario.' }),
  webhook_url: z
    .string()
    .max(2_048)
    .optional()
    .meta({
      description: 'Gets the run when it has ended, signed.',
      examples: ['https://example.com/hooks/tests'],
    }),
  ...budgetFields('the run'),
  trigger_source: z
    .enum(triggerSources)
    .default('api')
    .meta({ description: 'What starts it: api, dashboard or ci. Default api.' }),
});

export const runStartedSchema = z.object({
  run_id: z.string().meta({ description: 'Id of the run.' }),
  status: z
    .enum(['PENDING', 'RUNNING'])
    .meta({ description: 'RUNNING: it has begun. PENDING: it waits for a free slot.' }),
});

/** Where a page of a list begins. */
export const afterId = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: '`next` of the previous page.' });

/** Path of the endpoints of one run. */
export const runPath = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the run.' }),
});
