import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Service, ServiceState } from '../area.js';
import type { Database } from '../database/tables.js';
import { JobQueue } from '../jobs/job-queue.js';
import { type CarrierWork, dueRequests } from './carrier-work.js';
import type { DocumentSweep } from './document-sweep.js';

export interface CarrierQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisUrl: string;
  readonly work: CarrierWork;
  readonly sweep: DocumentSweep;
  readonly log: Logger;
}

const concurrency = 10;
const pollMilliseconds = 1_000;
const batchSize = 100;
const sweepMilliseconds = 3_600_000;

/**
 * Runs `CarrierWork` for every request that is due. PostgreSQL says what is due and when it is tried again; BullMQ decides which
 * process does it. A Redis that lost its data loses no request.
 */
export class CarrierQueue implements Service {
  readonly name = 'porting';
  private readonly task = new RecurringTask(() => this.queueDue(), { everyMilliseconds: pollMilliseconds });
  private jobs: JobQueue<{ id: string }> | undefined;
  private sweptAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: CarrierQueueDeps) {}

  async start(): Promise<void> {
    const { redisUrl, log, work } = this.deps;
    this.jobs = new JobQueue({
      ...{ name: 'ports', redisUrl, log, concurrency },
      run: (job, _token, signal) => work.run(job.data.id, signal),
    });
    await this.jobs.start();
    this.task.start(0);
  }

  async stop(): Promise<void> {
    const feeding = this.task.stop();
    await (this.jobs?.stop(feeding) ?? feeding);
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
    if (this.jobs?.isConnected !== true) throw new Error('Redis is unreachable');
    if (performance.now() - this.sweptAt > sweepMilliseconds) {
      this.sweptAt = performance.now();
      await sweep.run();
    }
    const due = await dueRequests(database, batchSize);
    if (due.length === 0) return;
    await this.jobs.add(
      due.map(({ id, attempt }) => ({
        name: 'port',
        data: { id },
        // The job of a process that died must not keep the next one out; the row keeps them apart.
        opts: { jobId: `${id}-${attempt}` },
      })),
    );
  }
}
