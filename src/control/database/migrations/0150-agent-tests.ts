import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Scenarios, batches, runs and their results. Lists and statistics read the narrow `agent_test_runs` alone; conversations are
 * in a table beside it, and what runs share (the scenario as it was) is stored once.
 */
export const agentTests: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_scenarios (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      pathway_id uuid,
      persona_id uuid,
      agent jsonb,
      agent_key text,
      name text not null,
      description text,
      category text not null,
      scenario_type text not null check (scenario_type in ('AGENT', 'REPLAY', 'HISTORICAL')),
      channel text not null check (channel in ('text', 'voice')),
      tester_persona_prompt text not null,
      tester_persona_name text,
      first_speaker text check (first_speaker in ('agent', 'caller')),
      max_turns integer not null check (max_turns between 1 and 50),
      request_data jsonb not null,
      start_node_id text,
      service_tone_enabled boolean not null,
      is_required_for_promotion boolean not null,
      enabled boolean not null,
      input_messages jsonb not null,
      advanced_instructions text,
      webhook_mocks jsonb not null,
      voice jsonb,
      metadata jsonb not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      primary key (organization_id, id),
      check (num_nonnulls(pathway_id, persona_id, agent) = 1)
    )`.execute(database);
    await sql`create unique index agent_test_scenarios_name on agent_test_scenarios
      (organization_id, coalesce(pathway_id, persona_id, '00000000-0000-0000-0000-000000000000'), name)
      where deleted_at is null`.execute(database);
    await sql`create index agent_test_scenarios_page on agent_test_scenarios
      (organization_id, created_at desc, id desc) where deleted_at is null`.execute(database);
    await sql`create table agent_test_assertions (
      organization_id text not null,
      scenario_id uuid not null,
      id uuid not null,
      position integer not null,
      type text not null,
      name text,
      config jsonb not null,
      is_required boolean not null,
      weight double precision not null,
      primary key (organization_id, scenario_id, position),
      foreign key (organization_id, scenario_id) references agent_test_scenarios (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create table agent_test_definitions (
      organization_id text not null references organizations (id) on delete cascade,
      digest bytea not null,
      definition jsonb not null,
      primary key (organization_id, digest)
    )`.execute(database);
    await sql`create table agent_test_batches (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      origin text not null,
      status text check (status in ('PASSED', 'FAILED', 'ERROR', 'CANCELLED')),
      total_runs integer not null,
      publish_on_pass boolean not null default false,
      webhook_url text,
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      primary key (organization_id, id)
    )`.execute(database);
    await sql`create table agent_test_runs (
      organization_id text not null references organizations (id) on delete cascade,
      id uuid not null,
      scenario_id uuid not null,
      pathway_id uuid,
      persona_id uuid,
      version_number integer,
      definition_digest bytea not null,
      channel text not null check (channel in ('text', 'voice')),
      origin text not null check (origin in ('api', 'dashboard', 'ci', 'gate', 'simulation', 'tornado')),
      batch_id uuid,
      simulation_set_id uuid,
      tornado_session_id uuid,
      status text not null
        check (status in ('PENDING', 'RUNNING', 'PASSED', 'FAILED', 'ERROR', 'CANCELLED')),
      turn_count integer not null default 0,
      duration_ms integer,
      overall_score double precision,
      tone_score double precision,
      nodes_visited text[] not null default '{}',
      current_node_id text,
      error_message text,
      agent_model text,
      tester_model text,
      judge_model text,
      is_stand_in boolean not null default false,
      model_requests integer not null default 0,
      prompt_tokens integer not null default 0,
      completion_tokens integer not null default 0,
      cost double precision,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      attempts integer not null default 0,
      cancel_requested_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      completed_at timestamptz(3),
      primary key (organization_id, id),
      foreign key (organization_id, definition_digest) references agent_test_definitions (organization_id, digest),
      check ((status in ('PENDING', 'RUNNING')) = (due_at is not null)),
      check ((status in ('PENDING', 'RUNNING')) = (completed_at is null)),
      check (status <> 'ERROR' or error_message is not null)
    )`.execute(database);
    await sql`create index agent_test_runs_due on agent_test_runs (organization_id, due_at)
      where due_at is not null`.execute(database);
    await sql`create index agent_test_runs_page on agent_test_runs
      (organization_id, created_at desc, id desc)`.execute(database);
    await sql`create index agent_test_runs_of_scenario on agent_test_runs
      (organization_id, scenario_id, created_at desc)`.execute(database);
    await sql`create index agent_test_runs_of_pathway on agent_test_runs
      (organization_id, pathway_id, completed_at desc) where pathway_id is not null`.execute(database);
    await sql`create index agent_test_runs_of_persona on agent_test_runs
      (organization_id, persona_id, completed_at desc) where persona_id is not null`.execute(database);
    await sql`create index agent_test_runs_of_batch on agent_test_runs (organization_id, batch_id)
      where batch_id is not null`.execute(database);
    await sql`create index agent_test_runs_of_set on agent_test_runs (organization_id, simulation_set_id)
      where simulation_set_id is not null`.execute(database);
    await sql`create index agent_test_runs_of_session on agent_test_runs (organization_id, tornado_session_id)
      where tornado_session_id is not null`.execute(database);
    await sql`create index agent_test_runs_of_definition on agent_test_runs
      (organization_id, definition_digest)`.execute(database);
    await sql`create table agent_test_conversations (
      organization_id text not null,
      run_id uuid not null,
      request_data jsonb not null,
      webhook_url text,
      chat_history jsonb not null,
      turn_details jsonb not null,
      variables jsonb not null,
      webhooks jsonb not null,
      service_tone jsonb,
      voice jsonb,
      reasoning text,
      end_reason text,
      node_names jsonb not null,
      analysis jsonb,
      primary key (organization_id, run_id),
      foreign key (organization_id, run_id) references agent_test_runs (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create table agent_test_results (
      organization_id text not null,
      run_id uuid not null,
      position integer not null,
      type text not null,
      status text not null check (status in ('PASSED', 'FAILED', 'ERROR')),
      is_required boolean not null,
      name text,
      result jsonb not null,
      primary key (organization_id, run_id, position),
      foreign key (organization_id, run_id) references agent_test_runs (organization_id, id) on delete cascade
    )`.execute(database);
  },
};
