import { type Kysely, type Migration, sql } from 'kysely';

/** Simulation sets; their runs name them. */
export const simulationSets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_simulation_sets (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      scenario_ids uuid[] not null,
      simulations_per_scenario integer not null,
      version_number integer,
      trigger_source text not null check (trigger_source in ('api', 'dashboard', 'ci')),
      webhook_url text,
      status text check (status in ('PASSED', 'FAILED', 'ERROR', 'CANCELLED')),
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      primary key (organization_id, id),
      check ((status is null) = (completed_at is null))
    )`.execute(database);
  },
};
