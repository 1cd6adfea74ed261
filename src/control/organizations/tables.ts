import type { ColumnType } from 'kysely';
import type { CreatedAt } from '../database/columns.js';
import type { Scope } from '../http/scopes.js';

export interface OrganizationsTable {
  id: string;
  name: string;
  sip_enabled: boolean;
  /** Key of `DEMARC_REGIONS`; null: the first region. */
  region: string | null;
  /** Null: as long as those of the others (`DEMARC_CALL_RETENTION_DAYS`). */
  call_retention_days: ColumnType<number | null, number | null | undefined, number | null>;
  /** Null: `DEMARC_ORGANIZATION_MAX_CALLS` of the edges. */
  concurrent_calls: ColumnType<number | null, number | null | undefined, number | null>;
  /** Null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND` of the edges. */
  calls_per_second: ColumnType<number | null, number | null | undefined, number | null>;
  /** Minutes of answered calls; nothing is refused above it. Null: none. */
  minutes_per_month: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: CreatedAt;
}

export interface ApiKeysTable {
  id: string;
  organization_id: string;
  name: string;
  /** The first characters of the key, for people to tell keys apart. */
  prefix: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  is_operator: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: CreatedAt;
  revoked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Null: everything that the organization may do. */
  scopes: ColumnType<Scope[] | null, string | null | undefined, string | null>;
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** To the minute. */
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

declare module '../database/tables.js' {
  interface Database {
    organizations: OrganizationsTable;
    api_keys: ApiKeysTable;
  }
}
