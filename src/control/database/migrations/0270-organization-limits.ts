import { type Kysely, type Migration, sql } from 'kysely';

/** Operators may set limits for one organization; null: those of the edges' settings. */
export const organizationLimits: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table organizations
      add column concurrent_calls integer check (concurrent_calls > 0),
      add column calls_per_second integer check (calls_per_second > 0)`.execute(database);
  },
};
