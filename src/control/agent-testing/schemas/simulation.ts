import { z } from 'zod';
import { scenarioNames } from './batch.js';
import { budgetFields, usedBudgetFields } from './budget.js';
import { combinationsOf, type Matrix, matrixSchema, variationSchema } from './matrix.js';
import { usageSumSchema } from './money.js';
import { type runStatuses, setTriggers, triggerSources, versionNumber } from './run.js';
import { runChannels } from './scenario.js';

const maximumSimulationScenarios = 50;
const maximumSimulations = 100;
/** Of one set: each run costs requests to models. */
const maximumSimulatedRuns = 1_000;

export const simulatedScenarios = z
  .array(z.uuid())
  .min(1)
  .max(maximumSimulationScenarios)
  .refine((ids) => new Set(ids).size === ids.length, 'Each scenario once')
  .meta({ description: `Scenarios to run, at most ${maximumSimulationScenarios}.` });

export const simulationsPerScenario = z
  .int()
  .min(1)
  .max(maximumSimulations)
  .meta({
    description: `Runs of each scenario, with a matrix of each of its combinations, 1–${maximumSimulations}.`,
  });

/** Whether a set has no more runs than one may have. */
export const hasFewRuns = ({
  scenario_ids: ids,
  simulations_per_scenario: runs,
  matrix,
}: {
  readonly scenario_ids: readonly string[];
  readonly simulations_per_scenario: number;
  readonly matrix?: Matrix | null | undefined;
}): boolean => ids.length * runs * (matrix ? combinationsOf(matrix) : 1) <= maximumSimulatedRuns;

export const tooManyRuns = `At most ${maximumSimulatedRuns} runs together`;

/** Body of POST /v1/agent-testing/simulation-sets. */
export const simulationStart = z
  .strictObject({
    scenario_ids: simulatedScenarios,
    simulations_per_scenario: simulationsPerScenario,
    pathway_id: z.uuid().optional().meta({ description: 'Pathway of all scenarios.' }),
    persona_id: z.uuid().optional().meta({ description: 'Persona of all scenarios.' }),
    version_number: versionNumber,
    channel: z
      .enum(runChannels)
      .optional()
      .meta({ description: 'text or voice. Default: that of each scenario.' }),
    matrix: matrixSchema.optional().meta({
      description: 'Fields of the scenarios that are varied. Default: they run as they are.',
    }),
    webhook_url: z
      .string()
      .max(2_048)
      .optional()
      .meta({ description: 'Gets the set when all runs have ended, signed.' }),
    ...budgetFields('its runs together'),
    trigger_source: z
      .enum(triggerSources)
      .default('api')
      .meta({ description: 'What starts it: api, dashboard or ci. Default api.' }),
  })
  .refine(hasFewRuns, { error: tooManyRuns, path: ['simulations_per_scenario'] });

const simulationStatuses = [
  'PENDING',
  'RUNNING',
  'PASSED',
  'FAILED',
  'ERROR',
  'CANCELLED',
] as const satisfies typeof runStatuses;

export const simulationStartedSchema = z.object({
  simulation_set_id: z.string().meta({ description: 'Id of the set.' }),
  status: z.enum(simulationStatuses).meta({ description: 'State of the set.' }),
  simulations_per_scenario: z.int().meta({ description: 'Runs of each scenario.' }),
  total_scenarios: z.int().meta({ description: 'Number of scenarios.' }),
  created_at: z.iso.datetime(),
});

