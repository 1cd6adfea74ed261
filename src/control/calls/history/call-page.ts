import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import {
  type CallRow,
  type Cursor,
  columns,
  type Owner,
  type PageRequest,
  pageQuery,
  readFleetPage,
} from './call-filter.js';
import { findInPeriods, type Period, periodsBehind, readPeriods } from './call-periods.js';
import { foundCalls, searchCalls } from './call-search.js';
import { withAddresses } from './source-networks.js';
import { type StoredTrace, storedTraceSchema } from './trace-archive.js';

const decompress = promisify(gunzip);

/** Throws `InvalidRequest` if `before` is not a call of the organization. */
export async function readPage(database: Kysely<Database>, request: PageRequest) {
  const cursor = request.before === undefined ? undefined : await cursorOf(database, request, request.before);
  // One row more than requested shows whether there is another page.
  const rows = await readRows(database, { ...request, limit: request.limit + 1 }, cursor);
  return { rows: rows.slice(0, request.limit), hasMore: rows.length > request.limit };
}

/** The page behind the cursor. */
export async function readRows(
  database: Kysely<Database>,
  request: Omit<PageRequest, 'before' | 'cursorPath'>,
  cursor?: Cursor,
): Promise<readonly CallRow[]> {
  const { organizationId, search, ...page } = await withAddresses(database, request.organizationId, request);
  if (search !== undefined || page.headerWords !== undefined)
    return searchCalls(database, { organizationId, search, ...page }, cursor);
  return readPeriods(periodsBehind(page, cursor), page.limit, (period, limit) => {
    const part = { ...page, ...period, limit };
    if (organizationId !== undefined)
      return pageQuery(database, { ...part, owner: organizationId }, cursor).execute();
    return readFleetPage(database, (owner) => pageQuery(database, { ...part, owner }, cursor), limit);
  });
}

/** How many calls match, at most so many. */
export async function countMatching(
  database: Kysely<Database>,
  request: Omit<PageRequest, 'limit' | 'before' | 'cursorPath'>,
  most: number,
): Promise<number> {
  const { organizationId, search, ...filter } = await withAddresses(
    database,
    request.organizationId,
    request,
  );
  const of = (owner: Owner) => foundCalls(database, owner, search, filter, undefined).limit(most);
  const matching =
    organizationId === undefined
      ? sql`(select own.call_id from organizations cross join lateral ${of(sql<string>`organizations.id`)} as own
          union all select call_id from ${of(null)} as unassigned limit ${most})`
      : sql`${of(organizationId)}`;
  const { rows } = await sql<{
    calls: string;
  }>`select count(*) as calls from ${matching} as matching`.execute(database);
  return Number(rows[0]!.calls);
}

/** A call if it started within the period. */
export function callById(
  database: Kysely<Database>,
  callId: string,
  { startedAfter, startedBefore }: Period,
) {
  let query = database.selectFrom('calls').where('call_id', '=', callId);
  if (startedAfter !== undefined) query = query.where('started_at', '>=', startedAfter);
  if (startedBefore !== undefined) query = query.where('started_at', '<', startedBefore);
  return query;
}

export async function cursorOf(
  database: Kysely<Database>,
  { organizationId, cursorPath = 'before' }: Pick<PageRequest, 'organizationId' | 'cursorPath'>,
  callId: string,
): Promise<Cursor> {
  const row = await findInPeriods((period) =>
    callById(database, callId, period)
      .select('started_at')
      .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
      .executeTakeFirst(),
  );
  if (row === undefined) throw InvalidRequest.at(cursorPath, 'Must be the call_id of a call in the history');
  return { startedAt: row.started_at, callId };
}

export interface StoredCall {
  readonly row: CallRow & { readonly record: Buffer };
  readonly record: CallRecord;
  /** Where its trace is; undefined: in the record. */
  readonly storedTrace?: StoredTrace;
}

/**
 * One call of the organization, without a trace that is in the object store; undefined if it has no such call.
 * @param isOperator also calls that no organization has
 * @param startedAfter since when it can have started: a call that is not stored yet is asked for often, and would be looked for in all periods
 */
export async function readCall(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
  { isOperator = false, startedAfter }: { isOperator?: boolean; startedAfter?: Date } = {},
): Promise<StoredCall | undefined> {
  const row = await findInPeriods(
    (period) =>
      callById(database, callId, period)
        .select([...columns, 'record'])
        .where((eb) =>
          isOperator
            ? eb.or([eb('organization_id', '=', organizationId), eb('organization_id', 'is', null)])
            : eb('organization_id', '=', organizationId),
        )
        .executeTakeFirst(),
    { startedAfter },
  );
  if (row === undefined) return undefined;
  const json = await decompress(row.record);
  // Records are stored unchanged: records of earlier releases lack newer fields.
  const { stored_trace: at, ...record } = JSON.parse(json.toString('utf8')) as Partial<
    Pick<CallRecord, 'attempts'> & { stored_trace: unknown }
  > &
    Omit<CallRecord, 'attempts'>;
  const whole = { row, record: { ...record, attempts: record.attempts ?? [] } };
  return at === undefined ? whole : { ...whole, storedTrace: storedTraceSchema.parse(at) };
}
