import { z } from 'zod';
import { nameOf } from '../../http/one-line.js';
import { isTimeZone } from '../../http/time-zone.js';
import { matrixSchema } from './matrix.js';
import { amountSchema, usageSumSchema } from './money.js';
import { runChannels } from './scenario.js';
import { hasFewRuns, simulatedScenarios, simulationsPerScenario, tooManyRuns } from './simulation.js';

/** Each run costs requests to models. */
const shortestMinutes = 15;
const longestMinutes = 10_080;

export const scheduledVersions = ['live', 'draft'] as const;
export type ScheduledVersion = (typeof scheduledVersions)[number];

export const scheduleStates = ['passing', 'failing'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

export const recurrenceSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('interval').meta({ description: 'At regular intervals' }),
      minutes: z
        .int()
        .min(shortestMinutes)
        .max(longestMinutes)
        .meta({
          description: `Minutes between two starts. Range ${shortestMinutes}–${longestMinutes}.`,
          examples: [60],
        }),
    }),
    z.strictObject({
      type: z.literal('daily').meta({ description: 'Once a day' }),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM, 00:00 to 23:59')
        .meta({
          description:
            'HH:MM in `time_zone`. A time that summer time skips is an hour later; of one that comes twice, the first counts.',
          examples: ['06:30'],
        }),
      time_zone: z
        .string()
        .max(64)
        .refine(isTimeZone, 'Must be an IANA time zone, such as Europe/Berlin')
        .meta({ description: 'IANA time zone of `time`.', examples: ['Europe/Berlin'] }),
    }),
  ])
  .meta({ description: 'When its runs are started.' });
export type Recurrence = z.output<typeof recurrenceSchema>;

export const budgetPeriods = ['day', 'week', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

const scheduleBudgetSchema = z
  .strictObject({
    period: z.enum(budgetPeriods).default('month').meta({
      description: 'Period in UTC, a week from Monday. Default month.',
    }),
    tokens: z.int().min(1).max(1_000_000_000_000).nullable().default(null).meta({
      description: 'Tokens that its runs of a period may take; null (default): no limit.',
    }),
    cost: amountSchema.nullable().default(null).meta({
      description:
        'What its runs of a period may cost, in the currency of your organization; null (default): no limit.',
    }),
  })
  .refine(({ tokens, cost }) => tokens !== null || cost !== null, 'Name tokens, cost, or both')
  .nullable();

const fields = {
  name: nameOf(100).meta({ description: 'Name in the dashboard and in alerts, 1–100 characters.' }),
  scenario_ids: simulatedScenarios,
  simulations_per_scenario: simulationsPerScenario,
  version: z.enum(scheduledVersions).meta({
    description:
      'Version of the pathways or personas that runs test: `live`, or `draft`: the draft if there is one, else the live version. Default live.',
  }),
  channel: z
    .enum(runChannels)
    .nullable()
    .meta({ description: 'text or voice; null: that of each scenario. Default null.' }),
  matrix: matrixSchema.nullable().meta({
    description: 'Fields of the scenarios that are varied; null: they run as they are. Default null.',
  }),
  recurrence: recurrenceSchema,
  required_pass_rate: z.number().gt(0).max(1).meta({
    description:
      'Share of the runs of each scenario that must pass, above 0, at most 1; runs that could not be judged do not count. Default 0.8.',
  }),
  notify_contacts: z.boolean().meta({
    description:
      'Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.',
  }),
  budget: scheduleBudgetSchema.meta({
    description:
      'What all its runs of a period may take. Once it is used up, no runs are started until the period ends, and the schedule is `failing`; runs in progress end in ERROR. Null (default): none.',
  }),
  enabled: z.boolean().meta({ description: 'False: it is paused. Default true.' }),
};

const defaultPassRate = 0.8;
const defaultSimulations = 5;

/** Body of POST /v1/agent-testing/schedules. */
export const scheduleCreation = z
  .strictObject({
    ...fields,
    simulations_per_scenario: fields.simulations_per_scenario.default(defaultSimulations).meta({
      description: `${fields.simulations_per_scenario.description} Default ${defaultSimulations}.`,
    }),
    version: fields.version.default('live'),
    channel: fields.channel.default(null),
    matrix: fields.matrix.default(null),
    required_pass_rate: fields.required_pass_rate.default(defaultPassRate),
    notify_contacts: fields.notify_contacts.default(true),
    budget: fields.budget.default(null),
    enabled: fields.enabled.default(true),
  })
  .refine(hasFewRuns, { error: tooManyRuns, path: ['simulations_per_scenario'] });
export type ScheduleValues = z.output<typeof scheduleCreation>;

/** Body of PATCH /v1/agent-testing/schedules/{id}. */
export const scheduleChange = z.strictObject(fields).partial();
export type ScheduleChange = z.output<typeof scheduleChange>;

export const scheduleSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the schedule, a UUID.' }),
    ...fields,
    scenario_ids: z.array(z.string()).meta({ description: 'Scenarios that it runs.' }),
    simulations_per_scenario: z.int().meta({ description: 'Runs of each scenario.' }),
    usage: z
      .object({
        period: z.enum(budgetPeriods).meta({ description: 'That of the budget; without one, the month.' }),
        ...usageSumSchema.shape,
        period_ends_at: z.iso.datetime().meta({ description: 'When the next period begins.' }),
      })
      .meta({ description: 'What its runs have taken in the present period.' }),
    next_run_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When its next runs are started; null: it is paused.' }),
    last_run_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When its last runs were started; null: not yet.' }),
    last_simulation_set_id: z.string().nullable().meta({
      description: 'Id of the simulation set that was started last; null: none.',
    }),
    state: z.enum(scheduleStates).nullable().meta({
      description:
        '`failing`: a scenario passed less often than required, or could not be run or judged. Null: no runs have ended.',
    }),
    state_since: z.iso.datetime().nullable().meta({ description: 'Since when; null: no state.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it is failing, by scenario; null: it is not failing.' }),
    lowest_pass_rate: z.number().nullable().meta({
      description:
        'Share of runs that passed of the scenario that passed least often in its last runs; null: none was judged.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'TestSchedule' });
