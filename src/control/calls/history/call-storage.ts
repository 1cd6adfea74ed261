import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { StreamEntry } from '../../../base/stream.js';
import { type CallRecord, callRecordSchema, type TraceEntry } from '../../../contract/call-record.js';
import type { LiveCall } from '../../../contract/live.js';
import { storable } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { momentsOf, queueCallEvents } from '../events/call-events.js';
import { linkContinued, lockForLinks, mayBeContinued } from '../lost/continued-calls.js';
import { withdrawEdgeLost } from '../lost/edge-lost-records.js';
import { settleOrders } from '../lost/lost-records.js';
import { queueCallResults } from '../orders/queue-results.js';
import { withParties } from '../parties/without-party.js';
import { type CountedCall, countCalls, isTestAlone } from './call-minutes.js';
import { type CallRow, rowOf } from './call-row.js';
import type { RefusedCallRecordsTable } from './tables.js';

export type RefusedRow = Insertable<RefusedCallRecordsTable>;

export type ReadEntry =
  | {
      readonly ok: true;
      readonly row: CallRow;
      /** Without its trace. */
      readonly record: CallRecord;
      /** What of it the row does not need twice: empty once the trace is elsewhere. */
      readonly trace: readonly TraceEntry[];
    }
  | { readonly ok: false; readonly row: RefusedRow };

/** One row per entry: a call, or an invalid entry. */
export function readEntry({ id, json }: StreamEntry): ReadEntry {
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
  return {
    ok: true,
    row: rowOf(read.data, json!),
    record: { ...read.data, trace: [] },
    trace: read.data.trace,
  };
}

export const refusedRow = ({ id, json }: StreamEntry, problem: string): RefusedRow => ({
  entry_id: id,
  entry: Buffer.from(json ?? ''),
  problem: storable(problem).slice(0, 1_000),
});

/**
 * Two parameters, however many calls: their columns as JSON, and their records one behind the other. So the statement is always the
 * same short text, which costs neither side more with a larger batch.
 * @returns the ids of newly stored calls
 */
async function insertCalls(transaction: Transaction<Database>, calls: readonly CallRow[]): Promise<string[]> {
  // A fixed order, so that two processes that store the same entries cannot deadlock.
  const ordered = calls.toSorted((left, right) => (left.call_id < right.call_id ? -1 : 1));
  // `substring` counts from 1.
  let first = 1;
  const columns = ordered.map(({ record, ...row }) => {
    const at = { first, octets: record.length };
    first += record.length;
    return { ...row, ...at };
  });
  const { rows } = await sql<{ call_id: string }>`
    insert into calls (
      call_id, organization_id, number, direction, caller, called, sip_call_id, source_address, started_at, answered_at,
      ended_at, duration_milliseconds, outcome, sip_status, sip_reason, ended_by, end_reason, party_name, mos, test_run_id,
      search_tokens, record)
    select
      call_id, organization_id, number, direction, caller, called, sip_call_id, source_address, started_at, answered_at,
      ended_at, duration_milliseconds, outcome, sip_status, sip_reason, ended_by, end_reason, party_name, mos, test_run_id,
      call_tokens(organization_id, search_words), substring(${Buffer.concat(ordered.map(({ record }) => record))}::bytea from first for octets)
    from json_to_recordset(${JSON.stringify(columns)}) as ended (
      call_id text, organization_id text, number text, direction text, caller text, called text, sip_call_id text,
      source_address text, started_at timestamptz, answered_at timestamptz, ended_at timestamptz,
      duration_milliseconds integer, outcome text, sip_status integer, sip_reason text, ended_by text, end_reason text,
      party_name text, mos real, test_run_id text, search_words text[], first integer, octets integer)
    on conflict do nothing
    returning call_id`.execute(transaction);
  return rows.map(({ call_id }) => call_id);
}

/** The calls among these that another edge may have begun again. */
export const lostAmong = (entries: readonly ReadEntry[]): readonly CallRow[] =>
  entries.flatMap((entry) => (entry.ok && mayBeContinued(entry.record) ? [entry.row] : []));

/**
 * Stores and counts entries from the stream; existing rows stay unchanged. All or nothing.
 * @param readActive active calls of all edges; read only where one of them may continue a call
 */
export async function storeEntries(
  database: Kysely<Database>,
  entries: readonly ReadEntry[],
  readActive: () => Promise<readonly LiveCall[]> = async () => [],
): Promise<void> {
  const received = entries.flatMap((entry) => (entry.ok ? [entry] : []));
  const active = lostAmong(entries).length === 0 ? [] : await readActive();
  const refused = entries.flatMap((entry) => (entry.ok ? [] : [entry.row]));
  await database.transaction().execute(async (transaction) => {
    await lockForLinks(
      transaction,
      received.map(({ record }) => record),
    );
    const named = await withParties(transaction, received);
    const read = new Map(named.map((entry) => [entry.row.call_id, entry] as const));
    const calls = [...read.values()].map(({ row }) => row);
    if (calls.length > 0) {
      const ids = calls.map(({ call_id }) => call_id);
      await settleOrders(transaction, ids);
      const stored = await insertCalls(transaction, calls);
      const storedIds = new Set(stored);
      // After the insert, which waits for a concurrent transaction that gives the call up as lost.
      const withdrawn = await withdrawEdgeLost(
        transaction,
        ids.filter((id) => !storedIds.has(id)),
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
        stored.flatMap((callId) => {
          const { row, record } = read.get(callId)!;
          if (isTestAlone(record)) return [];
          const ringing_at = record.ringing_at === null ? null : new Date(record.ringing_at);
          return [{ ...row, ringing_at, agent: record.agent } as CountedCall];
        }),
      );
      const links = await linkContinued(
        transaction,
        stored.map((callId) => read.get(callId)!.row),
        active,
      );
      await queueCallEvents(
        transaction,
        stored.flatMap((callId) => momentsOf(read.get(callId)!.record, links.get(callId))),
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
