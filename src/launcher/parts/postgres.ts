import { chmodSync } from 'node:fs';
import pg from 'pg';
import { PartFailed } from '../managed-process.js';
import { backgroundNiceness, type Part, type PartContext, until } from '../part.js';
import { PostgresUnusable, preparePostgres } from '../postgres-cluster.js';

export interface PostgresFacts {
  /** URL of the database that control uses; it exists from the start. */
  readonly url: string;
}

/** A private PostgreSQL: data and Unix socket in the state directory, no network listener. Throws `PartFailed`. */
export async function postgresPart({ directory }: PartContext): Promise<Part<PostgresFacts>> {
  // The server's user must be able to enter its folder below; the other folders stay private.
  if (process.getuid?.() === 0) chmodSync(directory.path, 0o711);
  try {
    const cluster = await preparePostgres(directory.postgres, { durable: true });
    const url = cluster.url('postgres');
    return {
      facts: { url },
      plan: {
        name: 'postgres',
        file: cluster.file,
        args: cluster.args,
        user: cluster.user,
        niceness: backgroundNiceness,
        answers: () => answers(url),
        mayStart: () => cluster.formerIsGone(),
        ready: ({ signal }) => until(() => answers(url), signal),
        // After a crash the server replays its log first.
        readyWithinMilliseconds: 60_000,
        graceMilliseconds: 5_000,
      },
    };
  } catch (failure) {
    if (failure instanceof PostgresUnusable)
      throw new PartFailed(`postgres: ${failure.message}`, { cause: failure });
    throw failure;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
