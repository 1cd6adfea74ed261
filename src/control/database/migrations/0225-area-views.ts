import { type Kysely, type Migration, sql } from 'kysely';

/** What areas read of the tables of other areas. PostgreSQL replaces such a view by its table, so that the same indexes are used. */
export const areaViews: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create view ended_calls as
      select organization_id, call_id, number, direction, source_address, started_at, ended_at, end_reason, sip_status, test_run_id
      from calls`.execute(database);
    await sql`create view call_totals as
      select organization_id, minute, direction, outcome, end_reason, sip_status, calls, answered, setup_milliseconds, rung,
        ringing_milliseconds
      from call_minutes`.execute(database);
    await sql`create view server_checks as select endpoint, checked_at, health from endpoint_health`.execute(
      database,
    );
    await sql`create view trunk_directions as select organization_id, directions from trunks`.execute(
      database,
    );
  },
};
