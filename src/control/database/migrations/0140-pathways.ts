import { type Kysely, type Migration, sql } from 'kysely';

/** Pathways with their versions. */
export const pathways: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table pathways (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      name text not null,
      description text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create index pathways_page on pathways (organization_id, created_at desc, id desc)
      where deleted_at is null`.execute(database);
    // The document as text: it returns with the order of its fields, and SQL never looks into it.
    await sql`create table pathway_versions (
      organization_id text not null,
      pathway_id uuid not null,
      id uuid not null unique,
      version_number integer not null,
      state text not null check (state in ('draft', 'production', 'archived', 'fork')),
      document json not null,
      forked_from integer,
      note text,
      revision integer not null default 1,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      promoted_at timestamptz(3),
      promoted_by text,
      primary key (organization_id, pathway_id, version_number),
      foreign key (organization_id, pathway_id) references pathways (organization_id, id) on delete cascade
    )`.execute(database);
    // Of each pathway at most one draft and one live version, whatever runs at the same time.
    await sql`create unique index pathway_versions_present on pathway_versions (organization_id, pathway_id, state)
      where state in ('draft', 'production')`.execute(database);
  },
};
