import { type Kysely, type Migration, sql } from 'kysely';

/** Load tests, and what their runs are measured by. */
export const loadTests: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_load_tests (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      scenario_ids uuid[] not null,
      version_number integer,
      channel text,
      steps jsonb not null,
      seconds_per_step integer,
      required_success_rate double precision not null,
      maximum_latency_ms integer,
      stop_below double precision,
      webhook_url text,
      token_budget bigint,
      budget_tokens_used bigint not null default 0,
      status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'CANCELLED', 'ERROR')),
      error_message text,
      results jsonb not null default '[]',
      step_attempts integer not null default 0,
      step_started_at timestamptz(3),
      lease_owner uuid,
      lease_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      primary key (organization_id, id),
      check ((status = 'RUNNING') = (completed_at is null))
    )`.execute(database);
    await sql`create unique index agent_test_load_tests_running on agent_test_load_tests (organization_id)
      where status = 'RUNNING'`.execute(database);
    await sql`alter table agent_test_runs add column load_test_id uuid, add column load_step integer,
      add column answer_ms integer, add column sip_status integer, add column failed_by text`.execute(
      database,
    );
  },
};
