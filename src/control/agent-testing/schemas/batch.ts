import { z } from 'zod';
import { metadataSchema } from '../../http/metadata.js';
import { budgetFields, usedBudgetFields } from './budget.js';
import { usageSumSchema } from './money.js';
import { runOrigins, runStatuses, runSummarySchema, triggerSources, versionNumber } from './run.js';
import { runChannels } from './scenario.js';

const maximumBatchScenarios = 100;

/** Body of POST /v1/agent-testing/batch-run. */
export const batchStart = z.strictObject({
  scenario_ids: z
    .array(z.uuid())
    .min(1)
    .max(maximumBatchScenarios)
    .refine((ids) => new Set(ids).size === ids.length, 'Each scenario once')
    .meta({ description: `Scenarios to run, at most ${maximumBatchScenarios}.` }),
  version_number: versionNumber,
  channel: z
    .enum(runChannels)
    .optional()
    .meta({ description: 'text or voice. Default: that of each scenario.' }),
  request_data_override: metadataSchema
    .optional()
    .meta({ description: 'Replaces single fields of request_data of each scenario.' }),
  webhook_url: z
    .string()
    .max(2_048)
    .optional()
    .meta({
      description: 'Gets the batch when all runs have ended, signed.',
      examples: ['https://example.com/hooks/tests'],
    }),
  ...budgetFields('its runs together'),
  trigger_source: z
    .enum(triggerSources)
    .default('api')
    .meta({ description: 'What starts it: api, dashboard or ci. Default api.' }),
});

export const batchStartedSchema = z.object({
  batch_id: z.string().meta({ description: 'Id of the batch.' }),
  status: z.enum(runStatuses).meta({ description: 'State of the batch.' }),
  runs: z
    .array(z.object({ run_id: z.string().meta({ description: 'Id of the run.' }), scenario_id: z.string() }))
    .meta({ description: 'Its runs.' }),
});

const batchSummary = {
  id: z.string().meta({ description: 'Id of the batch, a UUID.' }),
  status: z.enum(runStatuses).meta({
    description:
      'PASSED: all runs passed. ERROR: a run ended in ERROR. FAILED: a run failed. CANCELLED: a run was cancelled and none failed.',
  }),
  total_scenarios: z.int().meta({ description: 'Number of runs.' }),
  passed_scenarios: z.int().meta({ description: 'Runs that passed.' }),
  failed_scenarios: z.int().meta({ description: 'Runs that ended otherwise.' }),
  trigger_source: z.enum(runOrigins).meta({ description: 'What started it.' }),
  publish_on_pass: z
    .boolean()
    .meta({ description: 'Whether the version becomes live when the batch passes.' }),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
};

export const batchSchema = z
  .object({
    ...batchSummary,
    ...usedBudgetFields,
    usage: usageSumSchema.meta({ description: 'Tokens and cost of the runs that have ended.' }),
    runs: z.array(runSummarySchema).meta({ description: 'Its runs.' }),
  })
  .meta({ id: 'TestBatch' });

/** Scenarios by id and name. */
export const scenarioNames = z
  .array(z.object({ id: z.string().meta({ description: 'Id of the scenario.' }), name: z.string() }))
  .meta({ description: 'Its scenarios, by name.' });

export const listedBatchSchema = z
  .object({ ...batchSummary, scenarios: scenarioNames })
  .meta({ id: 'ListedTestBatch' });
