import { type Kysely, type Migration, sql } from 'kysely';

/** A call that rang when its edge was lost, and that another edge began again, has two records: it counts once, as the later one. */
export const continuedCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table calls add column continued_as text`.execute(database);
    await sql`create or replace view ended_calls as
      select organization_id, call_id, number, direction, source_address, started_at, ended_at, end_reason, sip_status, test_run_id
      from calls where continued_as is null`.execute(database);
  },
};
