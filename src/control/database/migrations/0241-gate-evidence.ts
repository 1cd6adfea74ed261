import { type Kysely, type Migration, sql } from 'kysely';

/** How often promotions and tornado run a scenario, and the pass rate that the runs must show. */
export const gateEvidence: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_test_scenarios
      add column promotion_runs integer not null default 5,
      add column required_pass_rate double precision not null default 0.65`.execute(database);
    await sql`alter table agent_test_tornado_sessions
      add column runs_per_scenario integer not null default 1,
      add column required_pass_rate double precision not null default 0`.execute(database);
  },
};
