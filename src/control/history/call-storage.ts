import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Insertable, Kysely } from 'kysely';
import { type CallRecord, callRecordSchema } from '../../contract/call-record.js';
import { parseAddress } from '../../sip/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import { queueCallResults } from '../calls/queue-results.js';
import type { Database } from '../database/tables.js';
import { type CountedCall, countCalls } from './call-minutes.js';
import type { CallsTable, RefusedCallRecordsTable } from './tables.js';

const compress = promisify(gzip);

export type CallRow = Insertable<CallsTable>;
export type RefusedRow = Insertable<RefusedCallRecordsTable>;

/** One entry of the stream as it came. */
export interface StreamEntry {
  readonly id: string;
  /** Undefined: the entry has no field `record`. */
  readonly json: string | undefined;
}

export type ReadEntry =
  | { readonly ok: true; readonly row: CallRow; readonly ringingAt: Date | null }
  | { readonly ok: false; readonly row: RefusedRow };

/** A row for every entry: of the calls, or of what cannot be one. */
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
  const { ringing_at: ringingAt } = read.data;
  return {
    ok: true,
    row: await rowOf(read.data, json!),
    ringingAt: ringingAt === null ? null : new Date(ringingAt),
  };
}

export const refusedRow = ({ id, json }: StreamEntry, problem: string): RefusedRow => ({
  entry_id: id,
  entry: Buffer.from(json ?? ''),
  problem: storable(problem).slice(0, 1_000),
});

/** PostgreSQL's text holds anything but U+0000. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd');

/** The user of a From or To header's URI; its host where there is no user. */
export function partyOf(header: string): string {
  const text = parseAddress(header)?.uri;
  const uri = text === undefined ? undefined : parseUri(text);
  if (uri === undefined) return '';
  return userOf(uri) ?? (uri.kind === 'sip' ? uri.host : '');
}

async function rowOf(record: CallRecord, json: string): Promise<CallRow> {
  return {
    call_id: storable(record.call_id),
    organization_id: record.organization === null ? null : storable(record.organization),
    number: record.number === null ? null : storable(record.number),
    direction: record.direction,
    caller: storable(partyOf(record.from)),
    called: storable(partyOf(record.to)),
    sip_call_id: storable(record.sip_call_ids.trunk),
    source_address: storable(record.source.address),
    started_at: new Date(record.started_at),
    answered_at: record.answered_at === null ? null : new Date(record.answered_at),
    ended_at: new Date(record.ended_at),
    duration_milliseconds: record.duration_milliseconds,
    outcome: record.outcome,
    sip_status: record.sip_status,
    sip_reason: record.sip_reason === null ? null : storable(record.sip_reason),
    ended_by: record.ended_by,
    end_reason: record.end_reason,
    record: await compress(json, { level: 6 }),
  };
}

/** Stores what came from the stream, and counts it; what is there already stays. All or nothing. */
export async function storeEntries(database: Kysely<Database>, entries: readonly ReadEntry[]): Promise<void> {
  const read = new Map(entries.flatMap((entry) => (entry.ok ? [[entry.row.call_id, entry] as const] : [])));
  const calls = [...read.values()].map(({ row }) => row);
  const refused = entries.flatMap((entry) => (entry.ok ? [] : [entry.row]));
  await database.transaction().execute(async (transaction) => {
    if (calls.length > 0) {
      const stored = await transaction
        .insertInto('calls')
        // Two processes that store the same entries meet in the same order, and do not wait for each other in a circle.
        .values(calls.toSorted((one, other) => (one.call_id < other.call_id ? -1 : 1)))
        .onConflict((conflict) => conflict.column('call_id').doNothing())
        .returning('call_id')
        .execute();
      const ids = calls.map(({ call_id }) => call_id);
      await queueCallResults(transaction, ids, 'call.completed');
      await countCalls(
        transaction,
        stored.map(({ call_id }) => {
          const { row, ringingAt } = read.get(call_id)!;
          return { ...row, ringing_at: ringingAt } as CountedCall;
        }),
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
