import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { healthStream } from '../../contract/health.js';
import type { Database } from '../database/tables.js';
import type { Logger } from '../log.js';
import { firstConnection, type Redis } from '../redis.js';
import { deleteOldChecks, type HealthEntry, readPosition, storeChecks } from './health-storage.js';

export interface HealthConsumerParts {
  readonly database: Kysely<Database>;
  /** A connection of its own: reading blocks it. */
  readonly reader: Redis;
  readonly log: Logger;
}

const batchSize = 500;
const blockMilliseconds = 1_000;
const retryMilliseconds = 500;
const tidyMilliseconds = 3_600_000;

/** Brings the checks of the customers' servers from the stream to PostgreSQL. */
export class HealthConsumer {
  readonly name = 'trunk health';
  private stopped = false;
  private running: Promise<void> | undefined;
  private problem: string | undefined = 'not started';
  private tidiedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: HealthConsumerParts) {}

  async start(): Promise<void> {
    await firstConnection(this.parts.reader, retryMilliseconds);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.reader.disconnect();
    await this.running;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return this.problem === undefined
      ? { ready: true, detail: 'checks of servers are stored' }
      : { ready: false, detail: this.problem };
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const position = await readPosition(this.parts.database);
        await this.tidy();
        this.problem = undefined;
        await this.readFrom(position);
      } catch (error) {
        if (this.stopped) return;
        const message = error instanceof Error ? error.message : String(error);
        if (this.problem !== message) {
          this.parts.log.warn({ error: message }, 'Checks of servers are not stored for now.');
        }
        this.problem = message;
        await sleep(retryMilliseconds);
      }
    }
  }

  private async readFrom(start: string): Promise<void> {
    let position = start;
    while (!this.stopped) {
      if (this.parts.reader.status !== 'ready') throw new Error('Redis is away');
      const reply = await this.parts.reader.xread(
        'COUNT',
        batchSize,
        'BLOCK',
        blockMilliseconds,
        'STREAMS',
        healthStream,
        position,
      );
      const entries = (reply?.[0]?.[1] ?? []).map(entryOf);
      if (entries.length === 0) {
        if (performance.now() - this.tidiedAt > tidyMilliseconds) return;
        continue;
      }
      const stored = await storeChecks(this.parts.database, entries);
      position = stored.position;
      if (stored.refused > 0) {
        this.parts.log.error({ refused: stored.refused }, 'Entries of the stream of checks are no checks.');
      }
    }
  }

  private async tidy(): Promise<void> {
    if (performance.now() - this.tidiedAt < tidyMilliseconds) return;
    await deleteOldChecks(this.parts.database);
    this.tidiedAt = performance.now();
  }
}

function entryOf([id, fields]: [id: string, fields: string[]]): HealthEntry {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === 'health');
  return { id, json: at < 0 ? undefined : fields[at + 1] };
}
