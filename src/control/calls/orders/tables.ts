import type { ColumnType, Generated } from 'kysely';
import type { CallCommand } from '../../../contract/commands.js';
import type { LostResult } from '../lost/lost-end.js';

/** JSON is written as text, because `pg` would turn arrays into PostgreSQL arrays. */
type StoredObject = ColumnType<Record<string, unknown> | null, string | null, never>;

/** An order as sent to the edges, without the times that are set when it is sent. */
export type PendingCommand = Omit<CallCommand, 'expires_at' | 'wait_until'>;

/** A call ordered through the API, as ordered. */
export interface OrderedCallsTable {
  call_id: string;
  organization_id: string;
  /** E.164 digits without plus: caller and callee. */
  number: string;
  phone_number: string;
  task: string;
  request_data: StoredObject;
  metadata: StoredObject;
  max_duration_minutes: number;
  created_at: Date;
  /** Ids of the tools and knowledge bases that the agent may use. */
  tools: ColumnType<string[] | null, string | null | undefined, never>;
  persona_id: ColumnType<string | null, string | null | undefined, never>;
  pathway_id: ColumnType<string | null, string | null | undefined, never>;
  pathway_version: ColumnType<number | null, number | null | undefined, never>;
  voice: ColumnType<string | null, string | null | undefined, never>;
  /** Earliest time to dial. */
  scheduled_at: ColumnType<Date | null, Date | null | undefined, never>;
  batch_id: ColumnType<string | null, string | null | undefined, never>;
  /** Position within the batch. */
  position: ColumnType<number, number | undefined, never>;
  /** The order to send to the edges when due; null: already sent, or ended. */
  pending: ColumnType<PendingCommand | null, string | null | undefined, null>;
  /** When a feeder considers a pending order next: its due time, or the end of another feeder's lease. */
  take_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When a pending order expires. */
  pending_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When it was handed to the edges; null: immediately. */
  given_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Webhook URL for the result. */
  webhook: string | null;
  /** True once the history has the end of the call. */
  settled: Generated<boolean>;
  /** The end of the call if no edge reported it; null while an edge may still report it, and once it has. */
  lost: ColumnType<LostResult | null, never, string | null>;
}

declare module '../../database/tables.js' {
  interface Database {
    ordered_calls: OrderedCallsTable;
  }
}
