import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { RedisServers } from '../../base/redis.js';
import type { Database } from '../database/tables.js';
import { FedQueue } from '../jobs/fed-queue.js';
import { type CarrierWork, dueRequests } from './carrier-work.js';
import type { DocumentSweep } from './document-sweep.js';

export interface CarrierQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisServers: RedisServers;
  readonly work: CarrierWork;
  readonly sweep: DocumentSweep;
  readonly log: Logger;
}

const concurrency = 10;
const batchSize = 100;
const sweepMilliseconds = 3_600_000;

/** Runs `CarrierWork` for every request that is due, and the document sweep every hour. */
export function carrierQueue({ database, work, sweep, ...deps }: CarrierQueueDeps): FedQueue<{ id: string }> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return new FedQueue({
    name: 'porting',
    queueName: 'ports',
    detail: 'port requests are carried out',
    concurrency,
    ...deps,
    due: async () => {
      if (performance.now() - sweptAt > sweepMilliseconds) {
        sweptAt = performance.now();
        await sweep.run();
      }
      const due = await dueRequests(database, batchSize);
      return due.map(({ id, attempt }) => ({
        name: 'port',
        data: { id },
        // The job of a process that died must not keep the next one out; the row keeps them apart.
        opts: { jobId: `${id}-${attempt}` },
      }));
    },
    run: (job, _token, signal) => work.run(job.data.id, signal),
  });
}
