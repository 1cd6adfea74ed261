import type { z } from 'zod';
import type { listedTornadoSchema, tornadoProgressSchema, tornadoSessionSchema } from '../schemas/tornado.js';
import type { IterationRow, WholeSession } from './session-storage.js';

type Session = z.output<typeof tornadoSessionSchema>;
type Progress = z.output<typeof tornadoProgressSchema>;

export function tornadoSessionView({ session, iterations }: WholeSession): Session {
  const evaluated = iterations.filter(({ evaluated_at: at }) => at !== null).at(-1);
  return {
    session_id: session.id,
    status: session.status,
    pathway_id: session.pathway_id,
    persona_id: null,
    current_iteration: iterations.at(-1)?.iteration ?? 1,
    max_iterations: session.max_iterations,
    runs_per_scenario: session.runs_per_scenario,
    required_pass_rate: session.required_pass_rate,
    total_scenarios: session.scenario_ids.length,
    passed_scenarios: evaluated?.passed_ids.length ?? 0,
    failed_scenarios: evaluated?.failed_ids.length ?? 0,
    created_at: session.created_at.toISOString(),
  };
}

export const listedTornadoView = (whole: WholeSession): z.output<typeof listedTornadoSchema> => ({
  ...tornadoSessionView(whole),
  forked_version: whole.session.forked_version,
  error_message: whole.session.error_message,
  completed_at: whole.session.completed_at?.toISOString() ?? null,
});

export function tornadoProgressView(whole: WholeSession, now: Date): Progress {
  const { session, iterations } = whole;
  return {
    ...tornadoSessionView(whole),
    unfixable_count: session.unfixable_ids.length,
    unfixable_ids: session.unfixable_ids,
    iterations: iterations.map(iterationView),
    elapsed_ms: (session.completed_at ?? now).getTime() - session.created_at.getTime(),
    timeout_ms: session.timeout_ms,
    forked_version: session.forked_version,
    error_message: session.error_message,
    completed_at: session.completed_at?.toISOString() ?? null,
  };
}

const iterationView = (row: IterationRow): Progress['iterations'][number] => ({
  iteration: row.iteration,
  batch_id: row.batch_id,
  version_number: row.version_number,
  started_at: row.started_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  passed_ids: row.passed_ids,
  failed_ids: row.failed_ids,
  newly_unfixable_ids: row.newly_unfixable_ids,
  fix_plan: row.fixes === null ? null : { fixes: row.fixes, priority_order: row.fixes.map(({ id }) => id) },
  analyzer_prompt_excerpt: row.prompt_excerpt,
});
