import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Call history. Every index ends in the order of the pages, newest first, so that a page reads its own rows and no
 * others, however many calls there are.
 */
export const calls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table calls (
      call_id text primary key,
      organization_id text,
      number text,
      direction text not null,
      caller text not null,
      called text not null,
      sip_call_id text not null,
      source_address text not null,
      started_at timestamptz(3) not null,
      answered_at timestamptz(3),
      ended_at timestamptz(3) not null,
      duration_milliseconds integer not null,
      outcome text not null,
      sip_status integer,
      sip_reason text,
      ended_by text not null,
      end_reason text not null,
      record bytea not null
    )`.execute(database);
    // Compressed already; out of line, pages of calls stay dense.
    await sql`alter table calls alter column record set storage external`.execute(database);
    await sql`alter table calls set (toast_tuple_target = 512)`.execute(database);
    const order = sql`started_at desc, call_id desc`;
    await sql`create index calls_page on calls (organization_id, ${order})`.execute(database);
    await sql`create index calls_number_page on calls (organization_id, number, ${order})`.execute(database);
    await sql`create index calls_status_page on calls (organization_id, sip_status, ${order})`.execute(
      database,
    );
    await sql`create index calls_outcome_page on calls (organization_id, outcome, ${order})`.execute(
      database,
    );
    await sql`create index calls_direction_page on calls (organization_id, direction, ${order})`.execute(
      database,
    );
    // For retention alone, in a form that no page can be tempted to read.
    await sql`create index calls_age on calls using brin (started_at) with (autosummarize = on)`.execute(
      database,
    );
    await sql`create table refused_call_records (
      entry_id text primary key,
      entry bytea not null,
      problem text not null,
      refused_at timestamptz not null default now()
    )`.execute(database);
  },
};
