import { type Kysely, type Migration, sql } from 'kysely';

/** Who ended the conversation of an agent test, and whether the caller was transferred. */
export const testEndings: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_test_conversations add column ending jsonb`.execute(database);
  },
};
