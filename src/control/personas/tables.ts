import type { ColumnType } from 'kysely';
import type { Json } from '../database/columns.js';
import type { StoredAgent } from '../numbers/agent-streams.js';
import type { SubjectTable, VersionTable } from '../versions/columns.js';

type Free = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;

export interface PersonasTable extends SubjectTable {
  role: string | null;
  tags: Json<string[]>;
  metadata: Free;
}

/** `draft`: takes changes; `production`: live; `archived`: was live. */
export type VersionState = 'draft' | 'production' | 'archived';

export interface PersonaVersionsTable extends VersionTable {
  persona_id: string;
  state: VersionState;
  orchestration_prompt: string | null;
  personality_prompt: string | null;
  /** UUIDs of knowledge bases. */
  kb_ids: Json<string[]>;
  /** Agent of its calls; null: that of the number. */
  agent: ColumnType<StoredAgent | null, string | null | undefined, string | null>;
  /** Its calls follow it. */
  pathway_id: string | null;
  /** Null: the live version. */
  pathway_version: number | null;
  voice: string | null;
}

declare module '../database/tables.js' {
  interface Database {
    personas: PersonasTable;
    persona_versions: PersonaVersionsTable;
  }
}
