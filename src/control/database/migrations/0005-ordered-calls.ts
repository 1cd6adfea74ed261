import { type Kysely, type Migration, sql } from 'kysely';

/** Calls ordered by the API; how they ended is in `calls` under the same id. */
export const orderedCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table ordered_calls (
      call_id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      number text not null,
      phone_number text not null,
      task text not null,
      request_data jsonb,
      metadata jsonb,
      max_duration_minutes double precision not null,
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index ordered_calls_page on ordered_calls (organization_id, created_at desc, call_id desc)`.execute(
      database,
    );
    await sql`create index ordered_calls_age on ordered_calls using brin (created_at) with (autosummarize = on)`.execute(
      database,
    );
  },
};
