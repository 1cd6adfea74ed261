import type { ColumnType } from 'kysely';

/** Calls ordered together; each is a row of `ordered_calls`. */
export interface CallBatchesTable {
  id: string;
  organization_id: string;
  /** E.164 digits without plus: the calling number. */
  number: string;
  name: string;
  total: number;
  /** Null: no earliest time. */
  scheduled_at: Date | null;
  /** Calls not handed to an edge by then expire. */
  until: Date;
  stopped_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

declare module '../../database/tables.js' {
  interface Database {
    call_batches: CallBatchesTable;
  }
}
