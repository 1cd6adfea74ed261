import { type Kysely, type Migration, sql } from 'kysely';

/** Simulation sets vary fields of their scenarios; null: they do not. */
export const testVariations: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_test_runs add column variation jsonb`.execute(database);
    await sql`alter table agent_test_simulation_sets add column matrix jsonb`.execute(database);
  },
};
