import type { ColumnType } from 'kysely';

/** Calls that were ordered together; they are rows of `ordered_calls`. */
export interface CallBatchesTable {
  id: string;
  organization_id: string;
  /** E.164 digits without plus: the number that calls. */
  number: string;
  name: string;
  total: number;
  /** Null: from the beginning. */
  scheduled_at: Date | null;
  /** Calls that were not given to an edge by then are given up. */
  until: Date;
  stopped_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

declare module '../../database/tables.js' {
  interface Database {
    call_batches: CallBatchesTable;
  }
}
