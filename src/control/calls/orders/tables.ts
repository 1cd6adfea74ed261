import type { ColumnType, Generated } from 'kysely';
import type { CallCommand } from '../../../contract/commands.js';
import type { LostResult } from '../lost/lost-end.js';

/** JSON goes in as text, because `pg` turns arrays into PostgreSQL arrays otherwise. */
type StoredObject = ColumnType<Record<string, unknown> | null, string | null, never>;

/** An order as the edges get it, without the times that are known when they get it. */
export type PendingCommand = Omit<CallCommand, 'expires_at' | 'wait_until'>;

/** A call ordered by the API, as it was ordered. */
export interface OrderedCallsTable {
  call_id: string;
  organization_id: string;
  /** E.164 digits without plus: who calls, and who is called. */
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
  /** Not dialled before. */
  scheduled_at: ColumnType<Date | null, Date | null | undefined, never>;
  batch_id: ColumnType<string | null, string | null | undefined, never>;
  /** Order within the batch. */
  position: ColumnType<number, number | undefined, never>;
  /** What is given to the edges when its time has come; null: they have it, or it is over. */
  pending: ColumnType<PendingCommand | null, string | null | undefined, null>;
  /** When a feeder looks at a pending one again: its time, or the end of another feeder's lease. */
  take_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A pending one is given up then. */
  pending_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When the edges got it; null: at once. */
  given_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Where the result goes when the call is over. */
  webhook: string | null;
  /** True once the history has how it ended. */
  settled: Generated<boolean>;
  /** How it ended when no edge told; null while one may tell, and once one has. */
  lost: ColumnType<LostResult | null, never, string | null>;
}

declare module '../../database/tables.js' {
  interface Database {
    ordered_calls: OrderedCallsTable;
  }
}
