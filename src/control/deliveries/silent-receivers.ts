import { type Kysely, sql, type Transaction } from 'kysely';
import { backoff } from '../../base/backoff.js';
import type { Database } from '../database/tables.js';
import { eventId, type OccurredEvent } from '../events/event.js';
import { queueEvents } from './queue-events.js';

/** In a row; a receiver that is slow now and then is not paused. */
const timeoutsUntilPause = 3;
/** A receiver that responds again gets what waits within this time. */
const longestPauseMilliseconds = 300_000;

export interface Receiver {
  readonly organizationId: string;
  /** `delivery_receiver` of the migration: an endpoint's id, `webhook https://host`, `email` or `sms`. */
  readonly receiver: string;
  /** Null: it is no registered endpoint. */
  readonly endpointId: string | null;
}

/**
 * Notes an attempt that had no response in its time. After three in a row the receiver is paused: one delivery at a time finds
 * out, at growing intervals, whether it responds again, and the others wait without attempts. True: it is paused now.
 */
export async function noteSilence(
  database: Kysely<Database>,
  { organizationId, receiver, endpointId }: Receiver,
  { isProbe, firstPauseMilliseconds }: { readonly isProbe: boolean; readonly firstPauseMilliseconds: number },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('silent_receivers')
      .values({
        organization_id: organizationId,
        receiver,
        timeouts: 1,
        silent_since: sql<Date>`now()`,
        paused_until: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'receiver'])
          .doUpdateSet({ timeouts: sql`silent_receivers.timeouts + 1` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const isBegun = row.paused_until !== null;
    const pauses = pausesAfter(row.timeouts, { isBegun, isProbe });
    if (pauses === 0) return false;
    const bounds = { first: firstPauseMilliseconds, longest: longestPauseMilliseconds, jitter: 0.25 };
    await transaction
      .updateTable('silent_receivers')
      .set({ paused_until: new Date(Date.now() + backoff(bounds, pauses)) })
      .where('organization_id', '=', organizationId)
      .where('receiver', '=', receiver)
      .execute();
    if (isBegun) return false;
    const { silent_since: silentSince } = row;
    await notifyOwners(transaction, 'webhook.paused', { organizationId, endpointId, silentSince });
    return true;
  });
}

/**
 * The number of the pause that begins with a timeout, from 1; 0: none does.
 * @param timeouts in a row, this one included
 */
export function pausesAfter(
  timeouts: number,
  { isBegun, isProbe }: { readonly isBegun: boolean; readonly isProbe: boolean },
): number {
  // Attempts that began before the pause are no new evidence.
  if (isBegun && !isProbe) return 0;
  return Math.max(0, timeouts - timeoutsUntilPause + 1);
}

/** Notes a response of any status. True: the receiver was paused, and its waiting deliveries are due. */
export async function noteResponse(
  database: Kysely<Database>,
  { organizationId, receiver, endpointId }: Receiver,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await forgetSilence(transaction, organizationId, receiver);
    if (row === undefined || row.paused_until === null) return false;
    await notifyOwners(transaction, 'webhook.resumed', {
      organizationId,
      endpointId,
      silentSince: row.silent_since,
    });
    return true;
  });
}

/** Forgets the receiver's silence: its waiting deliveries are due. */
export const forgetSilence = (
  database: Kysely<Database> | Transaction<Database>,
  organizationId: string,
  receiver: string,
) =>
  database
    .deleteFrom('silent_receivers')
    .where('organization_id', '=', organizationId)
    .where('receiver', '=', receiver)
    .returningAll()
    .executeTakeFirst();

interface NotifiedSilence {
  readonly organizationId: string;
  readonly endpointId: string | null;
  readonly silentSince: Date;
}

/** Notifies the organization's other endpoints that this one does not respond, or that its deliveries were dropped. */
async function notifyOwners(
  transaction: Transaction<Database>,
  event: 'webhook.paused' | 'webhook.resumed',
  { organizationId, endpointId, silentSince }: NotifiedSilence,
): Promise<void> {
  if (endpointId === null) return;
  const since = silentSince.toISOString();
  const occurred: OccurredEvent = {
    organizationId,
    subject: endpointId,
    event_id: eventId(event, endpointId, since),
    event,
    occurred_at: new Date().toISOString(),
    sequence: Date.now(),
    data: { webhook_id: endpointId, silent_since: since },
  };
  await queueEvents(transaction, [occurred], { exceptEndpoint: endpointId });
}
