import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';
import type { Direction } from '../numbers/tables.js';
import type { Schedule } from './maintenance/schedule.js';

export const alertKinds = ['unreachable', 'failure_rate', 'response_time'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** `closed`: the watched threshold was removed from the configuration; no notice is sent. */
export const alertStates = ['active', 'recovered', 'closed'] as const;
export type AlertState = (typeof alertStates)[number];

export interface AlertsTable {
  id: string;
  organization_id: string;
  /** E.164 digits without plus. */
  number: string;
  direction: Direction;
  kind: AlertKind;
  state: Generated<AlertState>;
  /** When the problem began; the notice was sent later. */
  since: Date;
  fired_at: Date;
  /** Also set when the alert was closed. */
  recovered_at: Date | null;
  /** Since when the value has been good again while the alert is active; null: still bad. */
  clear_since: Date | null;
  /** Minutes, percent or milliseconds, depending on the kind. */
  measured: number | null;
  threshold: number;
  title: string;
  summary: string;
  cause: string;
  advice: string;
  acknowledged_at: Date | null;
  /** Name of the member or key that acknowledged it. */
  acknowledged_by: string | null;
  note: string | null;
  /** Until then no notices about this threshold are sent. */
  muted_until: Date | null;
  muted_at: Date | null;
  /** Name of the member or key that muted it. */
  muted_by: string | null;
  /** The window that was open when it fired; null: none. */
  maintenance_window_id: string | null;
  /** Name of that window. */
  maintenance_window: string | null;
  /** Not sent yet because of the window. */
  is_withheld: Generated<boolean>;
}

/** Planned work, during which alerts are recorded but not sent. */
export interface MaintenanceWindowsTable {
  id: string;
  organization_id: string;
  name: string;
  /** E.164 digits without plus; null with `trunk_id` null: all numbers. */
  number: string | null;
  trunk_id: string | null;
  kinds: Json<AlertKind[]>;
  time_zone: string;
  schedule: Json<Schedule>;
  enabled: boolean;
  created_at: CreatedAt;
  /** Name of the member or key. */
  created_by: string;
  updated_at: UpdatedAt;
  updated_by: string;
}

export interface AlertContactsTable {
  organization_id: string;
  emails: ColumnType<string[], string, string>;
  /** E.164 digits without plus. */
  phone_numbers: ColumnType<string[], string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** One row: when any process last evaluated alerts. */
export interface AlertEvaluationTable {
  singleton: Generated<boolean>;
  evaluated_at: Date;
}

/** Numbers, and trunks that numbers share, whose active calls reached most of their limit: one row a day. */
export interface NumberLimitAlertsTable {
  organization_id: string;
  /** `2026-11-26`, UTC. */
  day: ColumnType<Date, string, never>;
  /** E.164 digits, or the id of the trunk. */
  limited: string;
  direction: Direction;
  /** Highest of the day. */
  measured: number;
  allowed: number;
  fired_at: Generated<Date>;
  /** Null: the organization is not notified yet. */
  notified_at: Date | null;
}

declare module '../database/tables.js' {
  interface Database {
    number_limit_alerts: NumberLimitAlertsTable;
    alerts: AlertsTable;
    alert_contacts: AlertContactsTable;
    alert_evaluation: AlertEvaluationTable;
    maintenance_windows: MaintenanceWindowsTable;
  }
}
