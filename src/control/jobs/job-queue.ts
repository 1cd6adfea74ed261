import { setMaxListeners } from 'node:events';
import { type Job, Queue, Worker } from 'bullmq';
import type { Logger } from '../../base/log.js';
import { connectRedis, firstConnection, type Redis, type RedisServers } from '../../base/redis.js';
import { within } from '../../base/within.js';

export interface JobQueueDeps<Data> {
  /** Name of the queue in Redis, and of its connections. */
  readonly name: string;
  readonly redisServers: RedisServers;
  readonly log: Logger;
  /** Jobs that this process runs at a time. */
  readonly concurrency: number;
  /** Runs a job; `signal` aborts when the process stops and the job takes too long. */
  readonly run: (job: Job<Data>, token: string, signal: AbortSignal) => Promise<void>;
}

export type QueuedJob<Data> = Parameters<Queue<Data, unknown, string>['addBulk']>[0][number];

/** Key prefix that keeps the queues apart from the projection and the streams in the same Redis. */
const prefix = 'demarc:queue';
/** Limit for the first connection: control also starts without Redis. */
const connectMilliseconds = 1_000;
/** Other processes take over the jobs of a killed process after this long. */
const lockMilliseconds = 6_000;
const stalledCheckMilliseconds = 2_000;
/** A connection that is silent for so long with a command in flight is replaced; BullMQ blocks for ten seconds at most. */
const silentMilliseconds = 12_000;
/** How long jobs in progress may take at shutdown. */
const graceMilliseconds = 2_000;
const closeMilliseconds = 2_000;

/** A BullMQ queue with its worker, for jobs whose truth is a table: Redis may lose them, and a stalled job is repeated. */
export class JobQueue<Data> {
  private readonly connections: readonly [Redis, Redis];
  private readonly queue: Queue<Data, unknown, string>;
  private readonly worker: Worker<Data, unknown, string>;
  private readonly aborting = new AbortController();
  private running = 0;
  private workedAt = performance.now();

  constructor({ name, redisServers, log, concurrency, run }: JobQueueDeps<Data>) {
    // Each job in progress listens.
    setMaxListeners(concurrency + 1, this.aborting.signal);
    const connectAs = (role: string): Redis =>
      connectRedis(redisServers, log, `demarc-control-${name}-${role}`, {
        waits: true,
        needsPrimary: true,
        socketTimeout: silentMilliseconds,
      });
    this.connections = [connectAs('queue'), connectAs('worker')];
    const [connection, workerConnection] = this.connections;
    this.queue = new Queue(name, { connection, prefix, skipWaitingForReady: true });
    this.worker = new Worker(
      name,
      (job, token) => this.work(() => run(job, token ?? '', this.aborting.signal)),
      {
        connection: workerConnection,
        prefix,
        autorun: false,
        concurrency,
        lockDuration: lockMilliseconds,
        stalledInterval: stalledCheckMilliseconds,
        // The rows count attempts; an interrupted job does not count.
        maxStalledCount: 1_000_000,
        runRetryDelay: 1_000,
      },
    );
    // The Redis connections log their own losses.
    this.queue.on('error', () => {});
    this.worker.on('error', (error) => log.debug({ error: error.message }, `The ${name} queue failed.`));
  }

  get isConnected(): boolean {
    return this.connections[0].status === 'ready';
  }

  /** Milliseconds since this process last ran a job; 0 while it runs one. */
  get idleMilliseconds(): number {
    return this.running > 0 ? 0 : performance.now() - this.workedAt;
  }

  /** Begins to run jobs; resolves with the first connection, or after a second without one. */
  async start(): Promise<void> {
    void this.worker.run().catch(() => {});
    await firstConnection(this.connections[0], connectMilliseconds);
  }

  /** A job with the id of a queued one is ignored; an ended one is removed. */
  async add(jobs: readonly QueuedJob<Data>[]): Promise<void> {
    await this.queue.addBulk(
      jobs.map((job) => ({ ...job, opts: { removeOnComplete: true, removeOnFail: true, ...job.opts } })),
    );
  }

  private async work(run: () => Promise<void>): Promise<void> {
    this.running += 1;
    try {
      await run();
    } finally {
      this.running -= 1;
      this.workedAt = performance.now();
    }
  }

  /** Aborts jobs in progress after two seconds; another process or the next start repeats them. */
  async stop(feeding: Promise<void>): Promise<void> {
    const abort = setTimeout(() => this.aborting.abort(), graceMilliseconds);
    const closing = Promise.all([feeding, this.worker.close(), this.queue.close()]);
    // Closing waits for Redis, which may be down.
    const isClosed = (await within(graceMilliseconds + closeMilliseconds, closing)) !== undefined;
    clearTimeout(abort);
    this.aborting.abort();
    if (!isClosed) this.worker.disconnect().catch(() => {});
    for (const connection of this.connections) connection.disconnect();
  }
}
