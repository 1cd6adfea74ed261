import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.js';
import { lowest, readRunLimits } from '../budget/test-budget.js';
import type { GroupBudget, OrderedBudget } from './run-order.js';

/** What runs that are started together may take: the lower limits of the order and the organization. @param usual currency of organizations that choose none */
export async function groupBudget(
  database: Kysely<Database>,
  usual: string,
  organizationId: string,
  which: 'set' | 'gate',
  { tokens, cost }: OrderedBudget = {},
): Promise<GroupBudget> {
  const { currency, [which]: limits } = await readRunLimits(database, organizationId, usual);
  return {
    token_budget: lowest(tokens ?? null, limits.tokens),
    cost_budget: lowest(cost ?? null, limits.cost?.amount ?? null),
    cost_currency: currency,
  };
}
