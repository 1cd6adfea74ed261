import { type Kysely, type Migration, sql } from 'kysely';

/** Usage by number and agent, an allowance of minutes, and which alerts about limits were sent. */
export const usageByNumber: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table call_number_days (
      organization_id text not null,
      day date not null,
      number text not null,
      agent text not null,
      direction text not null,
      calls integer not null,
      answered integer not null,
      answered_milliseconds bigint not null,
      primary key (organization_id, day, number, agent, direction)
    )`.execute(database);
    await sql`alter table organizations
      add column minutes_per_month integer check (minutes_per_month > 0)`.execute(database);
    await sql`create table usage_alerts (
      organization_id text not null references organizations on delete cascade,
      kind text not null,
      period text not null,
      measured double precision not null,
      allowed integer not null,
      fired_at timestamptz not null default now(),
      primary key (organization_id, kind, period)
    )`.execute(database);
  },
};
