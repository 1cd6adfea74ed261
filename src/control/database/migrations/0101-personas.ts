import { type Kysely, type Migration, sql } from 'kysely';

/** Personas with their versions, the numbers that they answer, and web agents. */
export const personas: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table personas (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      name text not null,
      role text,
      description text,
      tags jsonb not null default '[]',
      metadata jsonb,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create index personas_page on personas (organization_id, created_at desc, id desc)
      where deleted_at is null`.execute(database);
    await sql`create table persona_versions (
      organization_id text not null,
      persona_id uuid not null,
      id uuid not null unique,
      version_number integer not null,
      state text not null check (state in ('draft', 'production', 'archived')),
      orchestration_prompt text,
      personality_prompt text,
      kb_ids jsonb not null default '[]',
      revision integer not null default 1,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      promoted_at timestamptz(3),
      promoted_by text,
      primary key (organization_id, persona_id, version_number),
      foreign key (organization_id, persona_id) references personas (organization_id, id) on delete cascade
    )`.execute(database);
    // Of each persona at most one draft and one live version, whatever runs at the same time.
    await sql`create unique index persona_versions_present on persona_versions (organization_id, persona_id, state)
      where state in ('draft', 'production')`.execute(database);
    // Checked at the end: an organization goes with its personas and numbers in any order.
    await sql`alter table numbers
      add column persona_id uuid,
      add constraint numbers_persona_fkey foreign key (organization_id, persona_id)
        references personas (organization_id, id) deferrable initially deferred`.execute(database);
    await sql`create index numbers_of_a_persona on numbers (organization_id, persona_id, number)
      where persona_id is not null`.execute(database);
    await sql`create table web_agents (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      tools jsonb not null default '[]',
      kb_ids jsonb not null default '[]',
      metadata jsonb,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create index web_agents_page on web_agents (organization_id, created_at desc, id desc)`.execute(
      database,
    );
  },
};
