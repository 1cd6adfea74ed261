import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { scheduleSchema } from '../schemas/schedule.js';
import { budgetOf, type ScheduleUse } from './schedule-use.js';
import type { AgentTestSchedulesTable } from './tables.js';

export type ScheduleRow = Selectable<AgentTestSchedulesTable>;

export const scheduleView = (row: ScheduleRow, use: ScheduleUse): z.output<typeof scheduleSchema> => ({
  id: row.id,
  name: row.name,
  scenario_ids: row.scenario_ids,
  simulations_per_scenario: row.simulations_per_scenario,
  version: row.version,
  channel: row.channel,
  matrix: row.matrix,
  recurrence: row.recurrence,
  required_pass_rate: row.required_pass_rate,
  notify_contacts: row.notify_contacts,
  budget: budgetOf(row),
  enabled: row.enabled,
  usage: {
    period: use.period,
    tokens: use.tokens,
    cost: use.cost,
    period_ends_at: use.ends.toISOString(),
  },
  next_run_at: row.next_run_at?.toISOString() ?? null,
  last_run_at: row.last_run_at?.toISOString() ?? null,
  last_simulation_set_id: row.last_set_id,
  state: row.state,
  state_since: row.state_since?.toISOString() ?? null,
  problem: row.problem,
  lowest_pass_rate: row.lowest_pass_rate,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