const share = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}, 0–1; null: no runs.` });

/** How often runs passed, and how sure that is. */
export const passRateFields = {
  passed: z.int().meta({ description: 'Runs that passed.' }),
  failed: z.int().meta({ description: 'Runs that failed.' }),
  errors: z.int().meta({ description: 'Runs that could not be completed or judged.' }),
  pass_rate: share('Share that passed'),
  pass_rate_interval: z
    .object({
      lower: z.number().meta({ description: 'Lower bound.' }),
      upper: z.number().meta({ description: 'Upper bound.' }),
    })
    .nullable()
    .meta({ description: 'Wilson interval of the pass rate at 95 %; null: no runs.' }),
};

const scenarioStatisticsSchema = z
  .object({
    scenario_id: z.string(),
    scenario_name: z.string().meta({ description: 'Name of the scenario.' }),
    total_runs: z.int().meta({ description: 'Runs that ended.' }),
    ...passRateFields,
    is_flaky: z.boolean().meta({ description: 'Whether some runs passed and some did not.' }),
    scores: z
      .object({
        mean: z.number().nullable().meta({ description: 'Mean; null: no scores.' }),
        median: z.number().nullable().meta({ description: 'Median; null: no scores.' }),
        stddev: z
          .number()
          .nullable()
          .meta({ description: 'Standard deviation of the sample; null: fewer than two.' }),
        min: z.number().nullable().meta({ description: 'Lowest; null: no scores.' }),
        max: z.number().nullable().meta({ description: 'Highest; null: no scores.' }),
      })
      .meta({ description: 'Distribution of the overall scores.' }),
    worst_run_id: z.string().nullable().meta({ description: 'Run with the lowest score; null: none.' }),
    common_failure_modes: z
      .array(z.string())
      .meta({ description: 'Most frequent reasons for failures, at most five.' }),
    confidence: z
      .enum(['low', 'medium', 'high'])
      .meta({ description: 'From the width of pass_rate_interval.' }),
  })
  .meta({ id: 'ScenarioStatistics' });

export const variationResultSchema = z
  .object({
    values: variationSchema.meta({ description: 'Values by field.' }),
    ...passRateFields,
  })
  .meta({ id: 'TestVariationResult' });

export const matrixResultSchema = z
  .object({
    fields: z.record(z.string(), z.array(z.unknown())).meta({ description: 'Values by field, as ordered.' }),
    sample: z.int().nullable().meta({ description: 'How many combinations were drawn; null: all are run.' }),
    seed: z.int().meta({ description: 'Seed of the draw, and of noise, losses and delays.' }),
    variations: z
      .array(variationResultSchema)
      .meta({ description: 'Result of each combination over all scenarios, lowest pass rate first.' }),
    by_value: z
      .array(variationResultSchema)
      .meta({ description: 'Result of each value over all combinations, lowest pass rate first.' }),
  })
  .meta({ id: 'TestMatrixResult' });

const setSummary = {
  id: z.string().meta({ description: 'Id of the set, a UUID.' }),
  status: z.enum(simulationStatuses).meta({ description: 'State of the set.' }),
  simulations_per_scenario: z.int().meta({ description: 'Runs of each scenario.' }),
  total_scenarios: z.int().meta({ description: 'Number of scenarios.' }),
  total_runs: z.int().meta({ description: 'Number of runs.' }),
  completed_runs: z.int().meta({ description: 'Runs that ended.' }),
  schedule_id: z.string().nullable().meta({
    description: 'Id of the schedule that started it, which may have been deleted since; null: none did.',
  }),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
};

export const listedSimulationSetSchema = z
  .object({
    ...setSummary,
    passed_runs: z.int().meta({ description: 'Runs that passed.' }),
    trigger_source: z.enum(setTriggers).meta({ description: 'What started it.' }),
    scenarios: scenarioNames,
  })
  .meta({ id: 'ListedSimulationSet' });

export const simulationSetSchema = z
  .object({
    ...setSummary,
    ...usedBudgetFields,
    usage: usageSumSchema.meta({ description: 'Tokens and cost of the runs that have ended.' }),
    matrix: matrixResultSchema.nullable().meta({
      description: 'What was varied, and the result of each variation; null: nothing was.',
    }),
    statistics: z
      .object({
        per_scenario: z
          .record(z.string(), scenarioStatisticsSchema)
          .meta({ description: 'By id of the scenario.' }),
        overall: z
          .object({
            avg_pass_rate: share('Mean of the pass rates'),
            flaky_count: z.int().meta({ description: 'Flaky scenarios.' }),
            reliable_count: z.int().meta({ description: 'Scenarios whose runs all passed.' }),
            total_runs: z.int().meta({ description: 'Runs that ended.' }),
          })
          .meta({ description: 'Over all scenarios.' }),
      })
      .meta({ description: 'Statistics of the runs that ended.' }),
  })
  .meta({ id: 'SimulationSet' });
