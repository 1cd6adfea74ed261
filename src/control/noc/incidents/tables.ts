import type { Generated } from 'kysely';
import type { EndReason } from '../../../contract/call-record.js';
import type { Json } from '../../database/columns.js';

export const reasonKinds = ['component', 'trunk', 'registration', 'calls', 'alert'] as const;
export type ReasonKind = (typeof reasonKinds)[number];

/** Why a verdict was red, and from when to when it was. */
export interface StoredReason {
  /** The same while the reason is the same. */
  readonly key: string;
  readonly kind: ReasonKind;
  readonly text: string;
  readonly cause: string | null;
  readonly advice: string | null;
  readonly phone_number: string | null;
  readonly end_reason: EndReason | null;
  readonly sip_status: number | null;
  /** ISO 8601. */
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** An entry of the audit log before the first failure. */
export interface StoredChange {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly summary: string;
  readonly subject: string;
  readonly fields: string;
}

/** From the time at which a verdict turned red until it recovered. */
export interface IncidentsTable {
  id: string;
  /** Null: of the service, for all organizations. */
  organization_id: string | null;
  title: string;
  opened_at: Date;
  first_failure_at: Date | null;
  first_call_id: string | null;
  /** The first one first. */
  reasons: Json<StoredReason[]>;
  /** Newest first. */
  changes: Json<StoredChange[]>;
  /** Since when the verdict is no longer red; null: it is. */
  clear_since: Date | null;
  recovered_at: Date | null;
  acknowledged_at: Date | null;
  /** Name of the member or key. */
  acknowledged_by: string | null;
  note: string | null;
}

/** One row: when any process last looked at the verdicts. */
export interface IncidentWatchTable {
  singleton: Generated<boolean>;
  watched_at: Date;
}

declare module '../../database/tables.js' {
  interface Database {
    incidents: IncidentsTable;
    incident_watch: IncidentWatchTable;
  }
}
