import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt } from '../../database/columns.js';
import type { BreakReason, LoadTestStatus, StepFigures } from '../schemas/load-test.js';
import type { RunChannel } from '../schemas/scenario.js';
import type { PlannedStep } from './plan.js';

/** What a step of a load test showed. */
export interface StepResult extends StepFigures {
  readonly breaks: BreakReason | null;
  readonly attempts: number;
  /** ISO 8601. */
  readonly started_at: string;
  readonly completed_at: string;
}

type Moment = ColumnType<Date | null, undefined, Date | null>;

export interface AgentTestLoadTestsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  /** In the order of the request. */
  scenario_ids: string[];
  /** As ordered; null: the default of each scenario. */
  version_number: number | null;
  /** Null: that of each scenario. */
  channel: RunChannel | null;
  steps: ColumnType<PlannedStep[], string, never>;
  /** Null: the callers of a step are counted. */
  seconds_per_step: number | null;
  /** 0–1. */
  required_success_rate: number;
  maximum_latency_ms: number | null;
  /** 0–1; null: it stops where the agent breaks. */
  stop_below: number | null;
  webhook_url: string | null;
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
  status: ColumnType<LoadTestStatus, undefined, LoadTestStatus>;
  error_message: ColumnType<string | null, undefined, string | null>;
  /** Of the steps that ended, in their order; the next step is the present one. */
  results: ColumnType<StepResult[], undefined, string>;
  /** Of the present step; 0: not begun. */
  step_attempts: Generated<number>;
  step_started_at: Moment;
  /** The process that drives it, until then. */
  lease_owner: ColumnType<string | null, undefined, string | null>;
  lease_until: Moment;
  created_at: CreatedAt;
  completed_at: Moment;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_load_tests: AgentTestLoadTestsTable;
  }
}
