import { type Kysely, type Migration, sql } from 'kysely';

/** Runs that judge what was said in a real call, and the monitors that start them. */
export const testMonitors: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_monitors (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      name text not null,
      scenario_id uuid not null,
      number text,
      persona_id uuid,
      share double precision not null,
      required_pass_rate double precision not null,
      notify_contacts boolean not null,
      enabled boolean not null,
      examined_until timestamptz(3) not null default now(),
      unheard_calls integer not null default 0,
      state text check (state in ('passing', 'failing')),
      state_since timestamptz(3),
      problem text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id),
      check ((number is null) <> (persona_id is null)),
      check ((state is null) = (state_since is null))
    )`.execute(database);
    await sql`alter table agent_test_runs add column call_id text, add column monitor_id uuid`.execute(
      database,
    );
  },
};
