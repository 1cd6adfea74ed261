import { z } from 'zod';
import { agentReferenceSchema } from '../../contract/commands.js';
import { maximumKnowledgeBases } from '../../contract/number.js';

/**
 * What a conversation follows, from `start_node_id` on. At a `default` node the agent says its text, or what a language model makes of
 * its prompt; from the caller's answer come the variables of `extract`. While `condition` is not met, the conversation stays at the
 * node. Then it takes the first outgoing edge whose `when` holds; if there is none, the model chooses among the edges without `when`
 * by label and condition. A `webhook` node calls its webhook as soon as it is reached and continues at once. `transfer` and `end`
 * nodes end the conversation.
 */

const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, - or _')
  .meta({ examples: ['greeting'] });

/** A name that `{{name}}` stands for in texts. */
const variableNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Must be 1 to 64 letters, digits or _, and not begin with a digit')
  .meta({ examples: ['appointment_date'] });

const text = (maximum: number) => z.string().min(1).max(maximum);
const prompt = text(20_000);

const variableType = z
  .enum(['string', 'number', 'boolean'])
  .default('string')
  .meta({ description: 'Type of its value. Default `string`.' });

const spoken = {
  prompt: prompt.optional().meta({
    description: 'Instructions from which the model makes what the agent says; `{{name}}` is a variable.',
  }),
  text: text(5_000)
    .optional()
    .meta({ description: 'What the agent says, word for word, in place of a prompt.' }),
};
const coordinate = z.int().min(-100_000).max(100_000);

const position = z
  .strictObject({
    x: coordinate.meta({ description: 'Pixels to the right, −100000 to 100000.' }),
    y: coordinate.meta({ description: 'Pixels down, −100000 to 100000.' }),
  })
  .optional()
  .meta({
    description:
      'Where the dashboard draws the upper left corner of the node; conversations do not depend on it. Omitted: placed automatically.',
  });

const identity = {
  id: id.meta({ description: 'Id of the node, unique in the document.' }),
  name: text(200).meta({ description: 'Name of the node.' }),
  position,
};

const extraction = z.strictObject({
  name: variableNameSchema.meta({ description: 'Name of the variable.' }),
  type: variableType,
  description: text(1_000).meta({ description: 'What the model looks for in the conversation.' }),
});

const webhookSchema = z.strictObject({
  url: text(2_000).meta({
    description: 'HTTP or HTTPS address; `{{name}}` is a variable, escaped.',
    examples: ['https://example.com/appointments'],
  }),
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH'])
    .default('POST')
    .meta({ description: 'HTTP method. Default `POST`.' }),
  body: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .meta({ description: 'JSON body, not with GET; `{{name}}` within its strings is a variable.' }),
  timeout_ms: z
    .int()
    .min(100)
    .max(30_000)
    .default(5_000)
    .meta({ description: 'Milliseconds until the call is given up. Default 5000, range 100–30000.' }),
  response_variables: z
    .array(
      z.strictObject({
        name: variableNameSchema.meta({ description: 'Name of the variable.' }),
        path: text(200).meta({
          description: 'Where its value is in the JSON response: names and positions with dots.',
          examples: ['slots.0.time'],
        }),
      }),
    )
    .max(50)
    .default([])
    .meta({
      description:
        'Variables that the response sets; values of more than 10000 characters of JSON set none. `webhook_status` is always set: the HTTP status, 0 without a response.',
    }),
});

const defaultNode = z.strictObject({
  ...identity,
  type: z.literal('default').meta({ description: 'Says something and listens.' }),
  ...spoken,
  condition: text(2_000).optional().meta({
    description: 'What must be true before the conversation leaves the node. Omitted: one answer is enough.',
  }),
  extract: z
    .array(extraction)
    .max(50)
    .default([])
    .meta({ description: 'Variables that the model reads from the conversation.' }),
  kb_ids: z
    .array(agentReferenceSchema)
    .max(maximumKnowledgeBases)
    .default([])
    .meta({
      description: `Knowledge bases that the agent may search at this node, UUIDs; at most ${maximumKnowledgeBases}.`,
    }),
});

