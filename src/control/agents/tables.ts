import type { ColumnType } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';

export interface WebAgentsTable {
  organization_id: string;
  /** UUID. */
  id: string;
  /** Ids of knowledge bases and tools, as they were sent. */
  tools: Json<string[]>;
  /** The knowledge bases among them, UUIDs. */
  kb_ids: Json<string[]>;
  metadata: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

declare module '../database/tables.js' {
  interface Database {
    web_agents: WebAgentsTable;
  }
}
