import type { z } from 'zod';
import type { usedBudgetSchema } from '../schemas/budget.js';

/** The budget of a batch or set; null: none. */
export const usedBudget = ({
  token_budget: limit,
  budget_tokens_used: used,
}: {
  readonly token_budget: number | string | null;
  readonly budget_tokens_used: number | string;
}): z.output<typeof usedBudgetSchema> =>
  limit === null ? null : { limit: Number(limit), used: Number(used) };
