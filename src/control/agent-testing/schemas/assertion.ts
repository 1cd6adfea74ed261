import { z } from 'zod';
import { voiceMetrics } from '../../../contract/voice-metrics.js';
import { conversationAssertions, toolAssertions } from './tool-assertion.js';

/** Texts of the conversation that a check reads. */
const target = z.enum(['transcript', 'agent', 'caller', 'variable']).default('transcript').meta({
  description:
    'Text to check. transcript: every line, as `agent: …` and `caller: …`; agent, caller: the lines of one side; variable: the value of variable_name. Default transcript.',
});
const variableName = z.string().min(1).max(200);
const nodeId = z.string().min(1).max(200);
const share = z.number().min(0).max(1);

const maximumPatternCharacters = 1_000;

/** What a judge goes by beside its question. */
const guidance = {
  rubric: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .optional()
    .meta({
      description: 'When each verdict is to be given. Default: as the question says.',
      examples: ['true: both times were repeated. false: one was not, or it was wrong.'],
    }),
  examples: z
    .array(
      z.strictObject({
        conversation: z
          .string()
          .trim()
          .min(1)
          .max(5_000)
          .meta({ description: 'What was said, or the part that decides.' }),
        verdict: z.string().trim().min(1).max(100).meta({ description: 'The right verdict on it.' }),
        reasoning: z.string().trim().max(2_000).optional().meta({ description: 'Why. Default: none.' }),
      }),
    )
    .max(10)
    .optional()
    .meta({ description: 'Conversations with the right verdict, at most 10. Default: none.' }),
};

/** What a judging model answers with. */
const judged = {
  output_type: z.enum(['boolean', 'score', 'categorical']).default('boolean').meta({
    description:
      'boolean: true or false; score: 0–1, compared with threshold; categorical: one of categories. Default boolean.',
  }),
  pass_on_true: z
    .boolean()
    .default(true)
    .meta({ description: 'With boolean: whether true passes. Default true.' }),
  threshold: share.default(0.7).meta({ description: 'With score: the lowest that passes. Default 0.7.' }),
  categories: z
    .array(z.string().min(1).max(100))
    .min(2)
    .max(20)
    .optional()
    .meta({ description: 'With categorical: the possible answers, 2–20.' }),
  passing_categories: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'With categorical: the answers that pass; some of categories.' }),
};

interface Judged {
  readonly output_type: 'boolean' | 'score' | 'categorical';
  readonly categories?: readonly string[] | undefined;
  readonly passing_categories?: readonly string[] | undefined;
}

function checkCategories(config: Judged, context: z.RefinementCtx): void {
  if (config.output_type !== 'categorical') return;
  const { categories = [], passing_categories: passing = [] } = config;
  const issue = (path: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [path], message });
  };
  if (categories.length === 0) issue('categories', 'Required when output_type is categorical.');
  if (passing.length === 0) issue('passing_categories', 'Required when output_type is categorical.');
  const unknown = passing.find((name) => !categories.includes(name));
  if (unknown !== undefined) issue('passing_categories', `${unknown} is not one of categories.`);
}

