import { type Kysely, type Migration, sql } from 'kysely';

/** Scenarios that run again and again; simulation sets name the schedule that started them. */
export const testSchedules: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_schedules (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      name text not null,
      scenario_ids uuid[] not null,
      simulations_per_scenario integer not null,
      version text not null,
      channel text,
      matrix jsonb,
      recurrence jsonb not null,
      required_pass_rate double precision not null,
      notify_contacts boolean not null,
      enabled boolean not null,
      next_run_at timestamptz(3),
      last_run_at timestamptz(3),
      last_set_id uuid,
      state text check (state in ('passing', 'failing')),
      state_since timestamptz(3),
      problem text,
      lowest_pass_rate double precision,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, id),
      check ((state is null) = (state_since is null)),
      check (enabled = (next_run_at is not null))
    )`.execute(database);
    await sql`create index agent_test_schedules_due on agent_test_schedules (next_run_at)
      where next_run_at is not null`.execute(database);
    await sql`alter table agent_test_simulation_sets add column schedule_id uuid`.execute(database);
  },
};
