/** Tokens that the models of agent tests took on one day (UTC). Read as text, because they are bigints. */
export interface AgentTestTokenDaysTable {
  organization_id: string;
  /** `YYYY-MM-DD` */
  day: string;
  tokens: number | string;
}

/** What those tokens cost, as far as the models have prices. */
export interface AgentTestCostDaysTable {
  organization_id: string;
  /** `YYYY-MM-DD` */
  day: string;
  currency: string;
  cost: number | string;
}

/** The limits that an organization sets for itself; null: only the service's limit applies. */
export interface AgentTestBudgetsTable {
  organization_id: string;
  /** ISO 4217, of the limits and prices of the organization; null: the service's. */
  currency: string | null;
  tokens_per_day: number | string | null;
  tokens_per_month: number | string | null;
  tokens_per_run: number | string | null;
  tokens_per_set: number | string | null;
  tokens_per_gate: number | string | null;
  cost_per_day: number | null;
  cost_per_month: number | null;
  cost_per_run: number | null;
  cost_per_set: number | null;
  cost_per_gate: number | null;
}

/** Prices per million tokens, in the currency of the organization. */
export interface AgentTestModelPricesTable {
  organization_id: string;
  model: string;
  prompt: number;
  completion: number;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_token_days: AgentTestTokenDaysTable;
    agent_test_cost_days: AgentTestCostDaysTable;
    agent_test_budgets: AgentTestBudgetsTable;
    agent_test_model_prices: AgentTestModelPricesTable;
  }
}
