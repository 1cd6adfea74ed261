import type { Transaction } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { noteParties, partyCallOf } from '../../parties/call-parties.js';
import { type CallRow, rowOf } from '../history/call-row.js';

/** Stands for a deleted contact wherever its number was. */
export const removedParty = 'removed';
const removedHeader = `<sip:${removedParty}@removed.invalid>`;

/**
 * The record without what names the other party: its number, the texts and the agent's values that may hold it, and every SIP message. Times, outcome,
 * media figures and our own number stay.
 */
export function withoutParty(record: CallRecord): CallRecord {
  const isInbound = record.direction === 'inbound';
  const { transfers, agent_metadata: _, ...rest } = record;
  return {
    ...rest,
    from: isInbound ? removedHeader : record.from,
    to: isInbound ? record.to : removedHeader,
    detail: null,
    sip_call_ids: { trunk: removedParty, agent: record.sip_call_ids.agent },
    // Servers tried; their Call-IDs and phrases are text of the peers.
    attempts: record.attempts.map((attempt) => ({
      ...attempt,
      sip_call_id: removedParty,
      sip_reason: null,
    })),
    ...(transfers === undefined
      ? {}
      : { transfers: transfers.map((transfer) => ({ ...transfer, target: removedParty, detail: null })) }),
    trace: [],
    trace_truncated: true,
  };
}

/** A call about to be stored. */
export interface StorableCall {
  readonly row: CallRow;
  /** Without its trace. */
  readonly record: CallRecord;
}

/**
 * Creates the contacts of these calls, and takes parties out whose contact was deleted while the call was active. Call it first
 * in the transaction that stores them.
 */
export async function withParties<Call extends StorableCall>(
  transaction: Transaction<Database>,
  calls: readonly Call[],
): Promise<Call[]> {
  const parties = calls.flatMap(({ record }) => partyCallOf(record) ?? []);
  const erased = await noteParties(transaction, parties);
  return calls.map((call) => {
    if (!erased.has(call.record.call_id)) return call;
    const record = withoutParty(call.record);
    return { ...call, record, row: rowOf(record, JSON.stringify(record)) };
  });
}
