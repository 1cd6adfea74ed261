import { z } from 'zod';
import { budgetFields, usedBudgetFields } from './budget.js';
import { usageSumSchema } from './money.js';
import { versionNumber } from './run.js';
import { runChannels } from './scenario.js';
import { passRateFields, simulatedScenarios } from './simulation.js';

export const loadTestStatuses = ['RUNNING', 'COMPLETED', 'CANCELLED', 'ERROR'] as const;
export type LoadTestStatus = (typeof loadTestStatuses)[number];

export const maximumSteps = 20;
const maximumConcurrency = 500;
export const maximumCallersPerStep = 500;
export const fewestCallersPerStep = 20;
/** Of one load test: each may cost requests to models. */
export const maximumCallers = 2_000;

const defaultSuccessRate = 0.9;

const atOnce = z.int().min(1).max(maximumConcurrency);

/** Body of POST /v1/agent-testing/load-tests. */
export const loadTestStart = z
  .strictObject({
    scenario_ids: simulatedScenarios.meta({
      description: 'Scenarios that the callers take in turn, at most 50.',
    }),
    concurrency: z
      .array(atOnce)
      .min(1)
      .max(maximumSteps)
      .refine(
        (steps) => steps.every((step, index) => index === 0 || step > steps[index - 1]!),
        'Each step has more callers than the one before',
      )
      .optional()
      .meta({
        description: `Callers at once in each step, ascending, at most ${maximumSteps} steps of 1–${maximumConcurrency}. Omit it with maximum_concurrency.`,
      }),
    maximum_concurrency: atOnce.optional().meta({
      description: 'Callers at once in the last step, in place of concurrency.',
    }),
    concurrency_step: atOnce.optional().meta({
      description:
        'With maximum_concurrency: how many callers each step adds. Default: a fifth of maximum_concurrency.',
    }),
    callers_per_step: z
      .int()
      .min(1)
      .max(maximumCallersPerStep)
      .optional()
      .meta({
        description: `Callers of each step in all, 1–${maximumCallersPerStep}: as soon as one ends, the next one begins. Default: twice its concurrency, at least ${fewestCallersPerStep}.`,
      }),
    seconds_per_step: z
      .int()
      .min(5)
      .max(600)
      .optional()
      .meta({
        description: `Seconds in which callers of a step begin, 5–600, in place of callers_per_step; at most ${maximumCallersPerStep} callers.`,
      }),
    version_number: versionNumber,
    channel: z
      .enum(runChannels)
      .optional()
      .meta({ description: 'text or voice. Default: that of each scenario.' }),
    required_success_rate: z
      .number()
      .min(0.05)
      .max(1)
      .default(defaultSuccessRate)
      .meta({
        description: `The agent breaks at the first step whose success rate is lower with 95 % certainty: the upper end of its Wilson interval is below this. 0.05–1. Default ${defaultSuccessRate}.`,
      }),
    maximum_latency_ms: z.int().min(1).max(600_000).optional().meta({
      description:
        'The agent also breaks at the first step in which the 95th percentile of its latencies is higher. Default: latencies break nothing.',
    }),
    stop_below: z.number().min(0).max(1).optional().meta({
      description:
        'The load test stops after a step with a lower success rate, 0–1; 0 runs all steps. Default: it stops after the step at which the agent breaks.',
    }),
    webhook_url: z
      .string()
      .max(2_048)
      .optional()
      .meta({ description: 'Gets the load test when it has ended, signed.' }),
    ...budgetFields('its callers together'),
  })
  .superRefine((order, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((order.concurrency === undefined) === (order.maximum_concurrency === undefined))
      refuse('concurrency', 'Name either concurrency or maximum_concurrency');
    if (order.concurrency_step !== undefined && order.maximum_concurrency === undefined)
      refuse('concurrency_step', 'concurrency_step needs maximum_concurrency');
    if (order.callers_per_step !== undefined && order.seconds_per_step !== undefined)
      refuse('callers_per_step', 'Name either callers_per_step or seconds_per_step');
  });
export type LoadTestOrder = z.output<typeof loadTestStart>;

