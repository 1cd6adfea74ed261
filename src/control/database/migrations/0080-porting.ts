import { type Kysely, type Migration, sql } from 'kysely';

const status = sql.raw(
  "('waiting_for_signature', 'submitted', 'in_progress', 'completed', 'failed', 'canceled')",
);
const active = sql.raw("('waiting_for_signature', 'submitted', 'in_progress')");

/** Number porting: requests, their numbers, every move, documents and letters. */
export const porting: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table port_requests (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      status text not null check (status in ${status}),
      carrier text not null,
      carrier_reference text,
      information text not null,
      authorized_email text not null,
      notification_emails jsonb not null,
      documents jsonb not null,
      target_day text not null,
      carrier_due_at timestamptz(3),
      carrier_lease_until timestamptz(3),
      carrier_failures integer not null default 0,
      carrier_problem text,
      submission_begun_at timestamptz(3),
      carrier_canceled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      ended_at timestamptz(3)
    )`.execute(database);
    await sql`create index port_requests_page on port_requests (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    await sql`create index port_requests_due on port_requests (carrier_due_at)
      where carrier_due_at is not null`.execute(database);
    await sql`create unique index port_requests_reference on port_requests (carrier, carrier_reference)
      where carrier_reference is not null`.execute(database);
    await sql`create table port_numbers (
      request_id text not null references port_requests (id) on delete cascade,
      organization_id text not null,
      number text not null,
      position integer not null,
      status text not null check (status in ${status}),
      number_type text not null,
      reason text,
      attached_at timestamptz(3),
      updated_at timestamptz(3) not null default now(),
      primary key (request_id, number)
    )`.execute(database);
    // A number is in one request of an organization at a time.
    await sql`create unique index port_numbers_active on port_numbers (organization_id, number)
      where status in ${active}`.execute(database);
    await sql`create table port_moves (
      id bigint generated always as identity primary key,
      request_id text not null references port_requests (id) on delete cascade,
      number text,
      from_status text,
      to_status text not null,
      actor text not null,
      actor_name text not null,
      reason text not null,
      moved_at timestamptz(3) not null default now()
    )`.execute(database);
    // A move is made once.
    await sql`create unique index port_moves_once on port_moves
      (request_id, coalesce(number, ''), coalesce(from_status, ''), to_status)`.execute(database);
    await sql`create table port_documents (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      kind text not null check (kind in ('proof', 'letter', 'signed_letter')),
      request_id text references port_requests (id) on delete set null,
      media_type text not null,
      octets integer not null,
      sha256 bytea not null,
      sealed_key text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index port_documents_of on port_documents (request_id) where request_id is not null`.execute(
      database,
    );
    await sql`create table port_letters (
      request_id text primary key references port_requests (id) on delete cascade,
      link_number integer not null default 1,
      token_hash bytea not null unique,
      expires_at timestamptz(3) not null,
      letter_id text not null,
      signed_letter_id text,
      signer_name text,
      signer_address text,
      signer_agent text,
      shown_sha256 bytea,
      signed_at timestamptz(3)
    )`.execute(database);
  },
};
