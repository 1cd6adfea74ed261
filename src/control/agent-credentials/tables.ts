import type { ColumnType } from 'kysely';

export interface AgentCredentialsTable {
  /** Also the digest user name. */
  id: string;
  organization_id: string;
  name: string;
  /** Sealed (`contract/secret.ts`). */
  password: string;
  created_at: ColumnType<Date, Date | undefined, never>;
}

declare module '../database/tables.js' {
  interface Database {
    agent_credentials: AgentCredentialsTable;
  }
}
