import { type Kysely, type Migration, sql } from 'kysely';

/** Token budgets of agent tests, and the pages of what they are spent on. */
export const testBudgets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_token_days (
      organization_id text not null references organizations (id) on delete cascade,
      day date not null,
      tokens bigint not null,
      primary key (organization_id, day)
    )`.execute(database);
    await sql`create table agent_test_budgets (
      organization_id text primary key references organizations (id) on delete cascade,
      tokens_per_day bigint,
      tokens_per_month bigint
    )`.execute(database);
    for (const table of ['batches', 'simulation_sets', 'tornado_sessions'])
      await sql`create index ${sql.ref(`agent_test_${table}_page`)} on ${sql.table(`agent_test_${table}`)}
        (organization_id, created_at desc, id desc)`.execute(database);
  },
};
