import { type Kysely, type Migration, sql } from 'kysely';

/** What the calls of each minute came to, so that overviews and plots never read the calls themselves. */
export const callMinutes: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table call_minutes (
      organization_id text not null,
      minute timestamptz not null,
      direction text not null,
      outcome text not null,
      end_reason text not null,
      sip_status integer not null,
      calls integer not null,
      answered integer not null,
      setup_milliseconds double precision not null,
      rung integer not null,
      ringing_milliseconds double precision not null,
      primary key (organization_id, minute, direction, outcome, end_reason, sip_status)
    )`.execute(database);
    await sql`create index call_minutes_age on call_minutes using brin (minute)`.execute(database);
    const sums = sql`direction, outcome, end_reason, coalesce(sip_status, 0), count(*), count(answered_at),
      coalesce(sum(extract(epoch from answered_at - started_at) * 1000), 0), 0, 0`;
    const lately = sql`ended_at > now() - interval '31 days'`;
    await sql`insert into call_minutes select organization_id, date_trunc('minute', ended_at), ${sums} from calls
      where organization_id is not null and ${lately} group by 1, 2, 3, 4, 5, 6`.execute(database);
    await sql`insert into call_minutes select '*', date_trunc('minute', ended_at), ${sums} from calls
      where ${lately} group by 1, 2, 3, 4, 5, 6`.execute(database);
  },
};
