import type { ColumnType } from 'kysely';

/** A request that carried an `Idempotency-Key`. */
export interface IdempotentRequestsTable {
  /** The API key that sent it. */
  key_id: string;
  path: string;
  idempotency_key: string;
  /** HMAC of query and body. */
  fingerprint: Buffer;
  /** Stays the same however often the request is run. */
  operation_id: string;
  /** The attempt that runs it, or ran it last. */
  owner: string;
  /** The attempt counts as alive until then and renews this while it runs. */
  lease_until: Date;
  /** HTTP status of the answer; null: there is none yet. */
  status: number | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  /** Sealed: answers carry generated passwords and keys. */
  answer: string | null;
  expires_at: Date;
}

declare module '../database/tables.js' {
  interface Database {
    idempotent_requests: IdempotentRequestsTable;
  }
}
