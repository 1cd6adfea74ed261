import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../../database/columns.js';
import type { Matrix } from '../schemas/matrix.js';
import type { RunChannel } from '../schemas/scenario.js';
import type { BudgetPeriod, Recurrence, ScheduledVersion, ScheduleState } from '../schemas/schedule.js';

export interface AgentTestSchedulesTable {
  organization_id: string;
  /** UUID. */
  id: string;
  name: string;
  /** In the order of the request. */
  scenario_ids: string[];
  simulations_per_scenario: number;
  version: ScheduledVersion;
  /** Null: that of each scenario. */
  channel: RunChannel | null;
  /** Null: the scenarios run as they are. */
  matrix: ColumnType<Matrix | null, string | null, string | null>;
  recurrence: Json<Recurrence>;
  /** 0–1. */
  required_pass_rate: number;
  notify_contacts: boolean;
  enabled: boolean;
  /** Null: it has no separate budget. */
  budget_period: BudgetPeriod | null;
  /** Of each period, read as text; null: no limit. */
  budget_tokens: number | string | null;
  /** In the currency of the organization; null: no limit. */
  budget_cost: number | null;
  /** Null: paused. */
  next_run_at: Date | null;
  last_run_at: Generated<Date | null>;
  last_set_id: Generated<string | null>;
  /** Null: no set of it has been judged. */
  state: Generated<ScheduleState | null>;
  state_since: Generated<Date | null>;
  /** Why it fails; null: it does not. */
  problem: Generated<string | null>;
  /** 0–1, of the scenario that passed least often in the last set that was judged; null: no run of it was judged. */
  lowest_pass_rate: Generated<number | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_schedules: AgentTestSchedulesTable;
  }
}
