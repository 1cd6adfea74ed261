import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import type { Delivery } from '../deliveries/sender.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';
import { queueCallResults } from './queue-results.js';
import { type LiveState, readLive, readOrder } from './read.js';
import { type OrderedCallDetail, transferView, viewOf } from './view.js';

interface Parts {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
}

/** The call as `GET /v1/calls/{call_id}` shows it; undefined when the organization has no such call. */
export async function callResult(
  { database, redis }: Parts,
  organizationId: string,
  callId: string,
): Promise<OrderedCallDetail | undefined> {
  const found = await readOrder(database, organizationId, callId);
  if (found === undefined) return undefined;
  const live: LiveState = found.row.outcome === null ? await readLive(redis, callId) : { kind: 'unknown' };
  const { task } = found.row;
  return {
    ...viewOf(found.row, live, found.detail),
    task,
    attempts: [...found.attempts],
    ...transferView(found.transfers),
  };
}

/** The body of a webhook that tells how a call ended. */
export const callResultBody =
  (parts: Parts) =>
  (delivery: Delivery): Promise<OrderedCallDetail | undefined> =>
    callResult(parts, delivery.organization_id, delivery.subject);

const intervalMilliseconds = 15_000;
/** By then an order that nobody took is known to be late. */
const patienceSeconds = 75;
const batchSize = 100;

/**
 * Finds ordered calls that are over without a record: nobody took them, or their edge died. Its record may still come, from
 * its disk when it is started again: then that is told as well.
 */
export class LostCalls {
  readonly name = 'lost calls';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: Parts & { readonly log: Logger }) {}

  async start(): Promise<void> {
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Always ready: what is found later is told later. */
  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: 'calls without a record are looked for' };
  }

  /** One look at the orders that wait for their end, the oldest first. */
  async sweep(): Promise<void> {
    let after = new Date(0);
    for (;;) {
      const rows = await this.parts.database
        .selectFrom('ordered_calls')
        .select(['call_id', 'organization_id', 'created_at'])
        .where('webhook', 'is not', null)
        .where(sql<boolean>`not webhook_settled`)
        .where('created_at', '>', after)
        .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${patienceSeconds})`)
        .orderBy('created_at')
        .limit(batchSize)
        .execute();
      for (const { call_id, organization_id } of rows) {
        const result = await callResult(this.parts, organization_id, call_id);
        if (result?.completed === true) await queueCallResults(this.parts.database, [call_id], 'call.lost');
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchSize || this.stopped) return;
      after = last.created_at;
    }
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep()
        .catch((error: Error) => {
          this.parts.log.debug({ error: error.message }, 'Lost calls were not looked for.');
        })
        .finally(() => this.schedule());
    }, intervalMilliseconds);
    this.timer.unref();
  }
}
