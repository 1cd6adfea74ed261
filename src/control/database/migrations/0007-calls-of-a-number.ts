import { type Kysely, type Migration, sql } from 'kysely';

/** The rare calls of a busy number, such as its failed ones, without reading the others. */
export const callsOfANumber: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const order = sql`started_at desc, call_id desc`;
    await sql`create index calls_number_outcome_page on calls (organization_id, number, outcome, ${order})`.execute(
      database,
    );
    await sql`create index calls_number_status_page on calls (organization_id, number, sip_status, ${order})`.execute(
      database,
    );
  },
};
