import { type Kysely, type Migration, sql } from 'kysely';

/** The story of each time at which a verdict was red, and links to one call for people outside the organization. */
export const incidents: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table incidents (
      id text primary key,
      organization_id text references organizations (id) on delete cascade,
      title text not null,
      opened_at timestamptz not null,
      first_failure_at timestamptz,
      first_call_id text,
      reasons jsonb not null,
      changes jsonb not null,
      clear_since timestamptz,
      recovered_at timestamptz,
      acknowledged_at timestamptz,
      acknowledged_by text,
      note text
    )`.execute(database);
    // A verdict has one open incident, whichever process opens it.
    await sql`create unique index incidents_open on incidents (coalesce(organization_id, '')) where recovered_at is null`.execute(
      database,
    );
    await sql`create index incidents_of_organization on incidents (organization_id, opened_at desc, id desc)`.execute(
      database,
    );
    await sql`create index incidents_by_time on incidents (opened_at desc, id desc)`.execute(database);
    await sql`create table incident_watch (
      singleton boolean primary key default true check (singleton),
      watched_at timestamptz not null
    )`.execute(database);
    await sql`insert into incident_watch (watched_at) values ('-infinity')`.execute(database);
    await sql`create table call_shares (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      call_id text not null,
      hash bytea not null unique,
      created_at timestamptz not null default now(),
      created_by text not null,
      expires_at timestamptz not null
    )`.execute(database);
    await sql`create index call_shares_of_call on call_shares (organization_id, call_id)`.execute(database);
    await sql`create index call_shares_by_expiry on call_shares (expires_at)`.execute(database);
  },
};
