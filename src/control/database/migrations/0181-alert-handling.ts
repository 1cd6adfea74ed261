import { type Kysely, type Migration, sql } from 'kysely';

/** Who has taken an alert on, and until when its notices are muted. */
export const alertHandling: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table alerts
      add column acknowledged_at timestamptz(3),
      add column acknowledged_by text,
      add column note text,
      add column muted_until timestamptz(3)`.execute(database);
    await sql`create index alerts_muted on alerts (muted_until) where muted_until is not null`.execute(
      database,
    );
  },
};
