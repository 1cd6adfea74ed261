import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { firstConnection, type Redis } from '../../base/redis.js';
import { readAfter, type StreamEntry } from '../../base/stream.js';
import { WakeablePause } from '../../base/wakeable-pause.js';
import type { Database } from '../database/tables.js';
import { readPosition } from './stream-position.js';

export interface PositionedConsumerDeps {
  /** The name shown by the readiness probe. */
  readonly name: string;
  readonly stream: string;
  /** The field of an entry that is read. */
  readonly field: string;
  /** What is stored, in words: `health checks`. */
  readonly what: string;
  readonly database: Kysely<Database>;
  /** A separate connection, because it blocks on reads. */
  readonly reader: Redis;
  /**
   * Stores entries, each once; returns the new position and how many entries could not be read.
   * @param after the position they were read after
   */
  readonly store: (
    entries: readonly StreamEntry[],
    after: string,
  ) => Promise<{ readonly position: string; readonly refused: number }>;
  /** @param position up to which the stream is stored */
  readonly tidy: (position: string) => Promise<void>;
  /** How often `tidy` is called. */
  readonly tidyMilliseconds: number;
  /** Entries of this time are stored together; the first one after a quiet time does not wait. */
  readonly gatherMilliseconds: number;
  readonly log: Logger;
}

const readBounds = { count: 500, blockMilliseconds: 5_000 };
const retryMilliseconds = 500;

/** Stores a stream in PostgreSQL, in order. The position is stored with the entries, so each counts once. */
export class PositionedConsumer {
  readonly name: string;
  private stopped = false;
  private running: Promise<void> | undefined;
  private problem: string | undefined = 'not started';
  private tidiedAt = Number.NEGATIVE_INFINITY;
  private readonly pause = new WakeablePause();

  constructor(private readonly deps: PositionedConsumerDeps) {
    this.name = deps.name;
  }

  async start(): Promise<void> {
    await firstConnection(this.deps.reader, retryMilliseconds);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.wake();
    this.deps.reader.disconnect();
    await this.running;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return this.problem === undefined
      ? { ready: true, detail: `${this.deps.what} are stored` }
      : { ready: false, detail: this.problem };
  }

  private async run(): Promise<void> {
    const { database, stream, what, log } = this.deps;
    while (!this.stopped) {
      try {
        const position = await readPosition(database, stream);
        await this.tidy(position);
        this.problem = undefined;
        await this.readFrom(position);
      } catch (error) {
        if (this.stopped) return;
        const message = error instanceof Error ? error.message : String(error);
        if (this.problem !== message) log.warn({ error: message }, `Storing ${what} failed; retrying.`);
        this.problem = message;
        await sleep(retryMilliseconds);
      }
    }
  }

  private async readFrom(start: string): Promise<void> {
    const { reader, stream, field, what, store, gatherMilliseconds, log } = this.deps;
    let position = start;
    while (!this.stopped && !this.isTidyDue) {
      const entries = await readAfter(reader, { stream, field, position }, readBounds);
      if (entries.length === 0) continue;
      const readAt = performance.now();
      const stored = await store(entries, position);
      position = stored.position;
      if (stored.refused > 0) {
        log.error({ stream, refused: stored.refused }, `Invalid entries in the stream of ${what}.`);
      }
      const left = readAt + gatherMilliseconds - performance.now();
      if (entries.length < readBounds.count && left > 0 && !this.stopped) await this.pause.wait(left);
    }
  }

  private get isTidyDue(): boolean {
    return performance.now() - this.tidiedAt >= this.deps.tidyMilliseconds;
  }

  private async tidy(position: string): Promise<void> {
    if (!this.isTidyDue) return;
    await this.deps.tidy(position);
    this.tidiedAt = performance.now();
  }
}
