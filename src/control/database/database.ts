import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { databaseHosts } from '../../config/store-settings.js';
import { FailoverPool, primaryOf } from './failover-pool.js';
import { buildLargeIndexes } from './large-indexes.js';
import { stepsOfOperators } from './later-steps.js';
import { migrations } from './migrations.js';
import type { Database } from './tables.js';

export type { Database };

export interface DatabaseSettings {
  /** `postgres://user:password@host,host/name`, of which the primary is used; or `socket:/directory?db=name`. */
  readonly url: string;
  readonly maximumConnections: number;
  /** Timeout of one statement, and of waiting for a connection. */
  readonly timeoutMilliseconds: number;
}

/** Connects on first use. `onLost` is called for connections that break while idle; the pool replaces them. */
export function openDatabase(settings: DatabaseSettings, onLost: (error: Error) => void): Kysely<Database> {
  const open = (url: string) => openPool(url, settings, onLost);
  const isOne = databaseHosts(settings.url).length === 1;
  const pool = isOne ? open(settings.url) : new FailoverPool(settings.url, open);
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

function openPool(url: string, settings: DatabaseSettings, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: settings.maximumConnections,
    connectionTimeoutMillis: settings.timeoutMilliseconds,
    statement_timeout: settings.timeoutMilliseconds,
    // Client-side timeout, for a server that does not enforce its own.
    query_timeout: settings.timeoutMilliseconds + 500,
    // A hung process must not keep a number locked.
    idle_in_transaction_session_timeout: settings.timeoutMilliseconds,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'demarc-control',
  });
  pool.on('error', onLost);
  // Without it, a connection that breaks between two statements of a transaction ends the process; the next one rejects.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * A step that an earlier release cannot run beside: it removes or renames something, or requires a value that releases before did not write.
 * All other steps only add to the schema (expand), so that the release before continues to work.
 */
const contracting = /^\d{4}-contract-/;

/**
 * Migrates the schema; if several processes call this at once, one of them does the work. What a later release has added to it
 * stays, so that a release can be undone by starting the one before. A new database also gets its large indexes (`large-indexes.ts`).
 * Throws the PostgreSQL error, and throws if a later release has contracted the schema.
 */
export async function migrate(url: string): Promise<readonly string[]> {
  // A separate connection: a long step, or waiting for another process's step, must not hit the pool's timeout.
  const connectionString = await primaryOf(url);
  const pool = new pg.Pool({ connectionString, max: 1, application_name: 'demarc-migrations' });
  pool.on('error', () => {});
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const before = await appliedSteps(pool);
    const later = before.filter((name) => !(name in migrations));
    const contracted = later.find((name) => contracting.test(name) && !stepsOfOperators.includes(name));
    if (contracted !== undefined) {
      throw new Error(
        `The database was contracted by a later release (${contracted}): start that release, or restore the backup of before.`,
      );
    }
    // The migrator would read the columns of all tables twice: 40 ms of processor time at each start.
    if (Object.keys(migrations).every((name) => before.includes(name))) return [];
    // The migrator knows applied steps by their names alone.
    const applied = Object.fromEntries(later.map((name) => [name, { up: async () => {} }]));
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: async () => ({ ...applied, ...migrations }) },
      // Steps are numbered when work on them begins, and may be released in another order.
      allowUnorderedMigrations: true,
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    const steps = (results ?? []).map(({ migrationName }) => migrationName);
    const [first = ''] = Object.keys(migrations);
    if (steps.includes(first)) await onOneConnection(pool, buildNewIndexes);
    return steps;
  } finally {
    await database.destroy();
  }
}

const buildNewIndexes = (client: pg.ClientBase): Promise<unknown> =>
  buildLargeIndexes(client, { besideWriters: false });

async function onOneConnection(
  pool: pg.Pool,
  act: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await act(client);
  } finally {
    client.release();
  }
}

/** Names of the steps that the database has had; none before the first one. */
async function appliedSteps(pool: pg.Pool): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string | null }>(
    "select to_regclass('kysely_migration')::text as name",
  );
  if (tables[0]?.name == null) return [];
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/**
 * SQLSTATE: 08 connection, 53 resources, 57P shutdown and start, 57014 statement timeout, 25P03 idle in transaction, 25006 a
 * standby, 40001 and 40P01 conflicts that a repetition ends; and what sockets say.
 */
const unavailable =
  /^(08|53|57P|57014|25P03|25006|40001|40P01)|^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|ENOTFOUND)/;

/** True for a connection or server failure, false for a failure of the statement. */
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
