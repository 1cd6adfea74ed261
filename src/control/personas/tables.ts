import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';

type Free = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;

export interface PersonasTable {
  organization_id: string;
  /** UUID. */
  id: string;
  name: string;
  role: string | null;
  description: string | null;
  tags: Json<string[]>;
  metadata: Free;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: ColumnType<Date | null, undefined, Date>;
}

/** `draft`: takes changes; `production`: live; `archived`: was live. */
export type VersionState = 'draft' | 'production' | 'archived';

export interface PersonaVersionsTable {
  organization_id: string;
  persona_id: string;
  /** UUID. */
  id: string;
  version_number: number;
  state: VersionState;
  orchestration_prompt: string | null;
  personality_prompt: string | null;
  /** UUIDs of knowledge bases. */
  kb_ids: Json<string[]>;
  /** Counts the changes of a draft. */
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  promoted_at: ColumnType<Date | null, undefined, Date>;
  /** Id of the API key. */
  promoted_by: ColumnType<string | null, undefined, string>;
}

declare module '../database/tables.js' {
  interface Database {
    personas: PersonasTable;
    persona_versions: PersonaVersionsTable;
  }
}
