import { type Kysely, type Migration, sql } from 'kysely';

/** Who receives a delivery, so that receivers take turns, and receivers that do not respond are asked one delivery at a time. */
export const deliveryReceivers: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    // The endpoint; without one the origin of the URL, or the channel. A function in place of a column, which would rewrite the table.
    await sql`create function delivery_receiver(endpoint_id text, channel text, target text) returns text
      language sql immutable parallel safe as $$
        select coalesce(endpoint_id, case when channel = 'webhook'
          then 'webhook ' || lower(left(coalesce(substring(target from '^[^/?#]*//[^/?#]*'), ''), 300))
          else channel end)
      $$`.execute(database);
    await sql`create table silent_receivers (
      organization_id text not null references organizations (id) on delete cascade,
      receiver text not null,
      timeouts integer not null,
      silent_since timestamptz(3) not null,
      paused_until timestamptz(3),
      primary key (organization_id, receiver)
    )`.execute(database);
    await sql`alter table webhook_endpoints
      add column dropped_deliveries bigint not null default 0`.execute(database);
  },
};
