import { type Kysely, sql, type Transaction } from 'kysely';
import type { Redis } from '../../../base/redis.js';
import type { Database } from '../../database/tables.js';
import { readCall } from '../history/call-page.js';
import { columnsOf, rowOf } from '../history/call-row.js';
import { storeLost } from '../lost/lost-records.js';
import { stoppedEnd } from '../orders/call-feeder.js';
import { stopCall } from '../orders/order-stream.js';
import { digitsOf, type Party } from './party-calls.js';
import { removedParty, withoutParty } from './without-party.js';

/**
 * Ends orders to call the contact that have not become calls. Throws `DemarcError` `CALLS_UNAVAILABLE` while Redis is down.
 * @param active ids of calls that an edge has: they continue
 * @returns ids of the orders that an edge may still report
 */
export async function stopUpcomingCalls(
  { database, redis }: { readonly database: Kysely<Database>; readonly redis: Redis },
  { organizationId, numbers }: Party,
  active: readonly string[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const orders = await database
    .selectFrom('ordered_calls')
    .select(['call_id', 'organization_id', 'number', 'phone_number', 'created_at', 'pending'])
    .where('organization_id', '=', organizationId)
    .where('phone_number', 'in', digitsOf(numbers))
    .where('settled', '=', false)
    .execute();
  for (const { pending, ...order } of orders) {
    if (active.includes(order.call_id)) continue;
    await stopCall(redis, order.call_id);
    if (pending !== null) await storeLost(database, order, stoppedEnd, '');
  }
  return orders.map(({ call_id }) => call_id);
}

export interface ErasedCalls {
  readonly calls: number;
  readonly orders: number;
  readonly traceMessages: number;
  readonly callIds: readonly string[];
}

const none: ErasedCalls = { calls: 0, orders: 0, traceMessages: 0, callIds: [] };
/** In one transaction: a tenth of a second. */
const callsAtOnce = 50;

/** Takes the contact out of the calls and orders that are stored so far, in small transactions. */
export async function eraseStoredCalls(database: Kysely<Database>, party: Party): Promise<ErasedCalls> {
  let total = none;
  for (;;) {
    const erased = await database
      .transaction()
      .execute((transaction) => erasePartyCalls(transaction, party, callsAtOnce));
    total = {
      calls: total.calls + erased.calls,
      orders: total.orders + erased.orders,
      traceMessages: total.traceMessages + erased.traceMessages,
      callIds: [...total.callIds, ...erased.callIds],
    };
    if (erased.calls < callsAtOnce) return total;
  }
}

/**
 * Takes the contact out of its calls and orders. Times, outcomes, media figures and our own numbers stay; counts and usage
 * contain no names.
 * @param most calls; undefined: all
 */
export async function erasePartyCalls(
  transaction: Transaction<Database>,
  { organizationId, numbers }: Party,
  most?: number,
): Promise<ErasedCalls> {
  if (numbers.length === 0) return none;
  const digits = digitsOf(numbers);
  const spellings = [...numbers, ...digits];
  let query = transaction
    .selectFrom('calls')
    .select('call_id')
    .where('organization_id', '=', organizationId)
    .where(({ and, eb, or }) =>
      or([
        and([eb('direction', '=', 'inbound'), eb('caller', 'in', spellings)]),
        and([eb('direction', '=', 'outbound'), eb('called', 'in', spellings)]),
      ]),
    );
  if (most !== undefined) query = query.limit(most);
  const calls = await query.execute();
  let traceMessages = 0;
  for (const { call_id } of calls) traceMessages += await eraseCall(transaction, organizationId, call_id);
  const orders = await transaction
    .updateTable('ordered_calls')
    .set({
      phone_number: removedParty,
      task: '',
      request_data: sql`null`,
      metadata: sql`null`,
      webhook: null,
    } as never)
    .where('organization_id', '=', organizationId)
    .where('phone_number', 'in', digits)
    .returning('call_id')
    .execute();
  await deleteRefusedRecords(transaction, digits);
  const callIds = [...new Set([...calls, ...orders].map(({ call_id }) => call_id))];
  return { calls: calls.length, orders: orders.length, traceMessages, callIds };
}

/** @returns how many messages its trace had */
async function eraseCall(
  transaction: Transaction<Database>,
  organizationId: string,
  callId: string,
): Promise<number> {
  const found = await readCall(transaction, organizationId, callId);
  if (found === undefined) return 0;
  const record = withoutParty(found.record);
  const row = columnsOf(rowOf(record, JSON.stringify(record)));
  const { caller, called, party_name, sip_call_id, search_tokens, record: stored } = row;
  await transaction
    .updateTable('calls')
    .set({ caller, called, party_name, sip_call_id, search_tokens, record: stored })
    .where('call_id', '=', callId)
    .where('started_at', '=', found.row.started_at)
    .execute();
  return found.storedTrace?.messages ?? found.record.trace.length;
}

/** Webhooks about these calls: their bodies name both parties. */
export async function forgetDeliveries(
  database: Kysely<Database>,
  organizationId: string,
  callIds: readonly string[],
): Promise<void> {
  if (callIds.length === 0) return;
  await database
    .deleteFrom('deliveries')
    .where('organization_id', '=', organizationId)
    .where('subject', '=', sql<string>`any(${[...callIds]}::text[])`)
    .execute();
}

/** Entries of the record stream that were no records, kept for diagnosis. */
async function deleteRefusedRecords(
  transaction: Transaction<Database>,
  digits: readonly string[],
): Promise<void> {
  for (const digit of digits) {
    await sql`delete from refused_call_records where position(convert_to(${digit}, 'UTF8') in entry) > 0`.execute(
      transaction,
    );
  }
}
