import { type Kysely, type Migration, sql } from 'kysely';

/** Trunks as separate objects, which many numbers share. */
export const trunks: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table trunks (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null default '',
      directions jsonb not null,
      inbound jsonb not null default '{}',
      outbound jsonb not null default '{}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index trunks_page on trunks (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    // Checked at the end: an organization goes with its trunks and numbers in any order.
    await sql`alter table numbers
      add column trunk_id text references trunks (id) deferrable initially deferred`.execute(database);
    await sql`create index numbers_of_a_trunk on numbers (trunk_id, number) where trunk_id is not null`.execute(
      database,
    );
  },
};
