import type { Kysely, Transaction } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { momentsOf, queueCallEvents } from '../events/call-events.js';
import { countCalls } from '../history/call-minutes.js';
import { columnsOf, rowOf } from '../history/call-row.js';
import { queueCallResults } from '../orders/queue-results.js';
import type { LostEnd } from './lost-end.js';

/** An ordered call without a record. */
export interface UntoldCall {
  readonly call_id: string;
  readonly organization_id: string;
  readonly number: string;
  readonly phone_number: string;
  readonly created_at: Date;
}

/** The history record of a call that no edge reported. */
export function recordOf(call: UntoldCall, end: LostEnd, edgeId: string, now = Date.now()): CallRecord {
  const endedAt = Math.max(call.created_at.getTime(), end.endedAt ?? now);
  return {
    version: 1,
    call_id: call.call_id,
    edge_id: edgeId,
    organization: call.organization_id,
    number: call.number,
    direction: 'outbound',
    from: `<sip:+${call.number}@localhost>`,
    to: `<sip:+${call.phone_number}@localhost>`,
    source: { address: '', port: 0, protocol: '' },
    started_at: call.created_at.toISOString(),
    ringing_at: null,
    answered_at: null,
    ended_at: new Date(endedAt).toISOString(),
    duration_milliseconds: 0,
    outcome: end.status === 'canceled' ? 'cancelled' : 'failed',
    sip_status: null,
    sip_reason: null,
    ended_by: end.by,
    end_reason: end.reason,
    detail: end.error_message,
    media: null,
    attempts: [],
    sip_call_ids: { trunk: '', agent: null },
    trace: [],
    trace_truncated: false,
  };
}

/**
 * Puts a call that no edge reported into the history, counts it and queues its webhook, once even if other processes do so at the
 * same time. False: its record exists, or another process was faster.
 * @param edgeId the edge that had it; empty: none
 */
export async function storeLost(
  database: Kysely<Database>,
  call: UntoldCall,
  end: LostEnd,
  edgeId: string,
): Promise<boolean> {
  const record = recordOf(call, end, edgeId);
  const row = rowOf(record, JSON.stringify(record));
  return database.transaction().execute(async (transaction) => {
    const order = await transaction
      .selectFrom('ordered_calls')
      .select('call_id')
      .where('call_id', '=', call.call_id)
      .where('settled', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (order === undefined) return false;
    const stored = await transaction
      .insertInto('calls')
      .values(columnsOf(row))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['started_at', 'ended_at'])
      .executeTakeFirst();
    const { status, queue_status, error_message } = end;
    await transaction
      .updateTable('ordered_calls')
      .set({
        settled: true,
        pending: null,
        ...(stored === undefined ? {} : { lost: JSON.stringify({ status, queue_status, error_message }) }),
      })
      .where('call_id', '=', call.call_id)
      .execute();
    if (stored === undefined) return false;
    const { organization_id, number, direction, outcome, end_reason } = row;
    const counted = { direction, outcome, end_reason, sip_status: null, ringing_at: null, answered_at: null };
    await countCalls(transaction, [
      { ...counted, organization_id: organization_id ?? null, number: number ?? null, ...stored },
    ]);
    await queueCallResults(transaction, [call.call_id], 'call.lost');
    // Whether the call began is unknown: only its end is sent.
    await queueCallEvents(transaction, momentsOf(record).slice(-1));
    return true;
  });
}

/**
 * Records of these calls are about to be stored: those that were given up as lost leave the history and the counts. Until the
 * transaction ends no process can give them up.
 */
export async function settleOrders(
  transaction: Transaction<Database>,
  callIds: readonly string[],
): Promise<void> {
  const orders = await transaction
    .selectFrom('ordered_calls')
    .select(['call_id', 'lost'])
    .where('call_id', 'in', callIds)
    // Two processes that store the same records lock in the same order.
    .orderBy('call_id')
    .forUpdate()
    .execute();
  if (orders.length === 0) return;
  const lost = orders.filter((order) => order.lost !== null).map(({ call_id }) => call_id);
  if (lost.length > 0) {
    const given = await transaction
      .deleteFrom('calls')
      .where('call_id', 'in', lost)
      .returning([
        ...(['organization_id', 'number', 'direction', 'outcome', 'end_reason', 'sip_status'] as const),
        ...(['started_at', 'answered_at', 'ended_at'] as const),
      ])
      .execute();
    await countCalls(
      transaction,
      given.map((call) => ({ ...call, ringing_at: null })),
      -1,
    );
  }
  await transaction
    .updateTable('ordered_calls')
    .set({ settled: true, lost: null, pending: null })
    .where(
      'call_id',
      'in',
      orders.map(({ call_id }) => call_id),
    )
    .execute();
}
