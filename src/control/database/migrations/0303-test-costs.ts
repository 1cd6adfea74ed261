import { type Kysely, type Migration, sql } from 'kysely';

/** Prices of models for each organization, what agent tests cost, and budgets in money. */
export const testCosts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_model_prices (
      organization_id text not null references organizations (id) on delete cascade,
      model text not null,
      prompt double precision not null,
      completion double precision not null,
      primary key (organization_id, model)
    )`.execute(database);
    await sql`create table agent_test_cost_days (
      organization_id text not null references organizations (id) on delete cascade,
      day date not null,
      currency text not null,
      cost numeric not null,
      primary key (organization_id, day, currency)
    )`.execute(database);
    await sql`alter table agent_test_budgets add column currency text,
      add column cost_per_day double precision, add column cost_per_month double precision,
      add column cost_per_run double precision, add column cost_per_set double precision,
      add column cost_per_gate double precision`.execute(database);
    await sql`alter table agent_test_runs add column cost_currency text, add column cost_budget double precision`.execute(
      database,
    );
    await sql`alter table agent_test_judgements add column cost_currency text`.execute(database);
    for (const table of ['batches', 'simulation_sets', 'load_tests'])
      await sql`alter table ${sql.table(`agent_test_${table}`)} add column cost_currency text,
        add column cost_budget double precision, add column budget_cost_used numeric not null default 0,
        add column has_unpriced boolean not null default false`.execute(database);
    await sql`alter table agent_test_schedules add column budget_period text
      check (budget_period in ('day', 'week', 'month')), add column budget_tokens bigint,
      add column budget_cost double precision`.execute(database);
  },
};
