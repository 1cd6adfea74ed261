import { type Kysely, type Migration, sql } from 'kysely';

/** Numbers, and trunks that numbers share, whose active calls came near their limit, by day. */
export const numberLimitAlerts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table number_limit_alerts (
      organization_id text not null references organizations on delete cascade,
      day date not null,
      limited text not null,
      direction text not null,
      measured integer not null,
      allowed integer not null,
      fired_at timestamptz not null default now(),
      notified_at timestamptz,
      primary key (organization_id, day, limited, direction)
    )`.execute(database);
    await sql`create index number_limit_alerts_waiting on number_limit_alerts (organization_id) where notified_at is null`.execute(
      database,
    );
  },
};
