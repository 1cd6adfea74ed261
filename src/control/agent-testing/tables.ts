import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';
import type { AssertionResult, AssertionStatus, AssertionType } from './schemas/assertion.js';
import type { Variation } from './schemas/matrix.js';
import type {
  RunEnding,
  RunOrigin,
  RunStatus,
  ServiceToneScore,
  TriggeredWebhook,
  TurnDetail,
} from './schemas/run.js';
import type { Category, ChatLine, RunChannel, ScenarioType, WebhookMock } from './schemas/scenario.js';
import type { VoiceMeasurements, VoiceSettings } from './schemas/voice.js';

type NullableJson<Value> = ColumnType<Value | null, string | null | undefined, string | null>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface AgentTestScenariosTable {
  organization_id: string;
  /** UUID. */
  id: string;
  /** One of the three targets. */
  pathway_id: string | null;
  persona_id: string | null;
  /** An agent at its own address; its key is `agent_key`. */
  agent: NullableJson<{
    readonly url: string | null;
    readonly model: string;
    readonly sip_uri: string | null;
  }>;
  /** Sealed (`contract/secret.ts`); null: none. */
  agent_key: string | null;
  name: string;
  description: string | null;
  category: Category;
  scenario_type: ScenarioType;
  channel: RunChannel;
  tester_persona_prompt: string;
  tester_persona_name: string | null;
  /** Null: by the target. */
  first_speaker: 'agent' | 'caller' | null;
  max_turns: number;
  request_data: Json<Record<string, unknown>>;
  start_node_id: string | null;
  service_tone_enabled: boolean;
  is_required_for_promotion: boolean;
  promotion_runs: number;
  /** 0–1. */
  required_pass_rate: number;
  enabled: boolean;
  input_messages: Json<ChatLine[]>;
  advanced_instructions: string | null;
  webhook_mocks: Json<WebhookMock[]>;
  voice: NullableJson<VoiceSettings>;
  metadata: Json<Record<string, unknown>>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  /** Runs of a deleted scenario stay. */
  deleted_at: NullableMoment;
}

export interface AgentTestAssertionsTable {
  organization_id: string;
  scenario_id: string;
  /** UUID. */
  id: string;
  /** From 0. */
  position: number;
  type: AssertionType;
  name: string | null;
  config: Json<Record<string, unknown>>;
  is_required: boolean;
  weight: number;
}

/** What runs ran: the scenario with its assertions at the time, once for all runs that share it. */
export interface AgentTestDefinitionsTable {
  organization_id: string;
  /** SHA-256 of the definition. */
  digest: Buffer;
  definition: Json<Record<string, unknown>>;
}

export interface AgentTestBatchesTable {
  organization_id: string;
  /** UUID. */
  id: string;
  origin: RunOrigin;
  /** Null: not all runs have ended. */
  status: 'PASSED' | 'FAILED' | 'ERROR' | 'CANCELLED' | null;
  total_runs: number;
  publish_on_pass: Generated<boolean>;
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
  created_at: CreatedAt;
  completed_at: NullableMoment;
}

