import { type Kysely, type Migration, sql } from 'kysely';

/** What was sent and answered in each attempt of a webhook. */
export const deliveryExchanges: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table delivery_attempts
      add column request_head text,
      add column response_head text,
      add column response_body text`.execute(database);
    await sql`create index delivery_attempts_exchanges on delivery_attempts (attempted_at)
      where request_head is not null`.execute(database);
  },
};
