import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Service, ServiceState } from '../area.js';
import type { Database } from '../database/tables.js';
import { JobQueue } from '../jobs/job-queue.js';
import { dueBases, type LearnWork } from './learn-work.js';

export interface LearnQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisUrl: string;
  readonly work: LearnWork;
  /** Texts at a time. */
  readonly workers: number;
  readonly log: Logger;
}

const pollMilliseconds = 1_000;

/** Queues texts to learn for the control processes; the records are the truth, and an unfinished one is queued again. */
export class LearnQueue implements Service {
  readonly name = 'knowledge';
  private readonly task = new RecurringTask(() => this.queueDue(), { everyMilliseconds: pollMilliseconds });
  private jobs: JobQueue<{ organizationId: string; id: string }> | undefined;

  constructor(private readonly deps: LearnQueueDeps) {}

  async start(): Promise<void> {
    const { redisUrl, log, work, workers } = this.deps;
    this.jobs = new JobQueue({
      ...{ name: 'knowledge', redisUrl, log, concurrency: workers },
      run: async (job, _token, signal) => {
        await work.run(job.data, signal);
        this.wake();
      },
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
    return { ready: problem === undefined, detail: problem ?? 'texts are learned' };
  }

  /** Queues what is due at once, instead of within a second. */
  wake(): void {
    void this.task.next();
  }

  private async queueDue(): Promise<void> {
    const { database, workers } = this.deps;
    if (this.jobs?.isConnected !== true) throw new Error('Redis is unreachable');
    // Few, so that a text of another organization need not wait for all those of one.
    const due = await dueBases(database, 2 * workers);
    if (due.length === 0) return;
    await this.jobs.add(
      due.map(({ organizationId, id, attempt }) => ({
        name: 'learn',
        data: { organizationId, id },
        // The job of a process that died must not keep the next one out.
        opts: { jobId: `${id}-${attempt}` },
      })),
    );
  }
}
