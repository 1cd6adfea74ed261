import { type Kysely, type Migration, sql } from 'kysely';

/** Promotions of personas and pathways that wait for tests. */
export const promotions: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table promotions (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      kind text not null check (kind in ('pathway', 'persona')),
      subject_id uuid not null,
      version_id uuid not null,
      version_number integer not null,
      revision integer not null,
      requested_by text not null,
      batch_id uuid not null,
      status text not null default 'RUNNING' check (status in ('RUNNING', 'PROMOTED', 'REFUSED')),
      reasons jsonb not null default '[]',
      is_stand_in boolean not null default false,
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      primary key (organization_id, id),
      check ((status = 'RUNNING') = (completed_at is null))
    )`.execute(database);
    // Of each subject one at a time, whatever runs at the same time.
    await sql`create unique index promotions_running on promotions (organization_id, kind, subject_id)
      where status = 'RUNNING'`.execute(database);
    await sql`create index promotions_of_subject on promotions
      (organization_id, kind, subject_id, created_at desc)`.execute(database);
  },
};
