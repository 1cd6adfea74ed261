import { DelayedError, type Job } from 'bullmq';
import type { Kysely } from 'kysely';
import { backoff } from '../../base/backoff.js';
import { ConcurrencyLimit } from '../../base/concurrency-limit.js';
import type { Logger } from '../../base/log.js';
import type { NoticeSettings } from '../../config/notice-settings.js';
import type { Database } from '../database/tables.js';
import { FedQueue } from '../jobs/fed-queue.js';
import {
  deleteOldDeliveries,
  deleteOldExchanges,
  readDelivery,
  storeAttempt,
  takeDue,
} from './delivery-storage.js';
import type { Delivery, Outcome } from './sender.js';
import type { Senders } from './senders.js';
import { noteAttempt } from './webhook/endpoint-storage.js';

export interface DeliveryQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisUrl: string;
  readonly settings: NoticeSettings['delivery'];
  readonly senders: Senders;
  /** Deliveries are kept as long as calls; 0: forever. */
  readonly retentionDays: number;
  readonly log: Logger;
}

interface JobData {
  readonly id: string;
}

const concurrency = 50;
const organizationConcurrency = 8;
const batchSize = 200;
const tidyMilliseconds = 3_600_000;
const longestRetryMilliseconds = 3_600_000;

/** Delay after the nth failure: doubled each time, at most an hour, with 25 % jitter. */
export function retryDelay(attempts: number, first: number, random = Math.random()): number {
  return Math.round(backoff({ first, longest: longestRetryMilliseconds, jitter: 0.25 }, attempts, random));
}

/**
 * Sends the deliveries in the table, which holds their outcomes. If Redis loses its data, deliveries are delayed by a minute,
 * not lost. The queue's stop aborts deliveries in progress without counting an attempt.
 */
export function deliveryQueue(deps: DeliveryQueueDeps): FedQueue<JobData> {
  const { database, redisUrl, retentionDays, log } = deps;
  const work = new DeliveryWork(deps);
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return new FedQueue({
    ...{ name: 'deliveries', detail: 'sending deliveries', redisUrl, log, concurrency },
    fullBatch: batchSize,
    due: async () => {
      if (performance.now() - tidiedAt > tidyMilliseconds) {
        await deleteOldDeliveries(database, retentionDays);
        await deleteOldExchanges(database);
        tidiedAt = performance.now();
      }
      const ids = await takeDue(database, batchSize);
      return ids.map((id) => ({
        name: 'deliver',
        data: { id },
        opts: {
          // BullMQ ignores a job whose id already exists.
          jobId: id,
          // For internal failures such as an unreachable database; receivers' failures are counted in the row.
          attempts: 1_000_000,
          backoff: { type: 'fixed', delay: 2_000 },
        },
      }));
    },
    run: (job, token, signal) => work.run(job, token, signal),
  });
}

class DeliveryWork {
  private readonly turns = new ConcurrencyLimit(organizationConcurrency);

  constructor(private readonly deps: DeliveryQueueDeps) {}

  async run(job: Job<JobData>, token: string, signal: AbortSignal): Promise<void> {
    const delivery = await readDelivery(this.deps.database, job.data.id);
    if (delivery === undefined || delivery.status !== 'pending') return;
    const early = (delivery.next_attempt_at?.getTime() ?? 0) - Date.now();
    // The process died between writing the row and queueing the job.
    if (early > 100) return this.postpone(job, token, early);
    if (!this.turns.enter(delivery.organization_id)) return this.postpone(job, token, 500);
    let outcome: Outcome;
    const startedAt = performance.now();
    try {
      outcome = await this.deps.senders[delivery.channel].send(delivery, signal);
    } finally {
      this.turns.leave(delivery.organization_id);
    }
    const wait = await this.conclude(delivery, outcome, Math.round(performance.now() - startedAt));
    if (wait !== undefined) await this.postpone(job, token, wait);
  }

  /** Milliseconds until the next attempt; undefined when there is none. */
  private async conclude(
    delivery: Delivery,
    outcome: Outcome,
    milliseconds: number,
  ): Promise<number | undefined> {
    const { database, settings, log } = this.deps;
    const { id, channel, event } = delivery;
    if (outcome.kind === 'interrupted') return 0;
    const { exchange } = outcome;
    await this.noteEndpoint(delivery, outcome);
    if (outcome.kind === 'delivered') {
      const { status: lastStatus } = outcome;
      await storeAttempt(database, id, {
        ...{ status: 'delivered', lastStatus, error: null, milliseconds, exchange },
        nextAttemptAt: null,
      });
      return undefined;
    }
    const attempts = delivery.attempts + 1;
    const { status: lastStatus, error } = outcome;
    if (outcome.isFinal || attempts >= settings.attempts) {
      await storeAttempt(database, id, {
        ...{ status: 'failed', lastStatus, error, milliseconds, exchange },
        nextAttemptAt: null,
      });
      log.warn(
        { delivery: id, event, channel, attempts, error },
        'A delivery failed after its last attempt.',
      );
      return undefined;
    }
    const wait = retryDelay(attempts, settings.retryMilliseconds);
    const nextAttemptAt = new Date(Date.now() + wait);
    await storeAttempt(database, id, {
      ...{ status: 'pending', lastStatus, error, milliseconds, exchange },
      nextAttemptAt,
    });
    return wait;
  }

  private async noteEndpoint(delivery: Delivery, { kind }: Outcome): Promise<void> {
    const { endpoint_id: endpoint } = delivery;
    if (endpoint === null) return;
    const { database, settings, log } = this.deps;
    if (await noteAttempt(database, endpoint, kind === 'delivered', settings.disableAfterHours)) {
      log.warn({ endpoint }, 'Disabled a webhook endpoint: no delivery succeeded for too long.');
    }
  }

  private async postpone(job: Job<JobData>, token: string, milliseconds: number): Promise<never> {
    await job.moveToDelayed(Date.now() + milliseconds, token);
    throw new DelayedError();
  }
}
