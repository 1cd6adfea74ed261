import { type Kysely, type Migration, sql } from 'kysely';

/** How many contacts an organization has and how many new callers a number had, so that random callers do not fill the tables. */
export const contactBounds: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table contact_counts (
      organization_id text primary key references organizations (id) on delete cascade,
      contacts integer not null,
      counted_at timestamptz(3) not null
    )`.execute(database);
    await sql`create table new_callers (
      organization_id text not null references organizations (id) on delete cascade,
      number text not null,
      day date not null,
      callers bigint not null,
      is_reported boolean not null default false,
      primary key (organization_id, number, day)
    )`.execute(database);
  },
};
