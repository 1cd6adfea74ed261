import { type Kysely, type Migration, sql } from 'kysely';

/** Accounts of people, their roles in organizations, one-time links, and the log of who changed what. */
export const members: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table people (
      id text primary key,
      email text not null unique,
      name text not null,
      password text not null,
      password_changed_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create table members (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      person_id text not null references people (id) on delete cascade,
      role text not null check (role in ('owner', 'operator', 'viewer')),
      is_operator boolean not null default false,
      created_at timestamptz(3) not null default now(),
      signed_in_at timestamptz(3),
      unique (organization_id, person_id)
    )`.execute(database);
    await sql`create index members_person on members (person_id)`.execute(database);
    await sql`create table invitations (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      email text not null,
      role text not null check (role in ('owner', 'operator', 'viewer')),
      hash bytea not null unique,
      invited_by text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      unique (organization_id, email)
    )`.execute(database);
    await sql`create table password_resets (
      hash bytea primary key,
      person_id text not null references people (id) on delete cascade,
      organization_id text references organizations (id) on delete cascade,
      expires_at timestamptz(3) not null
    )`.execute(database);
    await sql`create index password_resets_person on password_resets (person_id)`.execute(database);
    await sql`create table known_browsers (
      hash bytea primary key,
      person_id text not null references people (id) on delete cascade,
      used_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index known_browsers_person on known_browsers (person_id, used_at)`.execute(database);
    await sql`alter table sessions
      alter column key_id drop not null,
      add column member_id text references members (id) on delete cascade,
      add check ((key_id is null) <> (member_id is null))`.execute(database);
    await sql`create index sessions_member on sessions (member_id, created_at)`.execute(database);
    await sql`create table audit_events (
      id bigint generated always as identity primary key,
      organization_id text not null references organizations (id) on delete cascade,
      occurred_at timestamptz(3) not null default now(),
      actor_kind text not null,
      actor_id text not null,
      actor_name text not null,
      action text not null,
      summary text not null,
      subject text not null,
      fields text not null default '',
      address text
    )`.execute(database);
    await sql`create index audit_events_page on audit_events (organization_id, id desc)`.execute(database);
    await sql`create index audit_events_age on audit_events (occurred_at)`.execute(database);
    await sql`alter table alerts add column muted_at timestamptz(3), add column muted_by text`.execute(
      database,
    );
  },
};
