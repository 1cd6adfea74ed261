import { type Kysely, type Migration, sql } from 'kysely';

/** What a direction's calls may be transferred to, and how. */
export const transfers: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table direction_settings add column transfer jsonb`.execute(database);
  },
};
