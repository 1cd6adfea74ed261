import type { ColumnType, Selectable } from 'kysely';
import type { EndpointHealth } from '../../contract/health.js';

/** The latest check of a server. */
export interface EndpointHealthTable {
  /** `endpointName`. */
  endpoint: string;
  checked_at: Date;
  health: ColumnType<EndpointHealth, string, string>;
  /** When it entered its current status; null: stored by an earlier version. */
  since: Date | null;
  /** Milliseconds, smoothed over the latest checks since then; null: it was not answered. */
  response_average: number | null;
}

/** Totals of the checks of one hour. */
export interface EndpointHealthHoursTable {
  endpoint: string;
  /** Its beginning. */
  hour: Date;
  checks: number;
  healthy: number;
  /** Checks with a response time, and the sum of these times. */
  responses: number;
  response_milliseconds: number;
}

declare module '../database/tables.js' {
  interface Database {
    endpoint_health: EndpointHealthTable;
    endpoint_health_hours: EndpointHealthHoursTable;
  }
  interface Views {
    server_checks: Selectable<Pick<EndpointHealthTable, 'endpoint' | 'checked_at' | 'health'>>;
  }
}
