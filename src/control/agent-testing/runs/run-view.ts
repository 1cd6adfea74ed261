import type { z } from 'zod';
import { stereoHeaderLength, stereoOctetsPerSecond } from '../../../rtp/stereo-wave.js';
import type { batchSchema, listedBatchSchema } from '../schemas/batch.js';
import { dollarsOf, moneyOf } from '../schemas/money.js';
import type {
  EndedStatus,
  modelUsageSchema,
  RunStatus,
  runSchema,
  runSummarySchema,
} from '../schemas/run.js';
import type { ListedBatch } from './batch-list.js';
import type { RunRow, WholeBatch, WholeRun } from './run-storage.js';
import { usedBudget } from './used-budget.js';

/** What a run, or a judgement, took of models. */
export function usageView({
  model_requests: requests,
  prompt_tokens,
  completion_tokens,
  cost: amount,
  cost_currency: currency,
}: Pick<
  RunRow,
  'model_requests' | 'prompt_tokens' | 'completion_tokens' | 'cost' | 'cost_currency'
>): z.output<typeof modelUsageSchema> {
  const cost = moneyOf(amount, currency);
  return { requests, prompt_tokens, completion_tokens, cost, cost_usd: dollarsOf(cost) };
}

export function runSummaryView(run: RunRow): z.output<typeof runSummarySchema> {
  return {
    id: run.id,
    scenario_id: run.scenario_id,
    scenario: { id: run.scenario_id, name: run.scenario_name },
    pathway_id: run.pathway_id,
    persona_id: run.persona_id,
    version_number: run.version_number,
    batch_id: run.batch_id,
    simulation_set_id: run.simulation_set_id,
    tornado_session_id: run.tornado_session_id,
    call_id: run.call_id,
    monitor_id: run.monitor_id,
    load_test_id: run.load_test_id,
    answer_ms: run.answer_ms,
    sip_status: run.sip_status,
    channel: run.channel,
    origin: run.origin,
    variation: run.variation,
    status: run.status,
    turn_count: run.turn_count,
    duration_ms: run.duration_ms,
    overall_score: run.overall_score,
    tone_score: run.tone_score,
    nodes_visited: run.nodes_visited,
    current_node_id: run.current_node_id,
    models: {
      agent: run.agent_model,
      tester: run.tester_model,
      judge: run.judge_model,
      is_stand_in: run.is_stand_in,
    },
    error_message: run.error_message,
    usage: usageView(run),
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    completed_at: run.completed_at?.toISOString() ?? null,
  };
}

/** Figures that runs of earlier releases lack. */
const notMeasured = {
  agent_talk_share: null,
  agent_words_per_minute: null,
  agent_loudness_dbov: null,
  caller_loudness_dbov: null,
} as const;

export function runView({
  run,
  conversation,
  results,
  recordedOctets,
}: WholeRun): z.output<typeof runSchema> {
  return {
    ...runSummaryView(run),
    chat_history: conversation.chat_history,
    variables_extracted: conversation.variables,
    // Earlier releases kept no arguments.
    webhooks: conversation.webhooks.map((call) => ({ ...call, arguments: call.arguments ?? null })),
    service_tone_score: conversation.service_tone,
    assertion_results: results.map(({ result }) => ({ ...result, turns: result.turns ?? null })),
    reasoning: conversation.reasoning,
    end_reason: conversation.end_reason,
    ending: conversation.ending,
    token_budget: run.token_budget === null ? null : Number(run.token_budget),
    cost_budget: moneyOf(run.cost_budget, run.cost_currency),
    voice: conversation.voice === null ? null : { ...notMeasured, ...conversation.voice },
    recording:
      recordedOctets === null
        ? null
        : {
            duration_ms: Math.round((recordedOctets / stereoOctetsPerSecond) * 1_000),
            octets: stereoHeaderLength + recordedOctets,
          },
    attempts: run.attempts,
    metadata: { node_id_to_name: conversation.node_names, turn_details: conversation.turn_details },
  };
}

export function batchView({ batch, runs, usage }: WholeBatch): z.output<typeof batchSchema> {
  return {
    id: batch.id,
    status: batch.status ?? (runs.some(({ status }) => status !== 'PENDING') ? 'RUNNING' : 'PENDING'),
    total_scenarios: batch.total_runs,
    passed_scenarios: runs.filter(({ status }) => status === 'PASSED').length,
    failed_scenarios: runs.filter(({ status }) => isEnded(status) && status !== 'PASSED').length,
    trigger_source: batch.origin,
    publish_on_pass: batch.publish_on_pass,
    created_at: batch.created_at.toISOString(),
    completed_at: batch.completed_at?.toISOString() ?? null,
    ...usedBudget(batch),
    usage,
    runs: runs.map(runSummaryView),
  };
}

export const listedBatchView = (batch: ListedBatch): z.output<typeof listedBatchSchema> => ({
  id: batch.id,
  status: batch.status,
  total_scenarios: batch.total_runs,
  passed_scenarios: batch.passed,
  failed_scenarios: batch.failed,
  trigger_source: batch.origin,
  publish_on_pass: batch.publish_on_pass,
  scenarios: [...batch.scenarios],
  created_at: batch.created_at.toISOString(),
  completed_at: batch.completed_at?.toISOString() ?? null,
});

export const isEnded = (status: RunStatus): status is EndedStatus =>
  status !== 'PENDING' && status !== 'RUNNING';

/** Of a batch whose runs have all ended: the worst of theirs. */
export function batchStatus(statuses: readonly RunStatus[]): EndedStatus {
  const worst = (['ERROR', 'FAILED', 'CANCELLED'] as const).find((status) => statuses.includes(status));
  return worst ?? 'PASSED';
}
