import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { e164 } from '../../http/phone-number.js';
import type { UsageSum } from '../schemas/money.js';
import type { monitorSchema } from '../schemas/monitor.js';
import type { Tally } from '../statistics/fisher-exact.js';
import { rateOf, type Standing } from './standing.js';
import type { AgentTestMonitorsTable } from './tables.js';

export type MonitorRow = Selectable<AgentTestMonitorsTable>;

const tallyView = (tally: Tally) => ({ ...tally, pass_rate: rateOf(tally) });

export const monitorView = (
  row: MonitorRow,
  standing: Standing,
  usage: UsageSum,
): z.output<typeof monitorSchema> => ({
  id: row.id,
  name: row.name,
  scenario_id: row.scenario_id,
  number: row.number === null ? null : e164(row.number),
  persona_id: row.persona_id,
  share: row.share,
  required_pass_rate: row.required_pass_rate,
  notify_contacts: row.notify_contacts,
  enabled: row.enabled,
  recent: tallyView(standing.recent),
  earlier: tallyView(standing.earlier),
  drift: standing.drift,
  unheard_calls: row.unheard_calls,
  usage_this_month: usage,
  state: row.state,
  state_since: row.state_since?.toISOString() ?? null,
  problem: row.problem,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
