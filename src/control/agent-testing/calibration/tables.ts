import type { Json, UpdatedAt } from '../../database/columns.js';
import type { AssertionResult, AssertionStatus } from '../schemas/assertion.js';

/** What a person says of an assertion of a run. */
export interface AgentTestLabelsTable {
  organization_id: string;
  run_id: string;
  assertion_id: string;
  passed: boolean;
  note: string | null;
  /** Name of the key or person. */
  labelled_by: string;
  labelled_at: UpdatedAt;
}

/** The last judgement of a run that was judged again. */
export interface AgentTestJudgementsTable {
  organization_id: string;
  run_id: string;
  status: AssertionStatus;
  /** 0–1. */
  overall_score: number | null;
  reasoning: string;
  results: Json<AssertionResult[]>;
  judge_model: string | null;
  is_stand_in: boolean;
  model_requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** In `cost_currency`; null: not every model has a price. */
  cost: number | null;
  /** ISO 4217; null: US dollars. */
  cost_currency: string | null;
  judged_at: UpdatedAt;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_labels: AgentTestLabelsTable;
    agent_test_judgements: AgentTestJudgementsTable;
  }
}
