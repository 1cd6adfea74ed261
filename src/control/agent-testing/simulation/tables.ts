import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt } from '../../database/columns.js';
import type { Matrix } from '../schemas/matrix.js';
import type { EndedStatus, triggerSources } from '../schemas/run.js';

export interface AgentTestSimulationSetsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  /** In the order of the request. */
  scenario_ids: string[];
  simulations_per_scenario: number;
  /** As ordered; null: the default of each scenario. */
  version_number: number | null;
  trigger_source: (typeof triggerSources)[number];
  webhook_url: string | null;
  /** Null: the scenarios run as they are. */
  matrix: ColumnType<Matrix | null, string | null | undefined, never>;
  /** The schedule that started it, which may be deleted since; null: none. */
  schedule_id: string | null;
  /** Tokens that its runs may take together, read as text; null: no separate limit. */
  token_budget: number | string | null;
  /** Counted where there is a budget. */
  budget_tokens_used: Generated<number | string>;
  /** ISO 4217, of its budget in money; null: stored by an earlier release. */
  cost_currency: string | null;
  /** What its runs may cost together; null: no separate limit. */
  cost_budget: number | null;
  /** As `budget_tokens_used`, of requests with a price; read as text. */
  budget_cost_used: Generated<number | string>;
  /** Whether one of these had no price. */
  has_unpriced: Generated<boolean>;
  /** Null: not all runs have ended. */
  status: ColumnType<EndedStatus | null, undefined, EndedStatus>;
  created_at: CreatedAt;
  completed_at: ColumnType<Date | null, undefined, Date>;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_simulation_sets: AgentTestSimulationSetsTable;
  }
}
