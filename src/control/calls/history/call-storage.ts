import type { Insertable, Kysely, Transaction } from 'kysely';
import type { StreamEntry } from '../../../base/stream.js';
import { type CallRecord, callRecordSchema } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { momentsOf, queueCallEvents } from '../events/call-events.js';
import { withdrawEdgeLost } from '../lost/edge-lost-records.js';
import { settleOrders } from '../lost/lost-records.js';
import { queueCallResults } from '../orders/queue-results.js';
import { withParties } from '../parties/without-party.js';
import { type CountedCall, countCalls } from './call-minutes.js';
import { type CallRow, rowOf, storable } from './call-row.js';
import type { RefusedCallRecordsTable } from './tables.js';

export type RefusedRow = Insertable<RefusedCallRecordsTable>;

export type ReadEntry =
  | {
      readonly ok: true;
      readonly row: CallRow;
      /** Without its trace. */
      readonly record: CallRecord;
    }
  | { readonly ok: false; readonly row: RefusedRow };

/** One row per entry: a call, or an invalid entry. */
export async function readEntry({ id, json }: StreamEntry): Promise<ReadEntry> {
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return { ok: false, row: refusedRow({ id, json }, 'not JSON') };
  }
  const read = callRecordSchema.safeParse(value);
  if (!read.success) {
    const problem = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    return { ok: false, row: refusedRow({ id, json }, problem) };
  }
  return { ok: true, row: await rowOf(read.data, json!), record: { ...read.data, trace: [] } };
}

export const refusedRow = ({ id, json }: StreamEntry, problem: string): RefusedRow => ({
  entry_id: id,
  entry: Buffer.from(json ?? ''),
  problem: storable(problem).slice(0, 1_000),
});

/** @returns the ids of newly stored calls */
async function insertCalls(transaction: Transaction<Database>, calls: readonly CallRow[]): Promise<string[]> {
  const stored = await transaction
    .insertInto('calls')
    // A fixed order, so that two processes that store the same entries cannot deadlock.
    .values(calls.toSorted((one, other) => (one.call_id < other.call_id ? -1 : 1)))
    .onConflict((conflict) => conflict.column('call_id').doNothing())
    .returning('call_id')
    .execute();
  return stored.map(({ call_id }) => call_id);
}

/** Stores and counts entries from the stream; existing rows stay unchanged. All or nothing. */
export async function storeEntries(database: Kysely<Database>, entries: readonly ReadEntry[]): Promise<void> {
  const received = entries.flatMap((entry) => (entry.ok ? [entry] : []));
  const refused = entries.flatMap((entry) => (entry.ok ? [] : [entry.row]));
  await database.transaction().execute(async (transaction) => {
    const named = await withParties(transaction, received);
    const read = new Map(named.map((entry) => [entry.row.call_id, entry] as const));
    const calls = [...read.values()].map(({ row }) => row);
    if (calls.length > 0) {
      const ids = calls.map(({ call_id }) => call_id);
      await settleOrders(transaction, ids);
      const stored = await insertCalls(transaction, calls);
      const known = new Set(stored);
      // After the insert, which waits for a concurrent transaction that gives the call up as lost.
      const withdrawn = await withdrawEdgeLost(
        transaction,
        ids.filter((id) => !known.has(id)),
      );
      if (withdrawn.length > 0) {
        stored.push(
          ...(await insertCalls(
            transaction,
            withdrawn.map((id) => read.get(id)!.row),
          )),
        );
      }
      await queueCallResults(transaction, ids, 'call.completed');
      await countCalls(
        transaction,
        stored.map((callId) => {
          const { row, record } = read.get(callId)!;
          const ringing_at = record.ringing_at === null ? null : new Date(record.ringing_at);
          return { ...row, ringing_at } as CountedCall;
        }),
      );
      await queueCallEvents(
        transaction,
        stored.flatMap((callId) => momentsOf(read.get(callId)!.record)),
      );
    }
    if (refused.length > 0) {
      await transaction
        .insertInto('refused_call_records')
        .values(refused)
        .onConflict((conflict) => conflict.column('entry_id').doNothing())
        .execute();
    }
  });
}