const webhookNode = z.strictObject({
  ...identity,
  type: z.literal('webhook').meta({ description: 'Calls a webhook and continues at once.' }),
  webhook: webhookSchema.meta({ description: 'The request.' }),
});

const transferNode = z.strictObject({
  ...identity,
  type: z.literal('transfer').meta({ description: 'Transfers the call.' }),
  ...spoken,
  transfer_to: text(200).meta({
    description: 'E.164 number or SIP URI; `{{name}}` is a variable.',
    examples: ['+14155550100'],
  }),
});

const endNode = z.strictObject({
  ...identity,
  type: z.literal('end').meta({ description: 'Ends the call.' }),
  ...spoken,
});

const nodeSchema = z
  .discriminatedUnion('type', [defaultNode, webhookNode, transferNode, endNode])
  .meta({ id: 'PathwayNode' });

const comparisonSchema = z.strictObject({
  variable: variableNameSchema.meta({ description: 'Name of the variable.' }),
  operator: z
    .enum(['equals', 'not_equals', 'contains', 'greater_than', 'less_than', 'is_set', 'is_not_set'])
    .meta({ description: 'How it is compared. Text is compared without case.' }),
  value: z
    .union([z.string().max(1_000), z.number(), z.boolean()])
    .optional()
    .meta({ description: 'Operand; omit for is_set and is_not_set.' }),
});

const edgeSchema = z
  .strictObject({
    id: id.meta({ description: 'Id of the edge, unique in the document.' }),
    source: id.meta({ description: 'Id of the node that it leaves.' }),
    target: id.meta({ description: 'Id of the node that it leads to.' }),
    label: text(200).meta({
      description: 'When to take it, in a few words.',
      examples: ['Wants an appointment'],
    }),
    condition: text(2_000).optional().meta({ description: 'When to take it, in detail, for the model.' }),
    when: z
      .array(comparisonSchema)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'Comparisons of variables which must all hold; the model is not asked.' }),
  })
  .meta({ id: 'PathwayEdge' });

const settings = z.strictObject({
  global_prompt: prompt
    .nullable()
    .default(null)
    .meta({ description: 'Instructions for every node; null: none.' }),
  variables: z
    .array(
      z.strictObject({
        name: variableNameSchema.meta({ description: 'Name of the variable.' }),
        type: variableType,
        description: text(1_000).optional().meta({ description: 'Meaning of the variable.' }),
        value: z
          .union([z.string().max(1_000), z.number(), z.boolean()])
          .optional()
          .meta({ description: 'Its value if `request_data` has none.' }),
      }),
    )
    .max(100)
    .default([])
    .meta({ description: 'Variables that a conversation begins with, from `request_data`.' }),
});

const maximumNodes = 500;
export const maximumEdges = 2_000;
/** Of a document's JSON. */
export const maximumDocumentOctets = 1_000_000;

export const pathwayDocumentSchema = z
  .strictObject({
    start_node_id: id.meta({ description: 'Id of the node that a conversation begins at.' }),
    nodes: z
      .array(nodeSchema)
      .min(1)
      .max(maximumNodes)
      .meta({ description: `The nodes, 1–${maximumNodes}.` }),
    edges: z
      .array(edgeSchema)
      .max(maximumEdges)
      .default([])
      .meta({ description: `The edges, at most ${maximumEdges}, in the order in which they are tried.` }),
    settings: settings
      .default({ global_prompt: null, variables: [] })
      .meta({ description: 'Settings that apply to all nodes.' }),
  })
  .meta({ id: 'PathwayDocument' });

export type PathwayDocument = z.output<typeof pathwayDocumentSchema>;
export type PathwayNode = PathwayDocument['nodes'][number];
export type PathwayEdge = PathwayDocument['edges'][number];
export type PathwayNodeOf<Type extends PathwayNode['type']> = Extract<PathwayNode, { type: Type }>;
export type Comparison = z.output<typeof comparisonSchema>;

/** The document without the positions of its nodes, as models read it. */
export function withoutLayout(document: PathwayDocument): PathwayDocument {
  return { ...document, nodes: document.nodes.map(({ position: _, ...node }) => node) };
}

/** Nodes at which the conversation ends. */
export const isFinal = ({ type }: Pick<PathwayNode, 'type'>): boolean =>
  type === 'transfer' || type === 'end';