/** One run. What only its own page shows is in `agent_test_conversations`. */
export interface AgentTestRunsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  scenario_id: string;
  pathway_id: string | null;
  persona_id: string | null;
  /** Of the pathway or persona; null: an agent at its own address. */
  version_number: number | null;
  definition_digest: Buffer;
  channel: RunChannel;
  origin: RunOrigin;
  batch_id: string | null;
  simulation_set_id: string | null;
  tornado_session_id: string | null;
  /** The real call that it judges; null: it holds a conversation. */
  call_id: string | null;
  /** The monitor that started it, which may be deleted since; null: none. */
  monitor_id: string | null;
  /** The load test whose caller it is; null: none. */
  load_test_id: string | null;
  /** From 0; null also for a caller of a step that was interrupted and repeated. */
  load_step: number | null;
  /** From the INVITE to the answer; null: a run by text, or not answered. */
  answer_ms: number | null;
  /** Of a call that the agent's side or a limit of Demarc refused. */
  sip_status: number | null;
  /** What caused an ERROR: the agent, or a limit of Demarc; null: the test itself, or no ERROR. */
  failed_by: 'agent' | 'limit' | null;
  status: RunStatus;
  turn_count: Generated<number>;
  duration_ms: number | null;
  /** 0–1. */
  overall_score: number | null;
  tone_score: number | null;
  /** What its set varied of the scenario; null: nothing. */
  variation: NullableJson<Variation>;
  /** In the order of the visits. */
  nodes_visited: ColumnType<string[], string[] | undefined, string[]>;
  current_node_id: string | null;
  error_message: string | null;
  agent_model: string | null;
  tester_model: string | null;
  judge_model: string | null;
  is_stand_in: Generated<boolean>;
  model_requests: Generated<number>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  /** In `cost_currency`; null: not known, or not ended. */
  cost: number | null;
  /** ISO 4217; null: US dollars. */
  cost_currency: string | null;
  /** Tokens that it may take, read as text; null: no separate limit. */
  token_budget: number | string | null;
  /** What it may cost; null: no separate limit. */
  cost_budget: number | null;
  /** When the next attempt may begin; null: it has ended. */
  due_at: NullableMoment;
  /** The process that runs it has it until then. */
  lease_until: NullableMoment;
  attempts: Generated<number>;
  cancel_requested_at: NullableMoment;
  created_at: CreatedAt;
  started_at: NullableMoment;
  completed_at: NullableMoment;
}

/** What a run said and found, changed after each turn. */
export interface AgentTestConversationsTable {
  organization_id: string;
  run_id: string;
  /** What the conversation begins with: request data of the scenario and its override. */
  request_data: Json<Record<string, unknown>>;
  webhook_url: string | null;
  chat_history: Json<ChatLine[]>;
  turn_details: Json<TurnDetail[]>;
  variables: Json<Record<string, unknown>>;
  webhooks: Json<TriggeredWebhook[]>;
  service_tone: NullableJson<ServiceToneScore>;
  voice: NullableJson<VoiceMeasurements>;
  reasoning: string | null;
  end_reason: 'agent_ended' | 'caller_ended' | 'max_turns' | 'replay_ended' | 'recorded' | null;
  /** Null: not ended, a recorded conversation, or a run before it was stored. */
  ending: NullableJson<RunEnding>;
  node_names: Json<Record<string, string>>;
  /** Of the analyzer, so that it is asked once. */
  analysis: NullableJson<Record<string, unknown>>;
}

export interface AgentTestResultsTable {
  organization_id: string;
  run_id: string;
  /** From 0. */
  position: number;
  type: AssertionType;
  status: AssertionStatus;
  is_required: boolean;
  name: string | null;
  result: Json<AssertionResult>;
}

/** What was recorded in a run by voice. */
export interface AgentTestRecordingsTable {
  organization_id: string;
  run_id: string;
  /** Of the sound, without the header of a file. */
  octets: number;
  created_at: CreatedAt;
}

export interface AgentTestRecordingPartsTable {
  organization_id: string;
  run_id: string;
  /** From 0. */
  position: number;
  data: Buffer;
}

declare module '../database/tables.js' {
  interface Database {
    agent_test_scenarios: AgentTestScenariosTable;
    agent_test_assertions: AgentTestAssertionsTable;
    agent_test_definitions: AgentTestDefinitionsTable;
    agent_test_batches: AgentTestBatchesTable;
    agent_test_runs: AgentTestRunsTable;
    agent_test_conversations: AgentTestConversationsTable;
    agent_test_results: AgentTestResultsTable;
    agent_test_recordings: AgentTestRecordingsTable;
    agent_test_recording_parts: AgentTestRecordingPartsTable;
  }
}
