import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/control/database/database.js';
import { PrivatePostgres } from './postgres.js';
import { readShared, shareWithFiles } from './shared-by-files.js';

interface SharedPostgres {
  /** Of the database to which `CREATE DATABASE` connects. */
  readonly url: string;
  /** Files of a server that has the migrated database. */
  readonly copy: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly sharedPostgres: string;
  }
}

const migrated = 'migrated';
const startMilliseconds = 60_000;

/**
 * One PostgreSQL for the test files that neither stop it nor change its settings: a server for each and the migrations in it
 * take 1.6 s of CPU, a copy of a migrated database a tenth of that.
 */
export default function sharePostgres(project: TestProject): () => Promise<void> {
  return shareWithFiles<SharedPostgres>(
    (file) => project.provide('sharedPostgres', file),
    async (stops) => {
      // Autovacuum would analyze tables at moments that no test chooses.
      const postgres = await PrivatePostgres.start([
        'max_connections=400',
        'shared_buffers=128MB',
        'autovacuum=off',
        // Each new database begins with a checkpoint, after which every page would be written to the log again.
        'full_page_writes=off',
      ]);
      stops.push(() => postgres.stop());
      const address = await postgres.database(migrated);
      await migrate(address);
      const copy = await postgres.copy();
      // The first connection to a database writes a file with what each one reads of the catalog; copies of the database have it then.
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.end();
      return { url: postgres.url, copy };
    },
  );
}

const shared = (): Promise<SharedPostgres> =>
  readShared<SharedPostgres>(inject('sharedPostgres'), startMilliseconds);

/** A server for a test that kills it, with a database that has our schema: a copy of the files instead of the migrations. */
export async function privateDatabase(): Promise<{ postgres: PrivatePostgres; url: string }> {
  const { copy } = await shared();
  const postgres = await PrivatePostgres.start([], copy);
  return { postgres, url: postgres.urlOf(migrated) };
}

/**
 * Makes a database with our schema that no other file uses; returns its address. To copy its files takes half the processor time of
 * writing each page to the log, the default.
 */
export const sharedDatabase = (): Promise<string> =>
  createDatabase(`TEMPLATE ${migrated} STRATEGY file_copy`);

/** The same without a table. */
export const sharedEmptyDatabase = (): Promise<string> => createDatabase();

async function createDatabase(options = ''): Promise<string> {
  const { url } = await shared();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} ${options}`);
  } finally {
    await client.end();
  }
  return url.replace(/\/postgres\?/, `/${name}?`);
}
