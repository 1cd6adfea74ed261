import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of an organization may be kept for fewer days than those of the others. */
export const organizationRetention: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table organizations
      add column call_retention_days integer check (call_retention_days > 0)`.execute(database);
  },
};
