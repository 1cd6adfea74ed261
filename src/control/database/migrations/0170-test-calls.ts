import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of agent tests name their run: they are in the history, and count neither as usage nor as health. */
export const testCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table calls add column test_run_id text`.execute(database);
  },
};
