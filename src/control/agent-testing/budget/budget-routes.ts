import type { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { InvalidRequest } from '../../http/validation.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { budgetSchema, budgetUpdate, estimateRequest, estimateSchema } from '../schemas/budget.js';
import { estimate } from './estimate.js';
import { type BudgetState, problemOf, type TestBudget } from './test-budget.js';

const view = ({ own, limits, today, thisMonth, ...state }: BudgetState): z.output<typeof budgetSchema> => ({
  tokens_per_day: own.tokens_per_day,
  tokens_per_month: own.tokens_per_month,
  tokens_per_run: own.tokens_per_run,
  tokens_per_set: own.tokens_per_set,
  tokens_per_gate: own.tokens_per_gate,
  cost_per_day: own.cost_per_day,
  cost_per_month: own.cost_per_month,
  cost_per_run: own.cost_per_run,
  cost_per_set: own.cost_per_set,
  cost_per_gate: own.cost_per_gate,
  currency: state.currency,
  limit_per_day: limits.day.tokens,
  limit_per_month: limits.month.tokens,
  used_today: today.tokens,
  used_this_month: thisMonth.tokens,
  cost_today: today.cost,
  cost_this_month: thisMonth.cost,
  day_ends_at: state.dayEnds.toISOString(),
  month_ends_at: state.monthEnds.toISOString(),
  is_used_up: problemOf({ limits, today, thisMonth, ...state }) !== null,
});

/** Throws `DemarcError` `MODEL_PRICE_UNKNOWN` when a model of the service has no price in the currency of the organization. */
export type RequirePrices = (organizationId: string) => Promise<void>;

/** `/agent-testing/budget`: read, set, estimate. */
export function budgetRoutes(
  server: ApiServer,
  { database }: Pick<ControlDeps, 'database'>,
  { budget, requirePrices }: { readonly budget: TestBudget; readonly requirePrices: RequirePrices },
): void {
  server.get(
    '/agent-testing/budget',
    {
      schema: {
        operationId: 'getTestBudget',
        tags,
        summary: 'Get the budget of agent tests',
        description:
          'What the models of agent tests have taken for the organization, in tokens and money, and how much they may take.',
        response: answers(budgetSchema),
      },
    },
    async ({ caller }) => success(view(await budget.read(caller.organizationId))),
  );

  server.put(
    '/agent-testing/budget',
    {
      schema: {
        operationId: 'setTestBudget',
        errors: ['MODEL_PRICE_UNKNOWN'],
        tags,
        summary: 'Set the budget of agent tests',
        description:
          'Once a limit per day or month is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` or `COST_BUDGET_USED` as the reason. So do those whose own limit, or that of the runs started with them, is reached. Limits in money need a price of each model in the currency of the organization (`PUT /v1/agent-testing/prices`).',
        body: budgetUpdate,
        example: { tokens_per_day: 2_000_000, tokens_per_month: null, tokens_per_run: 50_000 },
        response: answers(budgetSchema),
      },
    },
    async ({ body, caller }) => {
      const { organizationId } = caller;
      for (const [field, maximum] of [
        ['tokens_per_day', budget.maximum.perDay],
        ['tokens_per_month', budget.maximum.perMonth],
      ] as const)
        if (maximum !== null && (body[field] ?? 0) > maximum)
          throw InvalidRequest.at(field, `At most ${maximum.toLocaleString('en-US')} in this service.`);
      if (Object.entries(body).some(([field, value]) => field.startsWith('cost_') && value !== null))
        await requirePrices(organizationId);
      await budget.limit(organizationId, body);
      return success(view(await budget.read(organizationId)));
    },
  );

  server.post(
    '/agent-testing/budget/estimate',
    {
      schema: {
        operationId: 'estimateTestTokens',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Estimate the tokens and the cost of agent tests',
        description:
          'Tokens and cost of runs before they are started, by the latest runs of the same scenarios. Starts nothing.',
        body: estimateRequest,
        example: { scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'], runs_per_scenario: 16 },
        response: answers(estimateSchema),
      },
    },
    async ({ body, caller }) => success(await estimate(database, caller.organizationId, body)),
  );
}
