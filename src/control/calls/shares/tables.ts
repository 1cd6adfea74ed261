import type { CreatedAt } from '../../database/columns.js';

/** A link to one call for people outside the organization. */
export interface CallSharesTable {
  id: string;
  organization_id: string;
  call_id: string;
  /** SHA-256 of the token in the link. */
  hash: Buffer;
  created_at: CreatedAt;
  /** Name of the member or key. */
  created_by: string;
  expires_at: Date;
}

declare module '../../database/tables.js' {
  interface Database {
    call_shares: CallSharesTable;
  }
}
