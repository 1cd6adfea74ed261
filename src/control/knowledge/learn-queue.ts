import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { RedisServers } from '../../base/redis.js';
import type { Database } from '../database/tables.js';
import { FedQueue } from '../jobs/fed-queue.js';
import { dueBases, type LearnWork } from './learn-work.js';

export interface LearnQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisServers: RedisServers;
  readonly work: LearnWork;
  /** Texts at a time. */
  readonly workers: number;
  readonly log: Logger;
}

interface LearnJob {
  readonly organizationId: string;
  readonly id: string;
}

/** Queues texts to learn for the control processes; the records are the truth, and an unfinished one is queued again. */
export function learnQueue({ database, work, workers, ...deps }: LearnQueueDeps): FedQueue<LearnJob> {
  const queue = new FedQueue<LearnJob>({
    name: 'knowledge',
    detail: 'texts are learned',
    concurrency: workers,
    ...deps,
    due: async () => {
      // Few, so that a text of another organization need not wait for all those of one.
      const due = await dueBases(database, 2 * workers);
      return due.map(({ organizationId, id, attempt }) => ({
        name: 'learn',
        data: { organizationId, id },
        // The job of a process that died must not keep the next one out.
        opts: { jobId: `${id}-${attempt}` },
      }));
    },
    run: async (job, _token, signal) => {
      await work.run(job.data, signal);
      queue.wake();
    },
  });
  return queue;
}
