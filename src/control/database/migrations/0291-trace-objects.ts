import { type Kysely, type Migration, sql } from 'kysely';

/** Objects with traces of calls in the object store, by which they are deleted when they are old. */
export const traceObjects: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table call_trace_objects (
      name text primary key,
      stored_at timestamptz not null default now()
    )`.execute(database);
    await sql`create index call_trace_objects_age on call_trace_objects (stored_at)`.execute(database);
  },
};
