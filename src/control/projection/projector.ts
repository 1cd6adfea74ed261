import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { within } from '../../base/within.js';
import { primaryOf } from '../database/failover-pool.js';
import type { Database } from '../database/tables.js';
import { outboxChannel } from '../numbers/outbox.js';
import { type Documents, projectedOf, readDocuments } from './documents.js';
import { confirmedByEdges } from './edge-confirmations.js';
import { databaseIdentity, rebuild } from './rebuild.js';
import { ForeignRedis, RedisProjection } from './redis-projection.js';
import { continueAbove } from './revisions.js';

export interface ProjectorDeps {
  readonly database: Kysely<Database>;
  /** For the connection that listens for changes. */
  readonly databaseUrl: string;
  readonly redis: Redis;
  readonly log: Logger;
}

/** Numbers of one transaction: a millisecond each way at most, so that nothing is held for long. */
const batchSize = 200;
/** How soon an emptied Redis is noticed. */
const pollMilliseconds = 1_000;
/** What a lost notification may cost. */
const unnotifiedMilliseconds = 5_000;
/** Sums over all numbers are compared this often; a Redis that lost a few writes shows by it. */
const comparisonMilliseconds = 5_000;
/** Less often where there are so many numbers that it would take more than one two-hundredth of the time. */
const comparisonShare = 200;
const relistenMilliseconds = 1_000;
/** A change of a number takes some 10 ms to Redis, on a busy machine seconds; one of 10,000 numbers longer than a client should wait. */
const settledBoundMilliseconds = 5_000;
const settledPollMilliseconds = 10;

/**
 * Brings committed changes to Redis: takes marks of changed numbers from the outbox and writes the numbers' present
 * documents. Any number of processes may do so at once: a mark is taken by one of them, and Redis refuses a document older
 * than the one it has. A mark is gone only when its document is written.
 */
export class Projector {
  private projection: RedisProjection | undefined;
  private listener: pg.Client | undefined;
  private poll: NodeJS.Timeout | undefined;
  private relisten: NodeJS.Timeout | undefined;
  private turn: Promise<void> | undefined;
  private isWanted = false;
  private stopped = false;
  private problem: string | undefined = 'not started';
  /** Monotonic milliseconds. */
  private compareAt = 0;
  private differences = 0;
  private readonly onReady = (): void => this.wake();
  /** Changes may wait in the outbox. */
  private isNotified = true;
  /** Monotonic milliseconds at which the outbox was found empty. */
  private emptyAt = Number.NEGATIVE_INFINITY;

  readonly name = 'projection';

  constructor(private readonly deps: ProjectorDeps) {}

