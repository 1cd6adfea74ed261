import { type Kysely, type Migration, sql } from 'kysely';

/** What a key may do, until when, and when it last did something. */
export const keyScopes: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table api_keys
      add column scopes jsonb,
      add column expires_at timestamptz(3),
      add column last_used_at timestamptz(3)`.execute(database);
    await sql`create index api_keys_page on api_keys (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    await sql`drop index api_keys_organization`.execute(database);
  },
};
