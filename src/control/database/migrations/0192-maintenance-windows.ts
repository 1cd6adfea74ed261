import { type Kysely, type Migration, sql } from 'kysely';

/** Planned work, during which alerts are recorded but not sent. */
export const maintenanceWindows: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table maintenance_windows (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      number text,
      trunk_id text references trunks (id) on delete cascade,
      kinds jsonb not null,
      time_zone text not null,
      schedule jsonb not null,
      enabled boolean not null default true,
      created_at timestamptz(3) not null default now(),
      created_by text not null,
      updated_at timestamptz(3) not null default now(),
      updated_by text not null,
      check (number is null or trunk_id is null)
    )`.execute(database);
    await sql`create index maintenance_windows_page on maintenance_windows
      (organization_id, created_at desc, id desc)`.execute(database);
    await sql`create index maintenance_windows_enabled on maintenance_windows (organization_id)
      where enabled`.execute(database);
    await sql`alter table alerts
      add column maintenance_window_id text,
      add column maintenance_window text,
      add column is_withheld boolean not null default false`.execute(database);
  },
};