function checkVariable(
  config: { readonly target: string; readonly variable_name?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (config.target === 'variable' && config.variable_name === undefined)
    context.addIssue({
      code: 'custom',
      path: ['variable_name'],
      message: 'Required when target is variable.',
    });
}

/** The configuration of each type of assertion. */
export const assertionConfigs = {
  LLM_JUDGE: z
    .strictObject({
      prompt: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .meta({ description: 'What the judge is asked about the conversation.' }),
      ...guidance,
      ...judged,
    })
    .superRefine(checkCategories),
  SERVICE_TONE: z.strictObject({
    threshold: share
      .default(0.7)
      .meta({ description: 'Lowest overall tone score that passes. Default 0.7.' }),
  }),
  VARIABLE_EXTRACTED: z
    .strictObject({
      variable_name: variableName.meta({ description: 'Variable that must have been extracted.' }),
      expected_value: z
        .union([z.string().max(10_000), z.number(), z.boolean()])
        .optional()
        .meta({ description: 'Value that it must have; absent: any but an empty one.' }),
      match: z.enum(['exact', 'case_insensitive', 'contains', 'regex']).default('case_insensitive').meta({
        description:
          'How the value is compared as text; contains ignores case; regex: expected_value is an RE2 pattern. Default case_insensitive.',
      }),
    })
    .superRefine(({ match, expected_value: value }, context) => {
      if (match !== 'regex') return;
      if (typeof value !== 'string' || value.length > maximumPatternCharacters)
        context.addIssue({
          code: 'custom',
          path: ['expected_value'],
          message: `regex needs a pattern of at most ${maximumPatternCharacters} characters.`,
        });
    }),
  NODE_REACHED: z.strictObject({
    node_id: nodeId.meta({ description: 'Node that the conversation must visit.' }),
  }),
  NODES_VISITED: z.strictObject({
    node_ids: z.array(nodeId).min(1).max(200).meta({ description: 'Nodes of the pathway, at most 200.' }),
    mode: z
      .enum(['all', 'any'])
      .default('all')
      .meta({ description: 'Whether all of them must be visited, or any one. Default all.' }),
  }),
  WEBHOOK_TRIGGERED: z.strictObject({
    url: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .meta({ description: 'Only webhooks whose URL contains this text. Absent: any.' }),
    node_id: nodeId.optional().meta({ description: 'Only webhooks of this node. Absent: any.' }),
    min_count: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .meta({ description: 'Fewest calls of the webhook. Default 1.' }),
    must_succeed: z
      .boolean()
      .default(false)
      .meta({ description: 'True: only calls that got a 2xx answer count. Default false.' }),
  }),
  REGEX_MATCH: z
    .strictObject({
      pattern: z.string().min(1).max(maximumPatternCharacters).meta({
        description:
          'Regular expression in RE2 syntax: no look-around, no back-references; at most 10,000 instructions, which repetition counts multiply.',
      }),
      flags: z
        .string()
        .regex(/^[ims]{0,3}$/, 'Must be made of i, m and s')
        .default('')
        .meta({
          description:
            'i: ignore case; m: ^ and $ match at lines; s: the dot matches line ends. Default none.',
        }),
      target,
      variable_name: variableName.optional().meta({ description: 'Required when target is variable.' }),
      must_match: z
        .boolean()
        .default(true)
        .meta({ description: 'False: passes when nothing matches. Default true.' }),
    })
    .superRefine(checkVariable),
  STRING_CHECK: z
    .strictObject({
      value: z.string().min(1).max(10_000).meta({ description: 'Text to compare with.' }),
      operator: z
        .enum(['equals', 'contains', 'not_contains'])
        .default('contains')
        .meta({ description: 'How the text is compared. Default contains.' }),
      case_sensitive: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether upper and lower case differ. Default false.' }),
      target,
      variable_name: variableName.optional().meta({ description: 'Required when target is variable.' }),
    })
    .superRefine(checkVariable),
  CUSTOM_LLM: z
    .strictObject({
      system_prompt: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .meta({ description: 'System prompt of the evaluating model.' }),
      model: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .meta({ description: 'Model at the judge endpoint. Default: the configured judge.' }),
      temperature: z
        .number()
        .min(0)
        .max(2)
        .default(0)
        .meta({ description: 'Temperature of the model, 0–2. Default 0.' }),
      ...judged,
    })
    .superRefine(checkCategories),
  TRAVERSAL_MATCH: z.strictObject({
    reference_path: z
      .array(nodeId)
      .min(1)
      .max(500)
      .meta({ description: 'Nodes in the expected order, at most 500.' }),
    mode: z.enum(['exact', 'subsequence']).default('exact').meta({
      description:
        'exact: other nodes between them lower the score; subsequence: they do not. Default exact.',
    }),
    threshold: share.default(1).meta({
      description:
        'Lowest score that passes, from the longest common subsequence (LCS) of both paths: exact 2·LCS ÷ (lengths together), subsequence LCS ÷ length of the reference. Default 1.',
    }),
  }),
  VOICE_METRIC: z
    .strictObject({
      metric: z.enum(voiceMetrics).meta({ description: 'What was measured in the call.' }),
      minimum: z.number().optional().meta({ description: 'Lowest value that passes.' }),
      maximum: z.number().optional().meta({ description: 'Highest value that passes.' }),
    })
    .refine(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined, {
      error: 'minimum, maximum or both are required',
    }),
  ...toolAssertions,
  ...conversationAssertions,
} as const;

export type AssertionType = keyof typeof assertionConfigs;
export const assertionTypes = Object.keys(assertionConfigs) as [AssertionType, ...AssertionType[]];
export type AssertionConfig<Type extends AssertionType> = z.output<(typeof assertionConfigs)[Type]>;

const common = {
  name: z
    .string()
    .trim()
    .max(200)
    .nullish()
    .transform((name) => name ?? null)
    .meta({ description: 'Its name in results; null: none.' }),
  is_required: z.boolean().default(true).meta({
    description: 'Whether the run fails when the assertion fails. Default true.',
  }),
  weight: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ description: 'Its weight in the overall score, 0–100. Default 1.' }),
};

