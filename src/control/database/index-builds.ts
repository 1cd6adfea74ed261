import pg from 'pg';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import { primaryOf } from './failover-pool.js';
import { buildLargeIndexes } from './large-indexes.js';

/** After a failure, and while another process is building. */
const retryMilliseconds = 10_000;

/** Builds large indexes that the schema lacks beside the API, which works without them, only slower. */
export class IndexBuilds {
  readonly name = 'indexes';
  private detail = 'not checked yet';
  private client: pg.Client | undefined;
  private readonly task: RecurringTask;

  constructor(
    private readonly databaseUrl: string,
    private readonly log: Logger,
  ) {
    this.task = new RecurringTask(() => this.build(), {
      retryMilliseconds,
      failed: (error) => {
        if (!this.task.isStopped)
          log.warn({ error: error.message }, 'Could not build the indexes of the database.');
      },
    });
  }

  async start(): Promise<void> {
    void this.task.next();
  }

  /** A build that is in progress ends with its connection; the next start repeats it. */
  async stop(): Promise<void> {
    const stopped = this.task.stop();
    await this.client?.end().catch(() => {});
    await stopped;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.detail };
  }

  /** Resolves with the milliseconds until the next attempt; undefined: all is built. */
  private async build(): Promise<number | undefined> {
    const client = new pg.Client({
      connectionString: await primaryOf(this.databaseUrl),
      application_name: 'demarc-indexes',
    });
    client.on('error', () => {});
    this.client = client;
    try {
      await client.connect();
      const isDone = await buildLargeIndexes(client, {
        besideWriters: true,
        building: (name) => {
          this.detail = `building ${name}`;
          this.log.info({ index: name }, 'Building an index of the database.');
        },
      });
      this.detail = isDone ? 'all built' : 'another process is building';
      return isDone ? undefined : retryMilliseconds;
    } finally {
      this.client = undefined;
      await client.end().catch(() => {});
    }
  }
}
