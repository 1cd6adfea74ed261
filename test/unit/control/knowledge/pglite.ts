import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { migrations } from '../../../../src/control/database/migrations.js';
import type { Database } from '../../../../src/control/database/tables.js';

/** PostgreSQL in this process, with the extension pgvector that Debian 12 has no package for; all migrations are done. */
export async function pgliteDatabase(): Promise<Kysely<Database>> {
  const postgres = await start();
  const client = {
    // Octets of `pg` and of PGlite differ only in their class.
    query: async (text: string, parameters: unknown[] = []) => {
      const { rows, affectedRows } = await postgres.query<Record<string, unknown>>(text, parameters);
      return {
        command: text.trim().split(/\s/, 1)[0]!.toUpperCase(),
        rowCount: affectedRows ?? rows.length,
        rows: rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value instanceof Uint8Array ? Buffer.from(value) : value,
            ]),
          ),
        ),
      };
    },
    release: () => {},
  };
  const pool = { connect: async () => client, end: () => postgres.close() } as unknown as pg.Pool;
  const database = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await sql`select 1`.execute(database);
  return database;
}

/** Optimized machine code of PostgreSQL, of which a test runs each part briefly, would take more processor time than it saves. */
async function start(): Promise<PGlite> {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  try {
    return await PGlite.create({ extensions: { vector } });
  } finally {
    setFlagsFromString('--wasm-tier-up');
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}
