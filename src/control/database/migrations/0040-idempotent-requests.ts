import { type Kysely, type Migration, sql } from 'kysely';

/** Requests that carried an `Idempotency-Key`, with their answers once they have one. */
export const idempotentRequests: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table idempotent_requests (
      key_id text not null references api_keys (id) on delete cascade,
      path text not null,
      idempotency_key text not null,
      fingerprint bytea not null,
      operation_id uuid not null,
      owner uuid not null,
      lease_until timestamptz(3) not null,
      status integer,
      headers jsonb,
      answer text,
      expires_at timestamptz(3) not null,
      primary key (key_id, path, idempotency_key)
    )`.execute(database);
    await sql`create index idempotent_requests_expiry on idempotent_requests (expires_at)`.execute(database);
  },
};
