import type { Json } from '../database/columns.js';
import type { SubjectTable, VersionTable } from '../versions/columns.js';
import type { PathwayDocument } from './document.js';

export type PathwaysTable = SubjectTable;

/** `draft`: takes changes; `production`: live; `archived`: was live; `fork`: a copy that takes changes beside the draft. */
export type PathwayVersionState = 'draft' | 'production' | 'archived' | 'fork';

export interface PathwayVersionsTable extends VersionTable {
  pathway_id: string;
  state: PathwayVersionState;
  document: Json<PathwayDocument>;
  /** The version that it was copied from. */
  forked_from: number | null;
  /** Why it was copied. */
  note: string | null;
}

/** Personas whose live version names a pathway. */
export interface PathwayFollowersTable {
  organization_id: string;
  pathway_id: string;
  persona_id: string;
  /** Null: the live version. */
  version_number: number | null;
}

declare module '../database/tables.js' {
  interface Database {
    pathways: PathwaysTable;
    pathway_versions: PathwayVersionsTable;
    pathway_followers: PathwayFollowersTable;
  }
}
