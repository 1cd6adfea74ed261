/** Tokens that the models of agent tests took on one day (UTC). Read as text, because they are bigints. */
export interface AgentTestTokenDaysTable {
  organization_id: string;
  /** `YYYY-MM-DD` */
  day: string;
  tokens: number | string;
}

/** The limit that an organization sets for itself; null: only the service's limit applies. */
export interface AgentTestBudgetsTable {
  organization_id: string;
  tokens_per_day: number | string | null;
  tokens_per_month: number | string | null;
  tokens_per_run: number | string | null;
  tokens_per_set: number | string | null;
  tokens_per_gate: number | string | null;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_token_days: AgentTestTokenDaysTable;
    agent_test_budgets: AgentTestBudgetsTable;
  }
}
