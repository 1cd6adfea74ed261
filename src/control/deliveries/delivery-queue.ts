import { setMaxListeners } from 'node:events';
import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import { within, withinOrThrow } from '../../base/within.js';
import type { NoticeSettings } from '../../config/notice-settings.js';
import type { Database } from '../database/tables.js';
import { attemptOf } from './attempt.js';
import { deleteOldDeliveries, deleteOldExchanges, storeAttempt } from './delivery-storage.js';
import {
  claimDeliveries,
  type LateDelivery,
  readDue,
  releaseClaims,
  renewalMilliseconds,
  renewClaims,
} from './due-deliveries.js';
import { dropExcess, dropStale } from './pending-limit.js';
import type { Delivery, Outcome } from './sender.js';
import type { Senders } from './senders.js';
import { forgetSilence, noteResponse, noteSilence, type Receiver } from './silent-receivers.js';
import { DeliveryTurns } from './turns.js';
import { noteAttempt } from './webhook/endpoint-storage.js';

export interface DeliveryQueueDeps {
  readonly database: Kysely<Database>;
  readonly settings: NoticeSettings['delivery'];
  readonly senders: Senders;
  /** Deliveries are kept as long as calls; 0: forever. */
  readonly retentionDays: number;
  /** Called with the number of deliveries that were given up unsent. */
  readonly dropped: (count: number) => void;
  readonly log: Logger;
}

/** An organization with many hanging endpoints leaves three quarters of the slots to the others. */
const slots = { all: 64, organization: 16, receiver: 8 };
const pollMilliseconds = 1_000;
/** PostgreSQL responds within this time or not at all. */
const takeMilliseconds = 15_000;
/** If the queue has not read the table for this long, control is not ready. */
const stuckMilliseconds = 60_000;
const tidyMilliseconds = 3_600_000;
const limitMilliseconds = 10_000;
/** How long attempts in progress may take at shutdown, and then to stop. */
const graceMilliseconds = 2_000;

/**
 * Sends the deliveries in the table, which says what is due and holds the outcomes. A process claims as many as it has slots for;
 * another process claims those of a dead one when their lease ends. Needs only PostgreSQL.
 */
export class DeliveryQueue {
  readonly name = 'deliveries';
  private readonly turns = new DeliveryTurns(slots);
  private readonly task: RecurringTask;
  /** Apart from sending, which must not wait for it. */
  private readonly tidying: RecurringTask;
  private readonly attempts = new Map<string, Promise<void>>();
  private readonly aborting = new AbortController();
  private renewal: NodeJS.Timeout | undefined;
  private tookAt = performance.now();
  private tidiedAt = Number.NEGATIVE_INFINITY;
  /** Of the delivery that waits longest for a slot. */
  private waitingSince: number | undefined;

  constructor(private readonly deps: DeliveryQueueDeps) {
    // Each attempt in progress listens.
    setMaxListeners(slots.all + 1, this.aborting.signal);
    this.task = new RecurringTask(
      () => withinOrThrow(takeMilliseconds, this.take(), 'PostgreSQL does not answer'),
      { everyMilliseconds: pollMilliseconds },
    );
    this.tidying = new RecurringTask(() => this.tidy(), {
      everyMilliseconds: limitMilliseconds,
      failed: ({ message }) => deps.log.warn({ error: message }, 'Tidying deliveries failed; retrying.'),
    });
  }

  async start(): Promise<void> {
    this.renewal = setInterval(() => {
      if (this.attempts.size > 0) renewClaims(this.deps.database, [...this.attempts.keys()]).catch(() => {});
    }, renewalMilliseconds);
    this.task.start(0);
    this.tidying.start(0);
  }

  /** Aborts attempts in progress after two seconds; another process or the next start repeats them, and none is counted. */
  async stop(): Promise<void> {
    await within(graceMilliseconds, Promise.all([this.task.stop(), this.tidying.stop()]));
    const ended = Promise.all(this.attempts.values());
    await within(graceMilliseconds, ended);
    this.aborting.abort();
    await within(graceMilliseconds, ended);
    clearInterval(this.renewal);
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const { problem } = this.task;
    const minutes = Math.floor((Date.now() - (this.waitingSince ?? Date.now())) / 60_000);
    const detail =
      minutes < 1 ? 'sending deliveries' : `the oldest delivery has been waiting for ${minutes} min`;
    if (performance.now() - this.tookAt < stuckMilliseconds && problem === undefined) {
      return { ready: true, detail };
    }
    return { ready: false, detail: problem ?? detail };
  }

  /** Sends what is due at once, instead of within a second. */
  wake(): void {
    void this.task.next();
  }

