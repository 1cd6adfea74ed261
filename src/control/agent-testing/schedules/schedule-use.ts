import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { periodOf } from '../budget/period.js';
import { problemOfPeriod } from '../budget/test-budget.js';
import type { Limits } from '../conversation/run-budget.js';
import { type Money, moneyOf } from '../schemas/money.js';
import type { BudgetPeriod, ScheduleValues } from '../schemas/schedule.js';
import type { AgentTestSchedulesTable } from './tables.js';

type BudgetRow = Pick<
  Selectable<AgentTestSchedulesTable>,
  'organization_id' | 'id' | 'budget_period' | 'budget_tokens' | 'budget_cost'
>;

/** What the sets of a schedule took in one currency. */
export interface CurrencyUse {
  readonly currency: string;
  readonly tokens: number;
  readonly cost: number;
  /** Whether a request had no price. */
  readonly has_unpriced: boolean;
}

/** What the sets of a schedule have taken in the present period of its budget, or in the month. */
export interface ScheduleUse {
  readonly period: BudgetPeriod;
  readonly ends: Date;
  readonly tokens: number;
  /** Null: not known, or nothing was run. */
  readonly cost: Money | null;
  readonly byCurrency: readonly CurrencyUse[];
}

/** Null: it has none. */
export const budgetOf = ({
  budget_period: period,
  budget_tokens: tokens,
  budget_cost: cost,
}: Pick<BudgetRow, 'budget_period' | 'budget_tokens' | 'budget_cost'>): ScheduleValues['budget'] =>
  period === null ? null : { period, tokens: tokens === null ? null : Number(tokens), cost };

/** By the ids of schedules of one organization. */
export async function readScheduleUse(
  database: Kysely<Database>,
  schedules: readonly BudgetRow[],
  now = new Date(),
): Promise<(schedule: BudgetRow) => ScheduleUse> {
  const periods = new Map(
    schedules.map(({ id, budget_period: period }) => [id, periodOf(period ?? 'month', now)]),
  );
  const { rows } = await sql<CurrencyUse & { id: string }>`
    select schedule.id, coalesce(set.cost_currency, 'USD') as currency,
      sum(set.budget_tokens_used)::float8 as tokens, sum(set.budget_cost_used)::float8 as cost,
      bool_or(set.has_unpriced) as has_unpriced
    from unnest(${[...periods.keys()]}::uuid[], ${[...periods.values()].map(({ begins }) => begins)}::timestamptz[])
      as schedule (id, begins)
    join agent_test_simulation_sets as set on set.organization_id = ${schedules[0]?.organization_id ?? ''}
      and set.schedule_id = schedule.id and set.created_at >= schedule.begins
    group by schedule.id, coalesce(set.cost_currency, 'USD')`.execute(database);
  return ({ id, budget_period: period }) => {
    const byCurrency = rows.filter((row) => row.id === id);
    const [only, ...rest] = byCurrency;
    return {
      period: period ?? 'month',
      ends: periodOf(period ?? 'month', now).ends,
      tokens: byCurrency.reduce((sum, { tokens }) => sum + tokens, 0),
      cost:
        only === undefined || rest.length > 0 || only.has_unpriced ? null : moneyOf(only.cost, only.currency),
      byCurrency,
    };
  };
}

/**
 * What the next set may take. Throws `DemarcError` `TOKEN_BUDGET_USED` or `COST_BUDGET_USED`.
 * @param currency of the organization
 */
export function remainingOf(
  schedule: BudgetRow,
  { period, ends, tokens, byCurrency }: ScheduleUse,
  currency: string,
): { readonly token_budget: number | undefined; readonly cost_budget: number | undefined } {
  const budget = budgetOf(schedule);
  if (budget === null) return { token_budget: undefined, cost_budget: undefined };
  const limits: Limits = { tokens: budget.tokens, cost: moneyOf(budget.cost, currency) };
  const used = { tokens, cost: byCurrency.find((use) => use.currency === currency)?.cost ?? 0 };
  const problem = problemOfPeriod(limits, used, period, ends, 'the budget of the recurring test');
  if (problem !== null) throw problem;
  return {
    token_budget: limits.tokens === null ? undefined : limits.tokens - used.tokens,
    // Without the errors of differences of decimal fractions.
    cost_budget: limits.cost === null ? undefined : Number((limits.cost.amount - used.cost).toPrecision(12)),
  };
}
