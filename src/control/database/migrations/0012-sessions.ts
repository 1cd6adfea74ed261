import { type Kysely, type Migration, sql } from 'kysely';

/** Keys of operators, who see the fleet, and the sessions of people in browsers. */
export const sessions: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table api_keys add column is_operator boolean not null default false`.execute(database);
    await sql`create table sessions (
      hash bytea primary key,
      key_id text not null references api_keys (id) on delete cascade,
      created_at timestamptz(3) not null default now(),
      used_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    )`.execute(database);
    await sql`create index sessions_key on sessions (key_id, created_at)`.execute(database);
    await sql`create index sessions_expiry on sessions (expires_at)`.execute(database);
  },
};
