import { type Kysely, sql } from 'kysely';
import type { Database } from './tables.js';

/**
 * Names the history that the server writes: another cluster, a standby that was promoted and a backup that was restored have
 * another one. Undefined where the server does not say. Rejects while PostgreSQL is down.
 */
export async function serverIdentity(database: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ identity: string | null }>`
    select case when not pg_is_in_recovery() then
      system_identifier || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as identity
    from pg_control_system()`.execute(database);
  return rows[0]?.identity ?? undefined;
}
