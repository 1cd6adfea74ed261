import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt } from '../database/columns.js';

/** A promotion that waits, or waited, for tests. */
export interface PromotionsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  kind: 'pathway' | 'persona';
  /** Of the pathway or persona, a UUID. */
  subject_id: string;
  version_id: string;
  version_number: number;
  /** Of the version when its tests began. */
  revision: number;
  /** Id of the API key that asked for it. */
  requested_by: string;
  /** The runs of the required scenarios, a UUID. */
  batch_id: string;
  status: ColumnType<PromotionStatus, PromotionStatus | undefined, PromotionStatus>;
  /** Why it was refused. */
  reasons: ColumnType<string[], string | undefined, string>;
  /** True: the stand-in for a language model took part. */
  is_stand_in: Generated<boolean>;
  created_at: CreatedAt;
  completed_at: ColumnType<Date | null, undefined, Date>;
}

export type PromotionStatus = 'RUNNING' | 'PROMOTED' | 'REFUSED';

declare module '../database/tables.js' {
  interface Database {
    promotions: PromotionsTable;
  }
}
