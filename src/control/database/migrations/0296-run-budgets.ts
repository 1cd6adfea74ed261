import { type Kysely, type Migration, sql } from 'kysely';

/** Token budgets of single agent tests, and of those that are started together. */
export const runBudgets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_test_budgets
      add column tokens_per_run bigint, add column tokens_per_set bigint, add column tokens_per_gate bigint`.execute(
      database,
    );
    await sql`alter table agent_test_runs add column token_budget bigint`.execute(database);
    for (const table of ['batches', 'simulation_sets'])
      await sql`alter table ${sql.table(`agent_test_${table}`)}
        add column token_budget bigint, add column budget_tokens_used bigint not null default 0`.execute(
        database,
      );
  },
};
