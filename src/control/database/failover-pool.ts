import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { RecurringTask } from '../../base/recurring-task.js';
import { within } from '../../base/within.js';
import { databaseHosts } from '../../config/store-settings.js';

/** How long each host may take to say whether it is the primary; one on a dead machine says nothing. */
const askMilliseconds = 1_000;
/** SQLSTATE: the client could not connect. */
const unreachable = '08001';
/** How soon a primary that still answers is left after another host was promoted. */
const compareMilliseconds = 5_000;

/** No host of a URL is a primary that can be written to. */
class NoPrimary extends Error {
  readonly code = unreachable;
}

/** URL of the host that can be written to; of several, as after a split, the one that was promoted last. Rejects where there is none. */
export async function primaryOf(url: string): Promise<string> {
  const hosts = databaseHosts(url);
  if (hosts.length === 1) return url;
  return latestPrimary(await Promise.all(hosts.map(askHost)));
}

/** Throws where no host can be written to. */
export function latestPrimary(answers: readonly HostAnswer[]): string {
  const primaries = answers.filter(({ timeline }) => timeline !== undefined);
  const [latest] = primaries.toSorted((first, second) => second.timeline! - first.timeline!);
  if (latest !== undefined) return latest.url;
  const states = answers.map(({ url: host, problem }) => `${nameOf(host)} ${problem}`);
  throw new NoPrimary(`No host of DATABASE_URL can be written to: ${states.join(', ')}.`);
}

export interface HostAnswer {
  readonly url: string;
  /** Grows with every promotion. Absent: it is no primary, or cannot be reached. */
  readonly timeline?: number;
  readonly problem?: string;
}

async function askHost(url: string): Promise<HostAnswer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askMilliseconds,
    query_timeout: askMilliseconds,
    application_name: 'demarc-primary',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(`
      select case when current_setting('transaction_read_only') = 'off'
        then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`);
    const timeline = rows[0]?.timeline ?? undefined;
    return timeline === undefined ? { url, problem: 'is read-only' } : { url, timeline };
  } catch (error) {
    return { url, problem: `is not reachable (${(error as Error).message})` };
  } finally {
    // A hung server does not close it.
    void within(askMilliseconds, client.end());
  }
}

export function nameOf(url: string): string {
  const [, host = ''] = /^[^/]*\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url) ?? [];
  return host === '' ? 'its socket' : host;
}

/**
 * A pool on the primary of several hosts. It looks for the primary at first and when a connection fails, breaks, or is silent; what was in
 * progress rejects as when a single server restarts.
 */
export class FailoverPool implements PostgresPool {
  private pool: Promise<pg.Pool> | undefined;
  /** URL of the host that it is on. */
  private host: string | undefined;
  private isEnded = false;
  private readonly comparison = new RecurringTask(() => this.compare(), {
    everyMilliseconds: compareMilliseconds,
  });

  constructor(
    private readonly url: string,
    private readonly open: (url: string) => pg.Pool,
  ) {
    this.comparison.start();
  }

  async connect(): Promise<PostgresPoolClient> {
    for (let isFirst = true; ; isFirst = false) {
      const pool = this.current();
      try {
        return this.watched(await (await pool).connect(), pool);
      } catch (error) {
        // All of its connections are in use.
        if (/^timeout exceeded when trying/.test((error as Error).message)) throw error;
        this.leave(pool);
        if (!isFirst || this.isEnded) throw error;
      }
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.comparison.stop();
    const { pool } = this;
    this.pool = undefined;
    await pool?.then(
      (open) => open.end(),
      () => {},
    );
  }

  private current(): Promise<pg.Pool> {
    this.pool ??= primaryOf(this.url).then((url) => {
      this.host = url;
      return this.open(url);
    });
    return this.pool;
  }

  private async compare(): Promise<void> {
    const { pool } = this;
    if (pool === undefined || (await primaryOf(this.url)) === this.host) return;
    this.leave(pool);
  }

  /** The next connection looks for the primary again; those in use end with their work. */
  private leave(pool: Promise<pg.Pool>): void {
    if (this.pool !== pool) return;
    this.pool = undefined;
    pool.then(
      (open) => void open.end().catch(() => {}),
      () => {},
    );
  }

  /** A connection that broke, is silent, or leads to a server that has become a standby is not used again. */
  private watched(client: pg.PoolClient, pool: Promise<pg.Pool>): PostgresPoolClient {
    let isLost = false;
    const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      try {
        return await client.query(text, [...values]);
      } catch (error) {
        if (isLosing(error)) {
          isLost = true;
          this.leave(pool);
        }
        throw error;
      }
    };
    return { query, release: () => client.release(isLost) } as unknown as PostgresPoolClient;
  }
}

/** SQLSTATE 08: connection, 57P: shutdown, 25006: read-only; the driver's own failures have no code. */
export const isLosing = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code === 'string') return /^(08|57P|25006|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code);
  return /[Cc]onnection terminated|Query read timeout|not queryable/.test(message ?? '');
};
