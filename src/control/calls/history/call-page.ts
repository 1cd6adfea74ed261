import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';

const decompress = promisify(gunzip);

export interface CallFilter {
  /** E.164 digits without plus. */
  readonly number?: string | undefined;
  readonly direction?: CallRecord['direction'] | undefined;
  readonly outcome?: CallRecord['outcome'] | undefined;
  readonly sipStatus?: number | undefined;
  /** Inclusive lower bound. */
  readonly startedAfter?: Date | undefined;
  /** Exclusive upper bound. */
  readonly startedBefore?: Date | undefined;
  /** Possible spellings of caller and callee. */
  readonly caller?: readonly string[] | undefined;
  readonly called?: readonly string[] | undefined;
  readonly endReason?: CallRecord['end_reason'] | undefined;
  readonly sipCallId?: string | undefined;
  readonly sourceAddress?: string | undefined;
  /** Metadata of the order, by name. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface PageRequest extends CallFilter {
  readonly organizationId: string;
  readonly limit: number;
  /** Id of the last call of the previous page. */
  readonly before?: string | undefined;
  /** The parameter that set `before`, for the error. */
  readonly cursorPath?: string;
}

const columns = [
  'call_id',
  'sip_call_id',
  'number',
  'direction',
  'caller',
  'called',
  'source_address',
  'started_at',
  'answered_at',
  'ended_at',
  'duration_milliseconds',
  'outcome',
  'sip_status',
  'sip_reason',
  'ended_by',
  'end_reason',
] as const;

/** The query for a page of calls, newest first; `cursor` is the end of the previous page. */
export function pageQuery(
  database: Kysely<Database>,
  { organizationId, limit, ...filter }: Omit<PageRequest, 'before' | 'cursorPath'>,
  cursor?: { readonly startedAt: Date; readonly callId: string },
) {
  let query = database.selectFrom('calls').select(columns).where('organization_id', '=', organizationId);
  if (filter.number !== undefined) query = query.where('number', '=', filter.number);
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction);
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome);
  if (filter.sipStatus !== undefined) query = query.where('sip_status', '=', filter.sipStatus);
  if (filter.startedAfter !== undefined) query = query.where('started_at', '>=', filter.startedAfter);
  if (filter.startedBefore !== undefined) query = query.where('started_at', '<', filter.startedBefore);
  if (filter.caller !== undefined) query = query.where('caller', 'in', filter.caller);
  if (filter.called !== undefined) query = query.where('called', 'in', filter.called);
  if (filter.endReason !== undefined) query = query.where('end_reason', '=', filter.endReason);
  if (filter.sipCallId !== undefined) query = query.where('sip_call_id', '=', filter.sipCallId);
  if (filter.sourceAddress !== undefined) query = query.where('source_address', '=', filter.sourceAddress);
  if (filter.metadata !== undefined) {
    const ordered = database
      .selectFrom('ordered_calls')
      .select('ordered_calls.call_id')
      .where('ordered_calls.organization_id', '=', organizationId)
      .where(hasMetadata(filter.metadata));
    query = query.where('call_id', 'in', ordered);
  }
  if (cursor !== undefined) {
    // A row comparison lets PostgreSQL seek the index to the cursor instead of scanning up to it.
    query = query.where(sql<boolean>`(started_at, call_id) < (${cursor.startedAt}, ${cursor.callId})`);
  }
  return query.orderBy('started_at', 'desc').orderBy('call_id', 'desc').limit(limit);
}

/** Whether an order's metadata has these values, as text, number, true or false. */
export const hasMetadata = (wanted: Readonly<Record<string, string>>) =>
  sql<boolean>`(${sql.join(
    Object.entries(wanted).map(([name, text]) => {
      const isLiteral = /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,10})?)$/.test(text);
      const values: unknown[] = isLiteral ? [text, JSON.parse(text)] : [text];
      const each = values.map((value) => sql`metadata @> ${JSON.stringify({ [name]: value })}::jsonb`);
      return sql`(${sql.join(each, sql` or `)})`;
    }),
    sql` and `,
  )})`;

/** Throws `InvalidRequest` if `before` is not a call of the organization. */
export async function readPage(database: Kysely<Database>, request: PageRequest) {
  const cursor = request.before === undefined ? undefined : await cursorOf(database, request, request.before);
  // One row more than requested shows whether there is another page.
  const rows = await pageQuery(database, { ...request, limit: request.limit + 1 }, cursor).execute();
  return { rows: rows.slice(0, request.limit), hasMore: rows.length > request.limit };
}

export async function cursorOf(
  database: Kysely<Database>,
  { organizationId, cursorPath = 'before' }: Pick<PageRequest, 'organizationId' | 'cursorPath'>,
  callId: string,
) {
  const row = await database
    .selectFrom('calls')
    .select('started_at')
    .where('call_id', '=', callId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw InvalidRequest.at(cursorPath, 'Must be the call_id of a call in the history');
  return { startedAt: row.started_at, callId };
}

/** One call of the organization; undefined if it has no such call. */
export async function readCall(database: Kysely<Database>, organizationId: string, callId: string) {
  const row = await database
    .selectFrom('calls')
    .select([...columns, 'record'])
    .where('call_id', '=', callId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const json = await decompress(row.record);
  // Records are stored unchanged: records of earlier releases lack newer fields.
  const record = JSON.parse(json.toString('utf8')) as Partial<Pick<CallRecord, 'attempts'>> &
    Omit<CallRecord, 'attempts'>;
  return { row, record: { ...record, attempts: record.attempts ?? [] } };
}