  async start(): Promise<void> {
    this.poll = setInterval(() => this.runTurn(), pollMilliseconds);
    this.deps.redis.on('ready', this.onReady);
    void this.listen();
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.poll);
    clearTimeout(this.relisten);
    this.deps.redis.off('ready', this.onReady);
    await this.listener?.end().catch(() => {});
    await this.turn;
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return this.problem === undefined
      ? { ready: true, detail: 'all committed changes are in Redis' }
      : { ready: false, detail: this.problem };
  }

  /**
   * Resolves when the edges have what is committed now: true when all of them confirmed it; false at once while changes cannot
   * reach Redis, and after five seconds at the latest.
   */
  async settled(): Promise<boolean> {
    const { redis } = this.deps;
    const until = performance.now() + settledBoundMilliseconds;
    if (!(await this.isProjected(until)) || redis.status !== 'ready') return false;
    // An unanswered command would hold the response until its own timeout.
    const left = until - performance.now();
    return (await within(left, confirmedByEdges(redis, until))) ?? false;
  }

  /** True when what is committed now is in Redis. */
  private async isProjected(until: number): Promise<boolean> {
    const { database } = this.deps;
    const newest = await sql<{ id: string | null }>`select max(id) as id from projection_outbox`.execute(
      database,
    );
    const id = newest.rows[0]?.id ?? null;
    if (id === null) return true;
    while (this.problem === undefined && performance.now() < until) {
      const waiting = await sql`select from projection_outbox where id <= ${id} limit 1`.execute(database);
      if (waiting.rows.length === 0) return true;
      await sleep(settledPollMilliseconds);
    }
    return false;
  }

  private wake(): void {
    this.isNotified = true;
    this.runTurn();
  }

  private runTurn(): void {
    if (this.stopped) return;
    this.isWanted = true;
    this.turn ??= this.work().finally(() => {
      this.turn = undefined;
      // A wake-up since the last check must not be lost.
      if (this.isWanted) this.runTurn();
    });
  }

  private async work(): Promise<void> {
    while (this.isWanted && !this.stopped) {
      this.isWanted = false;
      try {
        if (this.deps.redis.status !== 'ready') throw new Error('Redis is down');
        await this.catchUp();
        this.succeeded();
      } catch (error) {
        this.failed(error);
        return;
      }
    }
  }

  private async catchUp(): Promise<void> {
    const { database, log, redis } = this.deps;
    this.projection ??= new RedisProjection(redis, await databaseIdentity(database));
    const total = await this.projection.total();
    if (total === undefined) {
      log.info('Redis holds no projection of this database; writing all numbers.');
      await this.rebuild(this.projection);
    } else if (await this.differs(total)) {
      log.warn('Redis lacks earlier changes; comparing all numbers.');
      await this.rebuild(this.projection);
    }
    if (!this.isNotified && performance.now() - this.emptyAt < unnotifiedMilliseconds) return;
    this.isNotified = false;
    try {
      while ((await this.projectBatch(this.projection)) > 0 && !this.stopped);
    } catch (error) {
      this.isNotified = true;
      throw error;
    }
    this.emptyAt = performance.now();
  }

  private async rebuild(projection: RedisProjection): Promise<void> {
    const startedAt = performance.now();
    const { numbers, foreign, unusable } = await rebuild(this.deps.database, projection);
    const milliseconds = Math.round(performance.now() - startedAt);
    this.deps.log.info({ numbers, milliseconds }, 'Rebuilt Redis from the database.');
    this.report(unusable);
    if (foreign > 0) {
      this.deps.log.warn(
        { documents: foreign },
        'Redis holds number documents that are not in the database; demarc control --resync removes them.',
      );
    }
  }

  /** True when Redis twice had another sum of revisions than PostgreSQL while nothing was waiting. */
  private async differs(total: number): Promise<boolean> {
    const now = performance.now();
    if (this.differences === 0 && now < this.compareAt) return false;
    const { rows } = await sql<{ total: string; waiting: boolean }>`
      select coalesce(sum(revision), 0) as total, exists (select from projection_outbox) as waiting
      from number_revisions`.execute(this.deps.database);
    this.compareAt = now + Math.max(comparisonMilliseconds, comparisonShare * (performance.now() - now));
    const isSame = Number(rows[0]!.total) === total || rows[0]!.waiting;
    this.differences = isSame ? 0 : this.differences + 1;
    if (this.differences < 2) return false;
    this.differences = 0;
    return true;
  }

  /** Takes marks of changed numbers and writes their documents; returns how many marks there were. */
  private projectBatch(projection: RedisProjection): Promise<number> {
    return this.deps.database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ number: string }>`
        delete from projection_outbox where id in (
          select id from projection_outbox order by id limit ${batchSize} for update skip locked
        ) returning number`.execute(transaction);
      if (rows.length === 0) return 0;
      const numbers = [...new Set(rows.map(({ number }) => number))];
      // Revisions before documents: a document may then be newer than its revision says, never older.
      const revisions = await transaction
        .selectFrom('number_revisions')
        .select(['number', 'revision'])
        .where('number', 'in', numbers)
        .execute();
      const read = await readDocuments(transaction, numbers);
      this.report(read.unusable);
      const overtaken = await projection.write(projectedOf(revisions, read));
      await continueAbove(transaction, overtaken);
      return rows.length;
    });
  }

  private report(unusable: Documents['unusable']): void {
    for (const { number, problem } of unusable) {
      this.deps.log.error({ number, problem }, 'A number document is invalid; edges keep the previous one.');
    }
  }

  private succeeded(): void {
    if (this.problem !== undefined) this.deps.log.info('Changes reach Redis again.');
    this.problem = undefined;
  }

  private failed(error: unknown): void {
    if (this.stopped) return;
    // Another process emptied or filled it in this moment; the next turn rebuilds.
    if (error instanceof ForeignRedis) {
      this.isWanted = true;
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    if (this.problem !== message) {
      this.deps.log.warn({ error: message }, 'Writing changes to Redis failed; retrying.');
    }
    this.problem = message;
  }

  /** A separate connection that listens for commit notifications; while it is down, polling finds the changes. */
  private async listen(): Promise<void> {
    const connectionString = await primaryOf(this.deps.databaseUrl).catch(() => undefined);
    if (this.stopped) return;
    if (connectionString === undefined) {
      this.relisten = setTimeout(() => void this.listen(), relistenMilliseconds);
      return;
    }
    const client = new pg.Client({
      connectionString,
      application_name: 'demarc-control-listen',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    const again = (): void => {
      if (this.listener !== client || this.stopped) return;
      this.listener = undefined;
      this.relisten = setTimeout(() => void this.listen(), relistenMilliseconds);
    };
    this.listener = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', () => this.wake());
    try {
      await client.connect();
      await client.query(`listen ${outboxChannel}`);
      this.wake();
    } catch {
      // `work` reports that PostgreSQL is down; a failed connection may end without an event.
      again();
      await client.end().catch(() => {});
    }
  }
}
