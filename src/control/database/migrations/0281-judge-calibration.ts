import { type Kysely, type Migration, sql } from 'kysely';

/** What people say of the verdicts of agent tests, and verdicts on runs that were judged again. */
export const judgeCalibration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_labels (
      organization_id text not null,
      run_id uuid not null,
      assertion_id uuid not null,
      passed boolean not null,
      note text,
      labelled_by text not null,
      labelled_at timestamptz not null default now(),
      primary key (organization_id, run_id, assertion_id),
      foreign key (organization_id, run_id) references agent_test_runs (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create table agent_test_judgements (
      organization_id text not null,
      run_id uuid not null,
      status text not null check (status in ('PASSED', 'FAILED', 'ERROR')),
      overall_score double precision,
      reasoning text not null,
      results jsonb not null,
      judge_model text,
      is_stand_in boolean not null,
      model_requests integer not null,
      prompt_tokens integer not null,
      completion_tokens integer not null,
      cost double precision,
      judged_at timestamptz not null default now(),
      primary key (organization_id, run_id),
      foreign key (organization_id, run_id) references agent_test_runs (organization_id, id) on delete cascade
    )`.execute(database);
  },
};
