import type { ColumnType } from 'kysely';
import type { EndpointHealth } from '../../contract/health.js';

/** The latest check of a server. */
export interface EndpointHealthTable {
  /** `endpointName`. */
  endpoint: string;
  checked_at: Date;
  health: ColumnType<EndpointHealth, string, string>;
  /** When it came to its present status; null: it was stored by an earlier version. */
  since: Date | null;
  /** Milliseconds, smoothed over the latest checks since then; null: it was not answered. */
  response_average: number | null;
}

/** What the checks of one hour came to. */
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

/** How far a stream was read, changed in the transaction that stores what was read: each entry counts once. */
export interface StreamPositionsTable {
  stream: string;
  entry_id: string;
}

declare module '../database/tables.js' {
  interface Database {
    endpoint_health: EndpointHealthTable;
    endpoint_health_hours: EndpointHealthHoursTable;
    stream_positions: StreamPositionsTable;
  }
}
