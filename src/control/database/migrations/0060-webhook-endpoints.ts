import { type Kysely, type Migration, sql } from 'kysely';

/** Webhook endpoints that an organization registers, their deliveries, and every attempt of a delivery. */
export const webhookEndpoints: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table webhook_endpoints (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      url text not null,
      description text not null default '',
      events jsonb not null,
      enabled boolean not null default true,
      disabled_reason text check (disabled_reason in ('request', 'failing')),
      disabled_at timestamptz(3),
      failing_since timestamptz(3),
      secret text not null,
      previous_secret text,
      previous_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index webhook_endpoints_page on webhook_endpoints
      (organization_id, created_at desc, id desc)`.execute(database);
    await sql`alter table webhook_secrets
      add column previous_secret text,
      add column previous_until timestamptz(3)`.execute(database);
    // No foreign key: the log of what was sent outlives the endpoint.
    await sql`alter table deliveries
      add column endpoint_id text,
      add column event_id text`.execute(database);
    await sql`drop index deliveries_once`.execute(database);
    await sql`create unique index deliveries_once on deliveries (subject, event, channel, md5(target))
      where endpoint_id is null`.execute(database);
    await sql`create unique index deliveries_once_an_endpoint on deliveries (endpoint_id, event_id)
      where endpoint_id is not null`.execute(database);
    await sql`create table delivery_attempts (
      id bigint generated always as identity primary key,
      delivery_id text not null references deliveries (id) on delete cascade,
      attempted_at timestamptz(3) not null default now(),
      status integer,
      error text,
      milliseconds integer not null
    )`.execute(database);
    await sql`create index delivery_attempts_of on delivery_attempts (delivery_id, id)`.execute(database);
  },
};
