import { z } from 'zod';
import { pageLimit } from '../../http/query.js';
import { afterId, versionNumber } from './run.js';

export const tornadoStatuses = [
  'RUNNING',
  'COMPLETED_ALL_PASSED',
  'COMPLETED_PARTIAL',
  'TIMEOUT',
  'STUCK',
  'CANCELLED',
  'ERROR',
] as const;

/** Body of POST /v1/agent-testing/tornado/start. */
export const tornadoStart = z.strictObject({
  pathway_id: z.uuid().meta({ description: 'Pathway to improve.' }),
  persona_id: z.uuid().optional().meta({
    description:
      'Not accepted: scenarios of a persona do not depend on a pathway, so that no fix changes them.',
  }),
  scenario_ids: z
    .array(z.uuid())
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Scenarios that must pass, at most 50. Default: all enabled ones.' }),
  version_number: versionNumber,
  max_iterations: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({ description: 'Most iterations. Default 5, range 1–20.' }),
  runs_per_scenario: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({ description: 'Runs of each scenario in each iteration. Default 5, range 1–20.' }),
  required_pass_rate: z.number().min(0).max(0.8).default(0.5).meta({
    description:
      'A scenario passes when the lower end of the 95 % interval of its pass rate reaches it: with 5 runs and 0.5 all must pass. Default 0.5, range 0–0.8.',
  }),
  timeout_ms: z.int().min(1_000).max(7_200_000).default(900_000).meta({
    description: 'Milliseconds until the session ends in TIMEOUT. Default 900,000, range 1,000–7,200,000.',
  }),
});

const sessionId = z.string().meta({ description: 'Id of the session, a UUID.' });
const status = z.enum(tornadoStatuses).meta({ description: 'State of the session.' });
const pathwayId = z.string().meta({ description: 'Pathway that it improves.' });
const runsPerScenario = z.int().meta({ description: 'Runs of each scenario in each iteration.' });
const requiredPassRate = z
  .number()
  .meta({ description: 'What the lower end of the interval of a scenario’s pass rate must reach.' });
const iterations = z.int().meta({ description: 'Most iterations.' });
const timeout = z.int().meta({ description: 'Milliseconds until the session ends in TIMEOUT.' });

export const tornadoStartedSchema = z.object({
  session_id: sessionId,
  status,
  pathway_id: pathwayId,
  max_iterations: iterations,
  runs_per_scenario: runsPerScenario,
  required_pass_rate: requiredPassRate,
  timeout_ms: timeout,
  created_at: z.iso.datetime(),
});

/** Query of GET /v1/agent-testing/tornado/active. */
export const tornadoActiveQuery = z
  .strictObject({
    pathway_id: z.uuid().optional().meta({ description: 'Pathway that a session improves.' }),
    persona_id: z
      .uuid()
      .optional()
      .meta({ description: 'Persona of the session: sessions improve pathways, so the answer is 404.' }),
  })
  .refine(
    ({ pathway_id: pathway, persona_id: persona }) => (pathway === undefined) !== (persona === undefined),
    {
      error: 'Send pathway_id or persona_id',
    },
  );

const progress = {
  session_id: sessionId,
  status,
  pathway_id: pathwayId,
  persona_id: z.string().nullable().meta({ description: 'Persona of the session; null: none.' }),
  current_iteration: z.int().meta({ description: 'Iteration in progress or the last one, from 1.' }),
  max_iterations: iterations,
  runs_per_scenario: runsPerScenario,
  required_pass_rate: requiredPassRate,
  total_scenarios: z.int().meta({ description: 'Number of scenarios.' }),
  passed_scenarios: z.int().meta({ description: 'Scenarios that passed in the last iteration.' }),
  failed_scenarios: z.int().meta({ description: 'Scenarios that did not.' }),
  created_at: z.iso.datetime(),
};
export const tornadoSessionSchema = z.object(progress).meta({ id: 'TornadoSession' });

/** Query of GET /v1/agent-testing/tornado. */
export const tornadoListQuery = z.strictObject({
  limit: pageLimit(100, 50),
  after: afterId,
  pathway_id: z.uuid().optional().meta({ description: 'Only those of this pathway.' }),
  status: z.enum(tornadoStatuses).optional().meta({ description: 'Only those in this state.' }),
});

export const listedTornadoSchema = z
  .object({
    ...progress,
    forked_version: z.int().nullable().meta({ description: 'Version with the fixes; null: none yet.' }),
    error_message: z.string().nullable().meta({ description: 'Why it ended in ERROR; null: it did not.' }),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ListedTornadoSession' });

const scenarioIds = (description: string) => z.array(z.string()).meta({ description });

export const tornadoIterationSchema = z
  .object({
    iteration: z.int().meta({ description: 'Counts the iterations from 1.' }),
    batch_id: z.string(),
    version_number: z.int().meta({ description: 'Version of the pathway that it ran.' }),
    started_at: z.iso.datetime().meta({ description: 'When it began.' }),
    completed_at: z.iso.datetime().nullable(),
    passed_ids: scenarioIds('Scenarios that passed.'),
    failed_ids: scenarioIds('Scenarios that did not pass.'),
    newly_unfixable_ids: scenarioIds('Scenarios given up in this iteration.'),
    fix_plan: z
      .object({
        fixes: z
          .array(
            z.object({
              id: z.string().meta({ description: 'Id of the fix.' }),
              target_node: z
                .string()
                .nullable()
                .meta({ description: 'Node that it changes; null: the pathway.' }),
              description: z.string().meta({ description: 'What it changes, and why.' }),
              type: z
                .enum(['prompt_edit', 'config_change', 'flow_change'])
                .meta({ description: 'Kind of change.' }),
              path: z.string().meta({ description: 'Field of the document that it changes.' }),
              before: z.unknown().meta({ description: 'Value before the change.' }),
              after: z.unknown().meta({ description: 'Value after the change.' }),
              is_applied: z
                .boolean()
                .meta({ description: 'Whether the fork has it: it was applied, and not undone.' }),
              problem: z
                .string()
                .nullable()
                .meta({ description: 'Why it could not be applied; null: it could.' }),
            }),
          )
          .meta({ description: 'The changes.' }),
        priority_order: z
          .array(z.string())
          .meta({ description: 'Ids of the fixes, the most important first.' }),
      })
      .nullable()
      .meta({ description: 'Changes that the next iteration runs with; null: none.' }),
    analyzer_prompt_excerpt: z
      .string()
      .nullable()
      .meta({ description: 'Beginning of the prompt of the analyzer; null: it was not asked.' }),
  })
  .meta({ id: 'TornadoIteration' });

export const tornadoProgressSchema = z
  .object({
    ...progress,
    unfixable_count: z.int().meta({ description: 'Number of scenarios given up.' }),
    unfixable_ids: scenarioIds('Scenarios that fail by the same cause after several fixes.'),
    iterations: z.array(tornadoIterationSchema).meta({ description: 'The iterations, oldest first.' }),
    elapsed_ms: z.int().meta({ description: 'Milliseconds since the start.' }),
    timeout_ms: timeout,
    forked_version: z.int().nullable().meta({ description: 'Version with the fixes; null: none yet.' }),
    error_message: z.string().nullable().meta({ description: 'Why it ended in ERROR; null: it did not.' }),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'TornadoProgress' });

export const tornadoCancelledSchema = z.object({
  cancelled: z.literal(true).meta({ description: 'Always true: the session is cancelled.' }),
});
