import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations.js';
import type { Database } from './tables.js';

export type { Database };

export interface DatabaseSettings {
  /** `postgres://user:password@host/name`, or `socket:/directory?db=name`. */
  readonly url: string;
  readonly maximumConnections: number;
  /** Bound of one statement, and of the wait for a connection. */
  readonly timeoutMilliseconds: number;
}

/** Connects when first used. `onLost` hears of connections that break while idle; the pool replaces them. */
export function openDatabase(settings: DatabaseSettings, onLost: (error: Error) => void): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.maximumConnections,
    connectionTimeoutMillis: settings.timeoutMilliseconds,
    statement_timeout: settings.timeoutMilliseconds,
    // For a server that does not even say that it is too slow.
    query_timeout: settings.timeoutMilliseconds + 500,
    // A transaction whose process hangs must not keep a number locked.
    idle_in_transaction_session_timeout: settings.timeoutMilliseconds,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'demarc-control',
  });
  pool.on('error', onLost);
  // Without it, a connection that breaks between two statements of a transaction ends the process; the next one rejects.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Brings the schema up to date; several processes may do so at once, one of them does it.
 * Throws what PostgreSQL says, also when the database is newer than this program.
 */
export async function migrate(url: string): Promise<readonly string[]> {
  // A connection of its own: a long step, or the wait for another process's step, must not meet the pool's time limit.
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'demarc-migrations' });
  pool.on('error', () => {});
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: async () => migrations },
      // Steps are numbered when they are begun and released when they are done, which may be the other way round.
      allowUnorderedMigrations: true,
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map(({ migrationName }) => migrationName);
  } finally {
    await database.destroy();
  }
}

/**
 * SQLSTATE: 08 connection, 53 resources, 57P shutdown and start, 57014 statement timeout, 25P03 idle in transaction, 25006 a
 * standby, 40001 and 40P01 conflicts that a repetition ends; and what sockets say.
 */
const unavailable =
  /^(08|53|57P|57014|25P03|25006|40001|40P01)|^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|ENOTFOUND)/;

/** True for a failure of the way to PostgreSQL, false for one of the statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return unavailable.test(code);
  // The driver's own failures have no code.
  return /timeout exceeded when trying to connect|[Cc]onnection terminated|Query read timeout/.test(
    error.message,
  );
}

/** `migrate`, waiting for a PostgreSQL that is still starting. Throws when it takes longer. */
export async function migrateWhenReachable(
  url: string,
  waitMilliseconds: number,
  onWaiting: (error: Error) => void,
): Promise<readonly string[]> {
  const end = performance.now() + waitMilliseconds;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrate(url);
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error;
      if (isFirst) onWaiting(error as Error);
      await sleep(250);
    }
  }
}
