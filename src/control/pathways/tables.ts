import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';
import type { PathwayDocument } from './document.js';

export interface PathwaysTable {
  organization_id: string;
  /** UUID. */
  id: string;
  name: string;
  description: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: ColumnType<Date | null, undefined, Date>;
}

/** `draft`: takes changes; `production`: live; `archived`: was live; `fork`: a copy that takes changes beside the draft. */
export type PathwayVersionState = 'draft' | 'production' | 'archived' | 'fork';

export interface PathwayVersionsTable {
  organization_id: string;
  pathway_id: string;
  /** UUID. */
  id: string;
  version_number: number;
  state: PathwayVersionState;
  document: Json<PathwayDocument>;
  /** The version that it was copied from. */
  forked_from: number | null;
  /** Why it was copied. */
  note: string | null;
  /** Counts the changes of a draft or fork. */
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  promoted_at: ColumnType<Date | null, undefined, Date>;
  /** Id of the API key. */
  promoted_by: ColumnType<string | null, undefined, string>;
}

declare module '../database/tables.js' {
  interface Database {
    pathways: PathwaysTable;
    pathway_versions: PathwayVersionsTable;
  }
}
