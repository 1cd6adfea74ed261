import { type Kysely, type Migration, sql } from 'kysely';

/** Alerts with their history and receivers, and the health of servers that they are computed from. */
export const alerts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table alerts (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      number text not null,
      direction text not null check (direction in ('inbound', 'outbound')),
      kind text not null check (kind in ('unreachable', 'failure_rate', 'response_time')),
      state text not null default 'active' check (state in ('active', 'recovered', 'closed')),
      since timestamptz(3) not null,
      fired_at timestamptz(3) not null,
      recovered_at timestamptz(3),
      clear_since timestamptz(3),
      measured double precision,
      threshold double precision not null,
      title text not null,
      summary text not null,
      cause text not null,
      advice text not null
    )`.execute(database);
    // Whatever processes do at the same time: one active alert of a kind.
    await sql`create unique index alerts_active on alerts (number, direction, kind) where state = 'active'`.execute(
      database,
    );
    await sql`create index alerts_page on alerts
      (organization_id, (state = 'active') desc, fired_at desc, id desc)`.execute(database);
    await sql`create index alerts_age on alerts (fired_at)`.execute(database);
    await sql`create table alert_contacts (
      organization_id text primary key references organizations (id) on delete cascade,
      emails jsonb not null default '[]',
      phone_numbers jsonb not null default '[]',
      updated_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create table alert_evaluation (
      singleton boolean primary key default true check (singleton),
      evaluated_at timestamptz(3) not null
    )`.execute(database);
    await sql`insert into alert_evaluation (evaluated_at) values ('-infinity')`.execute(database);
    await sql`alter table endpoint_health
      add column since timestamptz(3),
      add column response_average double precision`.execute(database);
  },
};