const milliseconds = (rank: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${rank}, in milliseconds; null: none was measured.` });

const percentiles = z.object({
  count: z.int().meta({ description: 'How many were measured.' }),
  p50: milliseconds('Median'),
  p95: milliseconds('95th percentile'),
  p99: milliseconds('99th percentile'),
});
export type Percentiles = z.output<typeof percentiles>;

export const breakReasons = ['success_rate', 'latency'] as const;
export type BreakReason = (typeof breakReasons)[number];

/** What is known of the callers of a step. */
export const stepFiguresSchema = z.object({
  callers: z.int().meta({ description: 'Callers that ended, without cancelled ones.' }),
  peak_callers: z.int().meta({ description: 'Most callers that were in a conversation at once.' }),
  passed: passRateFields.passed,
  failed: passRateFields.failed,
  agent_errors: z.int().meta({
    description: 'Callers whom the agent did not answer, refused, or failed. They count as not passed.',
  }),
  limit_refusals: z.int().meta({
    description:
      'Callers whom a limit of Demarc refused before the agent was asked. They do not count, and a step with any is not held.',
  }),
  test_errors: z.int().meta({
    description:
      'Callers who failed for other reasons, such as their own model, the judge or the token budget. They say nothing about the agent and do not count.',
  }),
  success_rate: z
    .number()
    .nullable()
    .meta({ description: 'passed ÷ (passed + failed + agent_errors), 0–1; null: no callers.' }),
  success_rate_interval: passRateFields.pass_rate_interval.meta({
    description: 'Wilson interval of the success rate at 95 %; null: no callers.',
  }),
  answer_ms: percentiles.meta({
    description: 'From the INVITE to the answer of the call; by text there is none.',
  }),
  latency_ms: percentiles.meta({
    description: 'From a line of the caller to the answer of the agent, over all turns.',
  }),
  reasons: z
    .array(
      z.object({
        reason: z.string().meta({ description: 'Failed assertion, or error.' }),
        kind: z.enum(['assertion', 'agent', 'limit', 'test']).meta({
          description:
            'A failed assertion, an error of the agent, a refusal by a limit of Demarc, or an error of the test itself.',
        }),
        sip_status: z.int().nullable().meta({
          description: 'Final SIP response to a call that was refused; null: none.',
        }),
        callers: z.int().meta({ description: 'Callers that it happened to.' }),
      }),
    )
    .meta({ description: 'Why callers did not pass, most frequent first, at most ten.' }),
  is_stand_in: z.boolean().meta({
    description: 'True: the stand-in that answers by rules took part, so that the result says nothing.',
  }),
});
export type StepFigures = z.output<typeof stepFiguresSchema>;
export type StepReason = StepFigures['reasons'][number];

export const loadStepSchema = z
  .object({
    concurrency: z.int().meta({ description: 'Callers at once.' }),
    status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'STOPPED', 'SKIPPED']).meta({
      description:
        'STOPPED: the load test ended during the step. SKIPPED: it ended before. The figures of a RUNNING step are those so far.',
    }),
    planned_callers: z
      .int()
      .meta({ description: 'Callers in all; with seconds_per_step, the most that may begin.' }),
    ...stepFiguresSchema.shape,
    breaks: z.enum(breakReasons).nullable().meta({
      description:
        'success_rate: the upper end of the interval is below required_success_rate. latency: the 95th percentile exceeds maximum_latency_ms. Null: neither, or not completed.',
    }),
    attempts: z.int().meta({
      description: 'Number of times that it was begun; more than 1 after a process was killed.',
    }),
    started_at: z.iso.datetime().nullable().meta({ description: 'When it began; null: not yet.' }),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'LoadTestStep' });

const summary = {
  id: z.string().meta({ description: 'Id of the load test, a UUID.' }),
  status: z.enum(loadTestStatuses).meta({
    description:
      'COMPLETED: all steps ran, or it stopped where the agent broke. ERROR: error_message says why.',
  }),
  scenario_ids: z.array(z.string()).meta({ description: 'Scenarios that the callers take in turn.' }),
  channel: z
    .enum(runChannels)
    .nullable()
    .meta({ description: 'text or voice; null: that of each scenario.' }),
  concurrency: z.array(z.int()).meta({ description: 'Callers at once in each step.' }),
  completed_steps: z.int().meta({ description: 'Steps that ended.' }),
  breaks_at: z.int().nullable().meta({
    description: 'Callers at once of the first step at which the agent breaks; null: not reached so far.',
  }),
  break_reason: z.enum(breakReasons).nullable().meta({ description: 'Why it breaks; null: not reached.' }),
  holds_at: z.int().nullable().meta({
    description:
      'Callers at once of the last step before it, which the agent held without refusals by limits; null: none.',
  }),
  error_message: z.string().nullable().meta({ description: 'Why it ended in ERROR; null: it did not.' }),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
};

export const listedLoadTestSchema = z.object(summary).meta({ id: 'ListedLoadTest' });

export const loadTestSchema = z
  .object({
    ...summary,
    version_number: z.int().nullable().meta({ description: 'Version as ordered; null: the default.' }),
    seconds_per_step: z.int().nullable().meta({ description: 'As ordered; null: by callers.' }),
    required_success_rate: z.number().meta({ description: 'As ordered.' }),
    maximum_latency_ms: z.int().nullable().meta({ description: 'As ordered; null: none.' }),
    stop_below: z.number().nullable().meta({ description: 'As ordered; null: it stops at the break.' }),
    ...usedBudgetFields,
    usage: usageSumSchema.meta({ description: 'Tokens and cost of the runs that have ended.' }),
    steps: z.array(loadStepSchema).meta({ description: 'Each step, in the order of the plan.' }),
  })
  .meta({ id: 'LoadTest' });

export const loadTestStartedSchema = z.object({
  load_test_id: z.string().meta({ description: 'Id of the load test.' }),
  status: z.enum(loadTestStatuses).meta({ description: 'State of the load test.' }),
  concurrency: summary.concurrency,
  created_at: z.iso.datetime(),
});
