import { type Kysely, type Migration, sql } from 'kysely';

/** Messages to customers outside of API answers (webhooks, mail, SMS) with the result of each delivery. */
export const deliveries: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table deliveries (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      event text not null,
      subject text not null,
      channel text not null check (channel in ('email', 'sms', 'webhook')),
      target text not null,
      content jsonb,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      last_status integer,
      last_error text,
      created_at timestamptz(3) not null default now(),
      last_attempt_at timestamptz(3),
      next_attempt_at timestamptz(3),
      delivered_at timestamptz(3),
      queue_at timestamptz(3) not null default now()
    )`.execute(database);
    // A digest, because an address may be longer than an entry of an index.
    await sql`create unique index deliveries_once on deliveries (subject, event, channel, md5(target))`.execute(
      database,
    );
    await sql`create index deliveries_page on deliveries (organization_id, created_at desc, id desc)`.execute(
      database,
    );
    await sql`create index deliveries_to_queue on deliveries (queue_at) where status = 'pending'`.execute(
      database,
    );
    await sql`create index deliveries_age on deliveries using brin (created_at) with (autosummarize = on)`.execute(
      database,
    );
    await sql`create table webhook_secrets (
      organization_id text primary key references organizations (id) on delete cascade,
      secret text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`alter table ordered_calls
      add column webhook text,
      add column webhook_settled boolean not null default false`.execute(database);
    await sql`create index ordered_calls_webhook on ordered_calls (created_at)
      where webhook is not null and not webhook_settled`.execute(database);
  },
};
