import { type Kysely, type Migration, sql } from 'kysely';

/** Agents of outbound directions, and of versions of personas. */
export const moreAgents: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table configurations add column agent text`.execute(database);
    await sql`alter table persona_versions add column agent jsonb`.execute(database);
  },
};
