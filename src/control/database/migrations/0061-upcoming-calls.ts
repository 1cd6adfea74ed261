import { type Kysely, type Migration, sql } from 'kysely';

/** Calls that are to be given to the edges later: scheduled ones, and those of batches; and what an order tells its agent. */
export const upcomingCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table call_batches (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      number text not null,
      name text not null default '',
      total integer not null,
      scheduled_at timestamptz(3),
      until timestamptz(3) not null,
      stopped_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index call_batches_page on call_batches (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    await sql`alter table ordered_calls
      add column tools jsonb,
      add column persona_id text,
      add column scheduled_at timestamptz(3),
      add column batch_id text,
      add column position integer not null default 0,
      add column pending jsonb,
      add column take_at timestamptz(3),
      add column pending_until timestamptz(3),
      add column given_at timestamptz(3)`.execute(database);
    await sql`create index ordered_calls_pending on ordered_calls (number, take_at, position)
      where pending is not null`.execute(database);
    await sql`create index ordered_calls_pending_until on ordered_calls (pending_until)
      where pending is not null`.execute(database);
    await sql`create index ordered_calls_batch on ordered_calls (batch_id, position)
      where batch_id is not null`.execute(database);
  },
};
