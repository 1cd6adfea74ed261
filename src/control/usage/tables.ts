import type { Generated } from 'kysely';

/** Limits that usage is compared with. */
export const limitKinds = ['concurrent_calls', 'minutes_per_month'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Notices about limits that were sent: one a limit and period. */
export interface UsageAlertsTable {
  organization_id: string;
  kind: LimitKind;
  /** `2026-11-26` or `2026-11`, UTC. */
  period: string;
  measured: number;
  allowed: number;
  fired_at: Generated<Date>;
}

declare module '../database/tables.js' {
  interface Database {
    usage_alerts: UsageAlertsTable;
  }
}
