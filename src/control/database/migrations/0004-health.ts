import { type Kysely, type Migration, sql } from 'kysely';

/** Health of the customers' servers: the latest check, sums by the hour, and how far the stream of checks was read. */
export const health: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table endpoint_health (
      endpoint text primary key,
      checked_at timestamptz(3) not null,
      health jsonb not null
    )`.execute(database);
    await sql`create table endpoint_health_hours (
      endpoint text not null,
      hour timestamptz not null,
      checks integer not null,
      healthy integer not null,
      responses integer not null,
      response_milliseconds double precision not null,
      primary key (endpoint, hour)
    )`.execute(database);
    await sql`create table stream_positions (
      stream text primary key,
      entry_id text not null
    )`.execute(database);
  },
};
