import { type Kysely, type Migration, sql } from 'kysely';

/** What the calls that started on one day (UTC) came to, and the most that were active at once. */
export const usage: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table call_days (
      organization_id text not null,
      day date not null,
      direction text not null,
      calls integer not null,
      answered integer not null,
      answered_milliseconds bigint not null,
      primary key (organization_id, day, direction)
    )`.execute(database);
    await sql`insert into call_days
      select organization_id, (started_at at time zone 'UTC')::date, direction, count(*), count(answered_at),
        coalesce(sum(extract(epoch from ended_at - answered_at) * 1000), 0)
      from calls where organization_id is not null group by 1, 2, 3`.execute(database);
    await sql`create table call_day_peaks (
      organization_id text not null,
      day date not null,
      peak integer not null,
      primary key (organization_id, day)
    )`.execute(database);
  },
};
