import { type Kysely, type Migration, sql } from 'kysely';

/** Who listens to active calls, so that its end is recorded although the process that relays the audio is killed. */
export const listenings: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table listenings (
      id uuid primary key,
      organization_id text not null references organizations (id) on delete cascade,
      call_id text not null,
      actor_kind text not null,
      actor_id text not null,
      actor_name text not null,
      address text,
      began_at timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now()
    )`.execute(database);
  },
};
