import { type Kysely, type Migration, sql } from 'kysely';

/** How ordered calls ended that no edge reported. `settled`: the search for the call is over. */
export const lostCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table ordered_calls
      add column settled boolean not null default false,
      add column lost jsonb`.execute(database);
    await sql`update ordered_calls set settled = true
      where exists (select from calls where calls.call_id = ordered_calls.call_id)`.execute(database);
    await sql`create index ordered_calls_unsettled on ordered_calls (created_at) where not settled`.execute(
      database,
    );
    // The column itself stays for a control of the release before, which may still run.
    await sql`drop index ordered_calls_webhook`.execute(database);
  },
};
