import { type Kysely, type Migration, sql } from 'kysely';

/** Tornado sessions with their iterations; their runs name them. */
export const tornado: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_tornado_sessions (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      pathway_id uuid not null,
      scenario_ids uuid[] not null,
      base_version integer not null,
      forked_version integer,
      status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED_ALL_PASSED',
        'COMPLETED_PARTIAL', 'TIMEOUT', 'STUCK', 'CANCELLED', 'ERROR')),
      max_iterations integer not null,
      timeout_ms integer not null,
      unfixable_ids uuid[] not null default '{}',
      error_message text,
      lease_owner uuid,
      lease_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      primary key (organization_id, id),
      check ((status = 'RUNNING') = (completed_at is null)),
      check (status <> 'ERROR' or error_message is not null)
    )`.execute(database);
    // Of each pathway one at a time, whatever runs at the same time.
    await sql`create unique index agent_test_tornado_running on agent_test_tornado_sessions (organization_id, pathway_id)
      where status = 'RUNNING'`.execute(database);
    await sql`create table agent_test_tornado_iterations (
      organization_id text not null,
      session_id uuid not null,
      iteration integer not null,
      batch_id uuid not null,
      version_number integer not null,
      outcomes jsonb not null default '[]',
      passed_ids uuid[] not null default '{}',
      failed_ids uuid[] not null default '{}',
      newly_unfixable_ids uuid[] not null default '{}',
      fixes jsonb,
      prompt_excerpt text,
      started_at timestamptz(3) not null default now(),
      evaluated_at timestamptz(3),
      completed_at timestamptz(3),
      primary key (organization_id, session_id, iteration),
      foreign key (organization_id, session_id)
        references agent_test_tornado_sessions (organization_id, id) on delete cascade
    )`.execute(database);
  },
};
