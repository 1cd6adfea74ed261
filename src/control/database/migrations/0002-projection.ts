import { type Kysely, type Migration, sql } from 'kysely';

/** What brings committed changes to Redis. */
export const projection: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table number_revisions (
      number text primary key,
      revision bigint not null
    )`.execute(database);
    await sql`create table projection_outbox (
      id bigserial primary key,
      number text not null
    )`.execute(database);
    await sql`create table projection_identity (id uuid primary key default gen_random_uuid())`.execute(
      database,
    );
    await sql`insert into projection_identity default values`.execute(database);
  },
};
