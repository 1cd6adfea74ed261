import type { Job } from 'bullmq';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { RedisServers } from '../../base/redis.js';
import { withinOrThrow } from '../../base/within.js';
import { JobQueue, type QueuedJob } from './job-queue.js';

export interface FedQueueDeps<Data> {
  /** Name of the service. */
  readonly name: string;
  /** Name of the queue in Redis; default: the service's. */
  readonly queueName?: string;
  /** What `/readyz` and the NOC show while nothing fails. */
  readonly detail: string;
  readonly redisServers: RedisServers;
  readonly log: Logger;
  /** Jobs that this process runs at a time. */
  readonly concurrency: number;
  /** The jobs of rows that are due. One that is queued already may be among them: jobs with equal ids are one. */
  readonly due: () => Promise<readonly QueuedJob<Data>[]>;
  /** So many due jobs mean that there are more, which are asked for at once. Absent: the rest follows within a second. */
  readonly fullBatch?: number;
  /** Runs a job; `signal` aborts when the process stops and the job takes too long. */
  readonly run: (job: Job<Data>, token: string, signal: AbortSignal) => Promise<void>;
}

const pollMilliseconds = 1_000;
/** PostgreSQL and Redis answer sooner or not at all. */
const feedMilliseconds = 10_000;
/** Due jobs that no worker takes for so long make the service not ready. */
const stuckMilliseconds = 60_000;

/**
 * A service that runs the jobs of due rows. PostgreSQL says what is due and when it is tried again; BullMQ decides which
 * process does it. A Redis that lost its data loses no row.
 */
export class FedQueue<Data> {
  readonly name: string;
  private readonly task = new RecurringTask(
    () => withinOrThrow(feedMilliseconds, this.queueDue(), 'PostgreSQL or Redis does not answer'),
    { everyMilliseconds: pollMilliseconds },
  );
  private jobs: JobQueue<Data> | undefined;
  /** Since when there are due jobs without a pause. */
  private dueSince: number | undefined;

  constructor(private readonly deps: FedQueueDeps<Data>) {
    this.name = deps.name;
  }

  async start(): Promise<void> {
    const { name, queueName = name, redisServers, log, concurrency, run } = this.deps;
    this.jobs = new JobQueue({ name: queueName, redisServers, log, concurrency, run });
    await this.jobs.start();
    this.task.start(0);
  }

  /** Aborts jobs in progress after two seconds; another process or the next start repeats them. */
  async stop(): Promise<void> {
    const feeding = this.task.stop();
    await (this.jobs?.stop(feeding) ?? feeding);
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const problem = this.task.problem ?? this.stuck();
    return { ready: problem === undefined, detail: problem ?? this.deps.detail };
  }

  private stuck(): string | undefined {
    const due = this.dueSince === undefined ? 0 : performance.now() - this.dueSince;
    const milliseconds = Math.min(due, this.jobs?.idleMilliseconds ?? 0);
    if (milliseconds < stuckMilliseconds) return undefined;
    return `jobs have been due for ${Math.floor(milliseconds / 60_000)} minutes, none is run`;
  }

  /** Queues what is due at once, instead of within a second. */
  wake(): void {
    void this.task.next();
  }

  private async queueDue(): Promise<number | undefined> {
    if (this.jobs?.isConnected !== true) throw new Error('Redis is unreachable');
    const due = await this.deps.due();
    this.dueSince = due.length === 0 ? undefined : (this.dueSince ?? performance.now());
    if (due.length > 0) await this.jobs.add(due);
    return due.length === this.deps.fullBatch ? 0 : undefined;
  }
}
