import type { ColumnType, Generated } from 'kysely';
import type { LostResult } from './lost-end.js';

/** JSON goes in as text, because `pg` turns arrays into PostgreSQL arrays otherwise. */
type StoredObject = ColumnType<Record<string, unknown> | null, string | null, never>;

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
  /** Where the result goes when the call is over. */
  webhook: string | null;
  /** True once the history has how it ended. */
  settled: Generated<boolean>;
  /** How it ended when no edge told; null while one may tell, and once one has. */
  lost: ColumnType<LostResult | null, never, string | null>;
}

export interface CallOrderTables {
  ordered_calls: OrderedCallsTable;
}
