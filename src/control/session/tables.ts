import type { ColumnType } from 'kysely';

/** A browser session started with an API key; it ends with the key. */
export interface SessionsTable {
  /** SHA-256 of the cookie's token, which is kept nowhere. */
  hash: Buffer;
  key_id: string;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** To the minute. */
  used_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

declare module '../database/tables.js' {
  interface Database {
    sessions: SessionsTable;
  }
}
