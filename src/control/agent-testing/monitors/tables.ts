import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, UpdatedAt } from '../../database/columns.js';
import type { MonitorState } from '../schemas/monitor.js';

export interface AgentTestMonitorsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  name: string;
  /** Its assertions judge the calls. */
  scenario_id: string;
  /** E.164 digits without plus; null: the numbers of the persona. */
  number: string | null;
  persona_id: string | null;
  /** Above 0, at most 1. */
  share: number;
  /** 0–1. */
  required_pass_rate: number;
  notify_contacts: boolean;
  enabled: boolean;
  /** Calls that ended before were sampled, but for those whose record comes late. */
  examined_until: ColumnType<Date, Date | undefined, Date>;
  /** Sampled calls that could not be judged, because their agent stored no messages. */
  unheard_calls: Generated<number>;
  /** Null: no call has been judged. */
  state: Generated<MonitorState | null>;
  state_since: Generated<Date | null>;
  /** Why it fails, or judges no calls; null: neither. */
  problem: Generated<string | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

declare module '../../database/tables.js' {
  interface Database {
    agent_test_monitors: AgentTestMonitorsTable;
  }
}
