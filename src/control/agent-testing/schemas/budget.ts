import { z } from 'zod';
import { amountSchema, currencySchema, moneySchema } from './money.js';
import { runChannels } from './scenario.js';

const tokens = z.int().min(1).max(1_000_000_000_000);

/** Fields of an order of runs. */
export const budgetFields = (what: string) => ({
  token_budget: tokens.optional().meta({
    description: `Tokens that ${what} may take. Default: the limit of your organization (\`PUT /v1/agent-testing/budget\`); the lower one counts.`,
  }),
  cost_budget: amountSchema.optional().meta({
    description: `What ${what} may cost, in the currency of your organization (\`GET /v1/agent-testing/prices\`). Each model needs a price in it. Default: the limit of your organization; the lower one counts.`,
  }),
});

/** What an order or the organization allowed, and what was used of it. */
export const usedBudgetFields = {
  token_budget: z
    .object({
      limit: z.int().meta({ description: 'Tokens that its runs may take together.' }),
      used: z.int().meta({ description: 'Tokens that its runs have taken.' }),
    })
    .nullable()
    .meta({ description: 'Token budget of its runs together; null: none.' }),
  cost_budget: z
    .object({
      limit: z.number().meta({ description: 'What its runs may cost together.' }),
      used: z.number().meta({ description: 'What its runs have cost.' }),
      currency: currencySchema,
    })
    .nullable()
    .meta({ description: 'Budget in money of its runs together; null: none.' }),
};

const own = (what: string) =>
  tokens
    .nullable()
    .default(null)
    .meta({ description: `Tokens that ${what} may take; null (default): no limit.` });

const ownCost = (what: string) =>
  amountSchema
    .nullable()
    .default(null)
    .meta({ description: `What ${what} may cost, in \`currency\`; null (default): no limit.` });

const limit = (period: string) =>
  tokens.nullable().meta({ description: `Tokens per ${period} in UTC; null: no limit of your own.` });

const aRun = 'one run';
const aSet = 'the runs of a batch or simulation set together';
const aGate = 'the runs of a promotion together';

/** Body of PUT /v1/agent-testing/budget. */
export const budgetUpdate = z.strictObject({
  tokens_per_day: limit('day'),
  tokens_per_month: limit('month'),
  tokens_per_run: own(aRun),
  tokens_per_set: own(aSet),
  tokens_per_gate: own(aGate),
  cost_per_day: ownCost('all tests of a day (UTC)'),
  cost_per_month: ownCost('all tests of a month (UTC)'),
  cost_per_run: ownCost(aRun),
  cost_per_set: ownCost(aSet),
  cost_per_gate: ownCost(aGate),
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
    cost: moneySchema.nullable().meta({
      description: 'Cost of all runs; null: the cost of an earlier run is not known, or there is none.',
    }),
    cost_usd: z
      .number()
      .nullable()
      .meta({ description: 'The cost in US dollars; null: not known, or in another currency.' }),
    scenarios: z
      .array(
        z.object({
          scenario_id: z.string(),
          tokens_per_run: z.int().nullable().meta({ description: 'Mean tokens of a run; null: none.' }),
          cost_per_run: moneySchema.nullable().meta({ description: 'Mean cost of a run; null: not known.' }),
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
    currency: currencySchema.meta({ description: 'Currency of all amounts.' }),
    limit_per_day: effective('day'),
    limit_per_month: effective('month'),
    used_today: z.int().meta({ description: 'Tokens used since 0:00 UTC.' }),
    used_this_month: z.int().meta({ description: 'Tokens used since the first of the month, UTC.' }),
    cost_today: z.number().meta({
      description: 'Cost since 0:00 UTC of the requests to models that have a price in the currency.',
    }),
    cost_this_month: z.number().meta({ description: 'The same since the first of the month, UTC.' }),
    day_ends_at: z.iso.datetime().meta({ description: 'When the next day begins.' }),
    month_ends_at: z.iso.datetime().meta({ description: 'When the next month begins.' }),
    is_used_up: z.boolean().meta({ description: 'True: a limit is reached, and no run is started.' }),
  })
  .meta({ id: 'TestTokenBudget' });

const price = (what: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .meta({ description: `Price of one million tokens ${what}.` });

const prices = { prompt_price: price('sent to it'), completion_price: price('received from it') };

/** Prices per organization; each name is one model of the service or of an agent under test. */
const maximumPrices = 100;

const modelPriceSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(200)
      .meta({
        description: 'Name of the model, as its endpoint is asked for it.',
        examples: ['gpt-4o-mini'],
      }),
    ...prices,
  })
  .meta({ id: 'TestModelPrice' });

/** Body of PUT /v1/agent-testing/prices. */
export const pricesUpdate = z.strictObject({
  currency: currencySchema.meta({
    description:
      'Currency of ISO 4217 of these prices and of all budgets in money. The service’s prices count where it is theirs.',
  }),
  models: z
    .array(modelPriceSchema)
    .max(maximumPrices)
    .refine((models) => new Set(models.map(({ model }) => model)).size === models.length, 'Each model once')
    .meta({
      description: `Prices by model, at most ${maximumPrices}: those of the service, and of agents at their own URL.`,
    }),
});

export const pricesSchema = z
  .object({
    ...pricesUpdate.shape,
    service_models: z
      .array(
        z.object({
          model: z.string().meta({ description: 'Name of the model.' }),
          use: z.enum(['conversation', 'judge']).meta({ description: 'What tests ask it for.' }),
          prompt_price: prices.prompt_price
            .nullable()
            .meta({ description: 'Price of one million tokens sent to it; null: not known.' }),
          completion_price: prices.completion_price
            .nullable()
            .meta({ description: 'Price of one million tokens received from it; null: not known.' }),
        }),
      )
      .meta({
        description:
          'Models of the service with their prices per million tokens in the currency, yours before the service’s; null: not known.',
      }),
  })
  .meta({ id: 'TestPrices' });
