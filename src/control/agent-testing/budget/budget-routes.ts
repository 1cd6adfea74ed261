import type { z } from 'zod';
import type { ApiServer } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { InvalidRequest } from '../../http/validation.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { budgetSchema, budgetUpdate } from '../schemas/budget.js';
import { type BudgetState, problemOf, type TokenBudget } from './token-budget.js';

const view = (state: BudgetState): z.output<typeof budgetSchema> => ({
  tokens_per_day: state.own.perDay,
  tokens_per_month: state.own.perMonth,
  limit_per_day: state.limits.perDay,
  limit_per_month: state.limits.perMonth,
  used_today: state.usedToday,
  used_this_month: state.usedThisMonth,
  day_ends_at: state.dayEnds.toISOString(),
  month_ends_at: state.monthEnds.toISOString(),
  is_used_up: problemOf(state) !== null,
});

/** `/agent-testing/budget`: read, set. */
export function budgetRoutes(server: ApiServer, { budget }: { readonly budget: TokenBudget }): void {
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
          'Once a limit is reached, nothing that asks a model is started, and runs in progress end in ERROR, with `TOKEN_BUDGET_USED` as the reason.',
        body: budgetUpdate,
        example: { tokens_per_day: 2_000_000, tokens_per_month: null },
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
      await budget.limit(organizationId, { perDay: body.tokens_per_day, perMonth: body.tokens_per_month });
      return success(view(await budget.read(organizationId)));
    },
  );
}
