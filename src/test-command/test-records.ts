import { z } from 'zod';

/** What the command reads of the API's answers; other fields may come and go. */

export const scenarioPageSchema = z.object({
  data: z.object({
    scenarios: z.array(z.object({ id: z.string(), name: z.string(), enabled: z.boolean() })),
  }),
  next: z.string().nullable(),
});

export const startedSchema = z.object({
  data: z.object({ batch_id: z.string(), runs: z.array(z.object({ run_id: z.string() })) }),
});

export const batchAnswerSchema = z.object({
  data: z.object({
    completed_at: z.string().nullable(),
  }),
});

const runSchema = z.object({
  id: z.string(),
  scenario: z.object({ id: z.string(), name: z.string() }),
  pathway_id: z.string().nullable(),
  persona_id: z.string().nullable(),
  version_number: z.int().nullable(),
  channel: z.enum(['text', 'voice']),
  status: z.enum(['PASSED', 'FAILED', 'ERROR', 'CANCELLED']),
  duration_ms: z.number().nullable(),
  overall_score: z.number().nullable(),
  error_message: z.string().nullable(),
  models: z.object({ is_stand_in: z.boolean() }),
  chat_history: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })),
  assertion_results: z.array(
    z.object({
      type: z.string(),
      name: z.string().nullable(),
      status: z.string(),
      is_required: z.boolean(),
      reasoning: z.string(),
    }),
  ),
});
export const runAnswerSchema = z.object({ data: runSchema });
export type EndedTest = z.output<typeof runSchema>;

const share = z.object({ total: z.int(), covered: z.int(), percent: z.number() });
const coverageSchema = z.object({
  pathway_id: z.string(),
  version_number: z.int(),
  runs: z.int(),
  nodes: share,
  edges: share,
  missing_nodes: z.array(z.object({ id: z.string(), name: z.string() })),
  missing_edges: z.array(
    z.object({
      id: z.string(),
      source: z.string(),
      target: z.string(),
      label: z.string(),
      is_reachable: z.boolean(),
    }),
  ),
});
export const coverageAnswerSchema = z.object({ data: coverageSchema });
export type Coverage = z.output<typeof coverageSchema>;

export const failureSchema = z.object({
  errors: z.array(z.object({ error: z.string(), message: z.string() })).min(1),
});
