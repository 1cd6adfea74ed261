import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';
import type { CreatedAt } from '../../database/columns.js';
import type { tornadoIterationSchema, tornadoStatuses } from '../schemas/tornado.js';
import type { ScenarioOutcome } from './outcome.js';

export type TornadoStatus = (typeof tornadoStatuses)[number];
export type TornadoFix = NonNullable<z.output<typeof tornadoIterationSchema>['fix_plan']>['fixes'][number];

type Moment = ColumnType<Date | null, undefined, Date | null>;
type NullableJson<Value> = ColumnType<Value | null, string | undefined, string>;

export interface AgentTestTornadoSessionsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  pathway_id: string;
  scenario_ids: string[];
  /** Version that the first iteration runs. */
  base_version: number;
  /** Version with the fixes; null: none yet. */
  forked_version: ColumnType<number | null, undefined, number>;
  status: ColumnType<TornadoStatus, undefined, TornadoStatus>;
  max_iterations: number;
  /** Of each iteration. */
  runs_per_scenario: ColumnType<number, number | undefined, never>;
  /** 0–1. */
  required_pass_rate: ColumnType<number, number | undefined, never>;
  timeout_ms: number;
  unfixable_ids: Generated<string[]>;
  error_message: ColumnType<string | null, undefined, string | null>;
  /** The driver that has it, until then. */
  lease_owner: ColumnType<string | null, undefined, string | null>;
  lease_until: Moment;
  created_at: CreatedAt;
  completed_at: Moment;
}

export interface AgentTestTornadoIterationsTable {
  organization_id: string;
  session_id: string;
  /** From 1. */
  iteration: number;
  batch_id: string;
  version_number: number;
  outcomes: ColumnType<ScenarioOutcome[], undefined, string>;
  passed_ids: Generated<string[]>;
  failed_ids: Generated<string[]>;
  newly_unfixable_ids: Generated<string[]>;
  /** Null: none was planned. */
  fixes: NullableJson<TornadoFix[]>;
  prompt_excerpt: ColumnType<string | null, undefined, string>;
  started_at: CreatedAt;
  /** When its runs had ended. */
  evaluated_at: Moment;
  completed_at: Moment;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_tornado_sessions: AgentTestTornadoSessionsTable;
    agent_test_tornado_iterations: AgentTestTornadoIterationsTable;
  }
}
