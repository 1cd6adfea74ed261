import { z } from 'zod';
import { runChannels } from './scenario.js';

const tokens = z.int().min(1).max(1_000_000_000_000);

/** Of an order of runs. */
export const tokenBudget = (what: string) =>
  tokens.optional().meta({
    description: `Tokens that ${what} may take. Default: the limit of your organization (\`PUT /v1/agent-testing/budget\`); the lower one counts.`,
  });

/** What an order or the organization allowed, and what was used of it. */
export const usedBudgetSchema = z
  .object({
    limit: z.int().meta({ description: 'Tokens that its runs may take together.' }),
    used: z.int().meta({ description: 'Tokens that its runs have taken.' }),
  })
  .nullable()
  .meta({ description: 'Token budget of its runs together; null: none.' });

const own = (what: string) =>
  tokens
    .nullable()
    .default(null)
    .meta({ description: `Tokens that ${what} may take; null (default): no limit.` });

const limit = (period: string) =>
  tokens.nullable().meta({ description: `Tokens per ${period} in UTC; null: no limit of your own.` });

/** Body of PUT /v1/agent-testing/budget. */
export const budgetUpdate = z.strictObject({
  tokens_per_day: limit('day'),
  tokens_per_month: limit('month'),
  tokens_per_run: own('one run'),
  tokens_per_set: own('the runs of a batch or simulation set together'),
  tokens_per_gate: own('the runs of a promotion together'),
});

/** Body of POST /v1/agent-testing/budget/estimate. */
export const estimateRequest = z.strictObject({
  scenario_ids: z.array(z.uuid()).min(1).max(100).meta({ description: 'Scenarios, at most 100.' }),
  runs_per_scenario: z
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .meta({ description: 'Runs of each scenario, 1–1,000. Default 1.' }),
  channel: z
    .enum(runChannels)
    .optional()
    .meta({ description: 'text or voice. Default: that of each scenario.' }),
});

export const estimateSchema = z
  .object({
    total_runs: z.int().meta({ description: 'Number of runs.' }),
    tokens: z
      .int()
      .nullable()
      .meta({ description: 'Tokens of all runs; null: a scenario has not been run by this channel.' }),
    cost_usd: z.number().nullable().meta({ description: 'Cost of all runs in US dollars; null: not known.' }),
    scenarios: z
      .array(
        z.object({
          scenario_id: z.string(),
          tokens_per_run: z.int().nullable().meta({ description: 'Mean tokens of a run; null: none.' }),
          measured_runs: z
            .int()
            .meta({ description: 'Runs that this is the mean of: the latest, at most 20.' }),
        }),
      )
      .meta({ description: 'Each scenario, in the order of the request.' }),
  })
  .meta({ id: 'TestEstimate' });

const effective = (period: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Limit per ${period}: the lower of yours and the service's; null: none.` });

export const budgetSchema = z
  .object({
    ...budgetUpdate.shape,
    limit_per_day: effective('day'),
    limit_per_month: effective('month'),
    used_today: z.int().meta({ description: 'Tokens used since 0:00 UTC.' }),
    used_this_month: z.int().meta({ description: 'Tokens used since the first of the month, UTC.' }),
    day_ends_at: z.iso.datetime().meta({ description: 'When the next day begins.' }),
    month_ends_at: z.iso.datetime().meta({ description: 'When the next month begins.' }),
    is_used_up: z.boolean().meta({ description: 'True: a limit is reached, and no run is started.' }),
  })
  .meta({ id: 'TestTokenBudget' });
