import type { Selectable } from 'kysely';
import type { Judgement } from '../schemas/calibration.js';
import type { AgentTestJudgementsTable } from './tables.js';

export const judgementView = (row: Selectable<AgentTestJudgementsTable>): Judgement => ({
  status: row.status,
  overall_score: row.overall_score,
  reasoning: row.reasoning,
  assertion_results: row.results,
  judge_model: row.judge_model,
  is_stand_in: row.is_stand_in,
  usage: {
    requests: row.model_requests,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cost_usd: row.cost,
  },
  judged_at: row.judged_at.toISOString(),
});
