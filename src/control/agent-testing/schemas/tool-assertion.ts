import { z } from 'zod';
import { largestMaximumTurns } from './limits.js';

const nodeId = z.string().min(1).max(200);
const phrase = z
  .string()
  .trim()
  .max(500)
  .regex(/[\p{L}\p{N}]/u, 'Must have a letter or a digit');

export const argumentOperators = ['equals', 'contains', 'matches', 'present', 'absent'] as const;

/** Operators that compare with a value. */
const comparing: ReadonlySet<(typeof argumentOperators)[number]> = new Set(['equals', 'contains', 'matches']);

const argumentSchema = z
  .strictObject({
    path: z
      .string()
      .max(200)
      .default('')
      .meta({
        description:
          'Where the value is in the arguments: names and positions with dots. Default: all arguments.',
        examples: ['slots.0.time'],
      }),
    operator: z.enum(argumentOperators).default('equals').meta({
      description:
        'equals: the same JSON; contains: a text with this part, ignoring case, a list with this element, or an object with these fields; matches: text that matches the RE2 pattern; present, absent: whether there is a value. Default equals.',
    }),
    value: z.unknown().optional().meta({ description: 'JSON to compare with; not with present and absent.' }),
  })
  .superRefine(({ operator, value }, context) => {
    const issue = (message: string): void => {
      context.addIssue({ code: 'custom', path: ['value'], message });
    };
    if (!comparing.has(operator)) {
      if (value !== undefined) issue(`Not with ${operator}.`);
    } else if (value === undefined) issue(`Required with ${operator}.`);
    else if (JSON.stringify(value).length > 10_000) issue('At most 10,000 characters of JSON.');
    else if (operator === 'matches' && (typeof value !== 'string' || value === '' || value.length > 1_000))
      issue('matches needs a pattern of at most 1000 characters.');
  })
  .meta({ id: 'TestArgument' });
export type ArgumentCheck = z.output<typeof argumentSchema>;

/** Assertions on what the agent did: calls of tools, which are the webhooks of a pathway, and tools of an agent. */
export const toolAssertions = {
  TOOL_CALLED: z
    .strictObject({
      node_id: nodeId.optional().meta({
        description:
          'Only calls of this webhook node, or of the tool of this name that an agent asks for or reports. Absent: any.',
      }),
      url: z
        .string()
        .min(1)
        .max(2_048)
        .optional()
        .meta({ description: 'Only calls whose URL contains this text. Absent: any.' }),
      arguments: z.array(argumentSchema).max(50).default([]).meta({
        description:
          'What must hold for the arguments of a call so that it counts, at most 50. Default: nothing.',
      }),
      from_turn: z.int().min(0).max(largestMaximumTurns).optional().meta({
        description: 'Only calls after this turn of the caller; 0: also before its first. Default 0.',
      }),
      to_turn: z.int().min(0).max(largestMaximumTurns).optional().meta({
        description: 'Only calls until the answer to this turn of the caller. Default: to the end.',
      }),
      must_succeed: z
        .boolean()
        .default(false)
        .meta({ description: 'True: only calls that got a 2xx answer count. Default false.' }),
      min_count: z
        .int()
        .min(0)
        .max(100)
        .default(1)
        .meta({ description: 'Fewest calls that count. Default 1.' }),
      max_count: z
        .int()
        .min(0)
        .max(100)
        .optional()
        .meta({ description: 'Most calls that count; 0 with min_count 0: none may. Default: no limit.' }),
    })
    .refine(({ min_count: least, max_count: most = 100 }) => least <= most, {
      path: ['max_count'],
      error: 'Must not be less than min_count.',
    }),
  TOOL_ORDER: z.strictObject({
    node_ids: z.array(nodeId).min(1).max(100).meta({
      description:
        'Webhook nodes, or names of tools that an agent asks for or reports, in the order of their calls, at most 100.',
    }),
    mode: z.enum(['subsequence', 'exact']).default('subsequence').meta({
      description:
        'subsequence: other calls may come between them; exact: these calls and no others. Default subsequence.',
    }),
  }),
} as const;

/** Assertions on what was said, how soon, and how it ended. */
export const conversationAssertions = {
  PHRASES: z
    .strictObject({
      required: z.array(phrase).max(50).default([]).meta({
        description: 'Phrases that must be said, at most 50. Case, punctuation and spaces do not matter.',
      }),
      forbidden: z
        .array(phrase)
        .max(50)
        .default([])
        .meta({ description: 'Phrases that must not be said, at most 50.' }),
      target: z
        .enum(['agent', 'caller', 'transcript'])
        .default('agent')
        .meta({ description: 'Whose lines are read; transcript: both. Default agent.' }),
    })
    .refine(({ required, forbidden }) => required.length + forbidden.length > 0, {
      error: 'required, forbidden or both are required',
    }),
  LATENCY: z.strictObject({
    percentile: z
      .number()
      .min(1)
      .max(100)
      .default(95)
      .meta({ description: 'Percentile of the latencies, 1–100; 100: the highest. Default 95.' }),
    maximum_ms: z
      .int()
      .min(1)
      .max(600_000)
      .meta({ description: 'Highest value of it that passes, in milliseconds.' }),
  }),
  CALL_OUTCOME: z
    .strictObject({
      ended_by: z
        .enum(['any', 'agent', 'caller', 'test'])
        .default('any')
        .meta({ description: 'Who must end the conversation, as in `ending` of a run. Default any.' }),
      transfer: z.enum(['any', 'required', 'none']).default('any').meta({
        description: 'Whether the agent must transfer the caller, or must not. Default any.',
      }),
      transfer_to: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .optional()
        .meta({
          description: 'Number or SIP URI that the caller must be transferred to. Default: any.',
          examples: ['+14155550100'],
        }),
    })
    .superRefine(({ ended_by: side, transfer, transfer_to: target }, context) => {
      if (side === 'any' && transfer === 'any' && target === undefined)
        context.addIssue({ code: 'custom', message: 'ended_by, transfer or transfer_to is required' });
      if (transfer === 'none' && target !== undefined)
        context.addIssue({ code: 'custom', path: ['transfer_to'], message: 'Not when transfer is none.' });
    }),
} as const;
