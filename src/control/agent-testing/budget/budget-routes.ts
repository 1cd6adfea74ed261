import type { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { InvalidRequest } from '../../http/validation.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { budgetSchema, budgetUpdate, estimateRequest, estimateSchema } from '../schemas/budget.js';
import { estimate } from './estimate.js';
import { type BudgetState, problemOf, type TokenBudget } from './token-budget.js';

const view = (state: BudgetState): z.output<typeof budgetSchema> => ({
  tokens_per_day: state.own.perDay,
  tokens_per_month: state.own.perMonth,
  tokens_per_run: state.runs.perRun,
  tokens_per_set: state.runs.perSet,
  tokens_per_gate: state.runs.perGate,
  limit_per_day: state.limits.perDay,
  limit_per_month: state.limits.perMonth,
  used_today: state.usedToday,
  used_this_month: state.usedThisMonth,
  day_ends_at: state.dayEnds.toISOString(),
  month_ends_at: state.monthEnds.toISOString(),
  is_used_up: problemOf(state) !== null,
});

/** `/agent-testing/budget`: read, set, estimate. */
export function budgetRoutes(
  server: ApiServer,
  { database }: Pick<ControlDeps, 'database'>,
  { budget }: { readonly budget: TokenBudget },
): void {
  server.get(
    '/agent-testing/budget',
    {
      schema: {
        operationId: 'getTestBudget',
        tags,
        summary: 'Get the token budget of agent tests',
        description:
          'Tokens that the models of agent tests have taken for the organization, and how many they may take.',
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
        tags,
        summary: 'Set the token budget of agent tests',
        description:
          'Once a limit per day or month is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` as the reason. So do those whose own limit, or that of the runs started with them, is reached.',
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
      await budget.limit(organizationId, {
        perDay: body.tokens_per_day,
        perMonth: body.tokens_per_month,
        perRun: body.tokens_per_run,
        perSet: body.tokens_per_set,
        perGate: body.tokens_per_gate,
      });
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
        summary: 'Estimate the tokens of agent tests',
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