const place = {
  id: z
    .uuid()
    .optional()
    .meta({ description: 'Id of the assertion, to keep it in a changed list. Default: a new one.' }),
  order: z
    .int()
    .min(0)
    .max(1_000)
    .optional()
    .meta({ description: 'Its position among the others. Default: that in the list.' }),
};

const typed = <Type extends string, Config extends z.ZodType>(type: Type, config: Config) =>
  z.strictObject({
    type: z.literal(type).meta({ description: 'Type of the assertion.' }),
    config: config.meta({ description: 'What is checked, by type.' }),
    ...common,
    ...place,
  });

/** An assertion as a client writes it. */
export const assertionInput = z.discriminatedUnion('type', [
  typed('LLM_JUDGE', assertionConfigs.LLM_JUDGE),
  typed('SERVICE_TONE', assertionConfigs.SERVICE_TONE),
  typed('VARIABLE_EXTRACTED', assertionConfigs.VARIABLE_EXTRACTED),
  typed('NODE_REACHED', assertionConfigs.NODE_REACHED),
  typed('NODES_VISITED', assertionConfigs.NODES_VISITED),
  typed('WEBHOOK_TRIGGERED', assertionConfigs.WEBHOOK_TRIGGERED),
  typed('REGEX_MATCH', assertionConfigs.REGEX_MATCH),
  typed('STRING_CHECK', assertionConfigs.STRING_CHECK),
  typed('CUSTOM_LLM', assertionConfigs.CUSTOM_LLM),
  typed('TRAVERSAL_MATCH', assertionConfigs.TRAVERSAL_MATCH),
  typed('VOICE_METRIC', assertionConfigs.VOICE_METRIC),
  typed('TOOL_CALLED', assertionConfigs.TOOL_CALLED),
  typed('TOOL_ORDER', assertionConfigs.TOOL_ORDER),
  typed('PHRASES', assertionConfigs.PHRASES),
  typed('LATENCY', assertionConfigs.LATENCY),
  typed('CALL_OUTCOME', assertionConfigs.CALL_OUTCOME),
]);
export type AssertionInput = z.output<typeof assertionInput>;

/** Of one scenario: each may cost a request to a model. */
const maximumAssertions = 50;
export const assertionInputs = z
  .array(assertionInput)
  .max(maximumAssertions)
  .meta({
    description: `What must hold after the conversation, at most ${maximumAssertions}.`,
  });

/** An assertion as it is stored and returned. */
export const assertionSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the assertion, a UUID.' }),
    type: z.enum(assertionTypes).meta({ description: 'Type of the assertion.' }),
    name: z.string().nullable().meta({ description: 'Its name in results; null: none.' }),
    config: z.record(z.string(), z.unknown()).meta({ description: 'What is checked, by type.' }),
    is_required: z.boolean().meta({ description: 'Whether the run fails when the assertion fails.' }),
    weight: z.number().meta({ description: 'Its weight in the overall score, 0–100.' }),
    order: z.int().meta({ description: 'Its position in the scenario, from 0.' }),
  })
  .meta({ id: 'TestAssertion' });

const assertionStatuses = ['PASSED', 'FAILED', 'ERROR'] as const;
export type AssertionStatus = (typeof assertionStatuses)[number];

export const assertionResultSchema = z
  .object({
    assertion_id: z.string().meta({ description: 'Id of the assertion.' }),
    type: z.enum(assertionTypes).meta({ description: 'Type of the assertion.' }),
    name: z.string().nullable().meta({ description: 'Name of the assertion; null: none.' }),
    status: z
      .enum(assertionStatuses)
      .meta({ description: 'ERROR: it could not be evaluated; reasoning says why.' }),
    passed: z.boolean().meta({ description: 'Whether status is PASSED.' }),
    is_required: z.boolean().meta({ description: 'Whether the run fails when the assertion fails.' }),
    weight: z.number().meta({ description: 'Its weight in the overall score.' }),
    score: z.number().nullable().meta({ description: 'Score, 0–1; null: not evaluated.' }),
    reasoning: z.string().meta({ description: 'Why it passed or failed.' }),
    expected: z.string().nullable().meta({ description: 'What was expected; null: see reasoning.' }),
    actual: z.string().nullable().meta({ description: 'What was found; null: see reasoning.' }),
    turns: z.array(z.int()).nullable().meta({
      description: 'Positions in chat_history of the lines that decide it; null: none in particular.',
    }),
    judged_by: z
      .string()
      .nullable()
      .meta({ description: 'Model that judged it; null: evaluated without a model.' }),
  })
  .meta({ id: 'TestAssertionResult' });
export type AssertionResult = z.output<typeof assertionResultSchema>;
