import type { z } from 'zod';
import type { usedBudgetFields } from '../schemas/budget.js';
import { moneyOf } from '../schemas/money.js';

type View = { [Field in keyof typeof usedBudgetFields]: z.output<(typeof usedBudgetFields)[Field]> };

/** The budgets of a batch, set or load test; null: none. */
export function usedBudget({
  token_budget: tokens,
  budget_tokens_used: used,
  cost_budget,
  cost_currency,
  budget_cost_used: cost,
}: {
  readonly token_budget: number | string | null;
  readonly budget_tokens_used: number | string;
  readonly cost_budget: number | null;
  readonly cost_currency: string | null;
  readonly budget_cost_used: number | string;
}): View {
  const money = moneyOf(cost_budget, cost_currency);
  return {
    token_budget: tokens === null ? null : { limit: Number(tokens), used: Number(used) },
    cost_budget: money && { limit: money.amount, used: Number(cost), currency: money.currency },
  };
}
