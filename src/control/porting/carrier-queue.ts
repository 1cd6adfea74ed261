import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import { connectRedis, firstConnection, type Redis } from '../../base/redis.js';
import type { Service, ServiceState } from '../area.js';
import type { Database } from '../database/tables.js';
import { type CarrierWork, dueRequests } from './carrier-work.js';
import type { DocumentSweep } from './document-sweep.js';

export interface CarrierQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisUrl: string;
  readonly work: CarrierWork;
  readonly sweep: DocumentSweep;
  readonly log: Logger;
}

/** Key prefix that keeps the queue apart from the projection and the streams in the same Redis. */
const prefix = 'demarc:queue';
const queueName = 'ports';
const concurrency = 10;
const connectMilliseconds = 1_000;
const pollMilliseconds = 1_000;
const batchSize = 100;
/** Other processes take over the jobs of a killed process after this long. */
const lockMilliseconds = 6_000;
const stalledCheckMilliseconds = 2_000;
const graceMilliseconds = 2_000;
const sweepMilliseconds = 3_600_000;

/**
 * Runs `CarrierWork` for every request that is due. PostgreSQL says what is due and when it is tried again; BullMQ decides which
 * process does it. A Redis that lost its data loses no request.
 */
export class CarrierQueue implements Service {
  readonly name = 'porting';
  private readonly aborting = new AbortController();
  private readonly task = new RecurringTask(() => this.queueDue(), { everyMilliseconds: pollMilliseconds });
  private connections: readonly Redis[] = [];
  private queue: Queue<{ id: string }> | undefined;
  private worker: Worker<{ id: string }> | undefined;
  private sweptAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: CarrierQueueDeps) {}

  async start(): Promise<void> {
    const { redisUrl, log, work } = this.deps;
    // BullMQ retries by itself, and blocks for some seconds while there is nothing to do.
    const options = { waits: true, socketTimeout: 20_000 };
    const connection = connectRedis(redisUrl, log, 'demarc-control-ports-queue', options);
    const workerConnection = connectRedis(redisUrl, log, 'demarc-control-ports-worker', options);
    this.connections = [connection, workerConnection];
    this.queue = new Queue(queueName, { connection, prefix, skipWaitingForReady: true });
    this.worker = new Worker(queueName, (job) => work.run(job.data.id, this.aborting.signal), {
      connection: workerConnection,
      prefix,
      autorun: false,
      concurrency,
      lockDuration: lockMilliseconds,
      stalledInterval: stalledCheckMilliseconds,
      maxStalledCount: 1_000_000,
      runRetryDelay: 1_000,
    });
    // The Redis connections log their own losses.
    this.queue.on('error', () => {});
    this.worker.on('error', (error) => log.debug({ error: error.message }, 'The queue of ports failed.'));
    void this.worker.run().catch(() => {});
    await firstConnection(connection, connectMilliseconds);
    this.task.start(0);
  }

  async stop(): Promise<void> {
    const abort = setTimeout(() => this.aborting.abort(), graceMilliseconds);
    const closing = Promise.all([this.task.stop(), this.worker?.close(), this.queue?.close()]).catch(
      () => {},
    );
    // Closing waits for Redis, which may be down.
    await Promise.race([closing, sleep(2 * graceMilliseconds, undefined, { ref: false })]);
    clearTimeout(abort);
    this.aborting.abort();
    for (const connection of this.connections) connection.disconnect();
  }

  state(): ServiceState {
    const { problem } = this.task;
    return { ready: problem === undefined, detail: problem ?? 'port requests are carried out' };
  }

  /** Carries out what is due at once, instead of within a second. */
  wake(): void {
    void this.task.next();
  }

  private async queueDue(): Promise<void> {
    const { database, sweep } = this.deps;
    if (this.connections[0]?.status !== 'ready') throw new Error('Redis is unreachable');
    if (performance.now() - this.sweptAt > sweepMilliseconds) {
      this.sweptAt = performance.now();
      await sweep.run();
    }
    const due = await dueRequests(database, batchSize);
    if (due.length === 0) return;
    await this.queue?.addBulk(
      due.map(({ id, attempt }) => ({
        name: 'port',
        data: { id },
        // The job of a process that died must not keep the next one out; the row keeps them apart.
        opts: { jobId: `${id}-${attempt}`, removeOnComplete: true, removeOnFail: true },
      })),
    );
  }
}