  private async take(): Promise<void> {
    const { database } = this.deps;
    if (this.turns.free === 0) {
      this.tookAt = performance.now();
      return;
    }
    const due = await readDue(database, { each: slots.receiver, without: this.turns.full });
    const entered = this.turns.enter(due);
    const ids = new Set(entered.map(({ id }) => id));
    const late = due.filter(({ id }) => !ids.has(id)).map(({ secondsLate }) => secondsLate);
    this.waitingSince = late.length === 0 ? undefined : Date.now() - Math.max(...late) * 1_000;
    let claimed: Delivery[] = [];
    try {
      if (entered.length > 0) claimed = await claimDeliveries(database, entered);
    } finally {
      const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
      for (const turn of entered) {
        const delivery = byId.get(turn.id);
        if (delivery === undefined) this.turns.leave(turn);
        else this.begin(turn, delivery);
      }
    }
    this.tookAt = performance.now();
  }

  private begin(due: LateDelivery, delivery: Delivery): void {
    const attempt = this.attempt(due, delivery)
      // PostgreSQL failed: the lease ends, and the delivery is tried again.
      .catch((error: Error) =>
        this.deps.log.warn(
          { delivery: delivery.id, error: error.message },
          'Storing the outcome of an attempt failed.',
        ),
      )
      .finally(() => {
        this.attempts.delete(delivery.id);
        this.turns.leave(due);
        this.wake();
      });
    this.attempts.set(delivery.id, attempt);
  }

  private async attempt(due: LateDelivery, delivery: Delivery): Promise<void> {
    const { database, senders } = this.deps;
    const startedAt = performance.now();
    const outcome = await senders[delivery.channel].send(delivery, this.aborting.signal);
    if (outcome.kind === 'interrupted') return releaseClaims(database, [delivery.id]);
    const wait = await this.conclude(delivery, outcome, Math.round(performance.now() - startedAt));
    await this.noteReceiver(due, delivery, outcome);
    if (wait !== undefined && wait < pollMilliseconds) setTimeout(() => this.wake(), wait).unref();
  }

  /** Stores the outcome. Milliseconds until the next attempt; undefined when there is none. */
  private async conclude(
    delivery: Delivery,
    outcome: Exclude<Outcome, { kind: 'interrupted' }>,
    milliseconds: number,
  ): Promise<number | undefined> {
    const { database, settings, log } = this.deps;
    const { id, channel, event } = delivery;
    await this.noteEndpoint(delivery, outcome);
    const { wait, ...attempt } = attemptOf(delivery.attempts, outcome, settings);
    await storeAttempt(database, id, { ...attempt, milliseconds, exchange: outcome.exchange });
    if (attempt.status === 'failed') {
      const { attempts } = delivery;
      log.warn(
        { delivery: id, event, channel, attempts: attempts + 1, error: attempt.error },
        'A delivery failed after its last attempt.',
      );
    }
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

  private async noteReceiver(
    { organizationId, receiver, isProbe, isSuspect }: LateDelivery,
    { endpoint_id: endpointId }: Delivery,
    outcome: Exclude<Outcome, { kind: 'interrupted' }>,
  ): Promise<void> {
    const { database, settings, log } = this.deps;
    const of: Receiver = { organizationId, receiver, endpointId };
    if (outcome.kind === 'failed' && outcome.isSilent) {
      const firstPauseMilliseconds = settings.retryMilliseconds;
      if (await noteSilence(database, of, { isProbe, firstPauseMilliseconds })) {
        log.warn(
          { organization: organizationId, receiver },
          'A receiver does not respond; its deliveries wait.',
        );
      }
    } else if (isSuspect && outcome.status === null && outcome.exchange === undefined) {
      // It was never sent, so waiting for its receiver is useless.
      await forgetSilence(database, organizationId, receiver);
    } else if (isSuspect && (await noteResponse(database, of))) {
      log.info({ organization: organizationId, receiver }, 'A receiver responds again.');
    }
  }

  private async tidy(): Promise<void> {
    const { database, settings, retentionDays, dropped, log } = this.deps;
    const now = performance.now();
    if (now - this.tidiedAt > tidyMilliseconds) {
      await deleteOldDeliveries(database, retentionDays);
      await deleteOldExchanges(database);
      dropped(await dropStale(database, settings.disableAfterHours));
      this.tidiedAt = now;
    }
    const count = await dropExcess(database, settings.pendingLimit);
    if (count > 0) log.warn({ count }, 'Dropped the oldest deliveries of receivers for which too many wait.');
    dropped(count);
  }
}
