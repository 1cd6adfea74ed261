import type { ColumnType, Generated } from 'kysely';
import type { EventFilter } from '../../events/event-types.js';

/** `request`: by the API; `failing`: no delivery got through for days. */
export const disabledReasons = ['request', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookEndpointsTable {
  id: string;
  organization_id: string;
  url: string;
  description: string;
  events: ColumnType<EventFilter[], string, string>;
  enabled: ColumnType<boolean, boolean | undefined, boolean>;
  /** Null while it is enabled. */
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  /** Of the first failure since the last success. */
  failing_since: Date | null;
  /** Deliveries that were given up because too many waited. */
  dropped_deliveries: Generated<string>;
  /** Sealed (`contract/secret.ts`). */
  secret: string;
  /** The previous secret, valid until `previous_until`. */
  previous_secret: string | null;
  previous_until: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

declare module '../../database/tables.js' {
  interface Database {
    webhook_endpoints: WebhookEndpointsTable;
  }
}
