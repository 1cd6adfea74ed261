import type { ColumnType } from 'kysely';

/** A browser session, started with an API key or by a member with a password; it ends with the key or the membership. */
export interface SessionsTable {
  /** SHA-256 of the cookie's token, which is kept nowhere. */
  hash: Buffer;
  /** Null: of a member. */
  key_id: string | null;
  /** Null: of an API key. */
  member_id: string | null;
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
