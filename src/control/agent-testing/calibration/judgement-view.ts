import type { Selectable } from 'kysely';
import { usageView } from '../runs/run-view.js';
import type { Judgement } from '../schemas/calibration.js';
import type { AgentTestJudgementsTable } from './tables.js';

export const judgementView = (row: Selectable<AgentTestJudgementsTable>): Judgement => ({
  status: row.status,
  overall_score: row.overall_score,
  reasoning: row.reasoning,
  assertion_results: row.results,
  judge_model: row.judge_model,
  is_stand_in: row.is_stand_in,
  usage: usageView(row),
  judged_at: row.judged_at.toISOString(),
});
