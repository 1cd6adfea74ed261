import { type Kysely, type Migration, sql } from 'kysely';

/** Requests with an `Idempotency-Key` may also come with the token of a call, which no row of `api_keys` stands for. */
export const requestsOfCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table idempotent_requests drop constraint idempotent_requests_key_id_fkey`.execute(
      database,
    );
  },
};
