import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, UpdatedAt } from '../database/columns.js';

/** Columns of every table of subjects with versions. */
export interface SubjectTable {
  organization_id: string;
  /** UUID. */
  id: string;
  name: string;
  description: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: ColumnType<Date | null, undefined, Date>;
}

/** Columns of every table of versions, in addition to that with the id of the subject. */
export interface VersionTable {
  organization_id: string;
  /** UUID. */
  id: string;
  version_number: number;
  state: string;
  /** Counts the changes of the version. */
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  promoted_at: ColumnType<Date | null, undefined, Date>;
  /** Id of the API key or member. */
  promoted_by: ColumnType<string | null, undefined, string>;
}
