import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { badAudioReasons, leastMos } from '../../../contract/audio-defect.js';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';

export interface CallFilter {
  /** E.164 digits without plus. */
  readonly number?: string | undefined;
  readonly direction?: CallRecord['direction'] | undefined;
  readonly outcome?: CallRecord['outcome'] | undefined;
  /** `any`: failed and not continued, refused or with bad audio. `audio`: a side was not heard, or no longer, or hardly. */
  readonly problem?: 'any' | 'audio' | undefined;
  readonly sipStatus?: number | undefined;
  /** Inclusive lower bound. */
  readonly startedAfter?: Date | undefined;
  /** Exclusive upper bound. */
  readonly startedBefore?: Date | undefined;
  /** The same bounds of the end. */
  readonly endedAfter?: Date | undefined;
  readonly endedBefore?: Date | undefined;
  /** Possible spellings of caller and callee. */
  readonly caller?: readonly string[] | undefined;
  readonly called?: readonly string[] | undefined;
  readonly endReason?: CallRecord['end_reason'] | undefined;
  readonly sipCallId?: string | undefined;
  /** An address, or a network such as `198.51.100.0/24`. */
  readonly sourceAddress?: string | undefined;
  /** Any of these. */
  readonly sourceAddresses?: readonly string[] | undefined;
  /** Of headers in the trace (`headerWords`), all of them. */
  readonly headerWords?: readonly string[] | undefined;
  /** Metadata of the order, by name. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A search term: part of a number or name, or a whole identifier. */
export interface SearchTerm {
  /** As written, without blanks around it: a call id, a Call-ID or an address. */
  readonly exact: string;
  /** Part of caller, callee or name: lower case; of a number its digits alone. */
  readonly part: string;
  /** Part of a Call-ID in lower case; undefined: too short to be one. */
  readonly callIdPart: string | undefined;
}

export interface PageRequest extends CallFilter {
  /** Undefined: of all organizations, and calls of none. */
  readonly organizationId: string | undefined;
  readonly limit: number;
  /** What caller, callee, name or an identifier of the call must hold. */
  readonly search?: SearchTerm | undefined;
  /** Id of the last call of the previous page. */
  readonly before?: string | undefined;
  /** The parameter that set `before`, for the error. */
  readonly cursorPath?: string;
}

export const columns = [
  'call_id',
  'organization_id',
  'sip_call_id',
  'number',
  'direction',
  'caller',
  'called',
  'party_name',
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
  'test_run_id',
  'mos',
  'continued_as',
] as const;

export interface Cursor {
  readonly startedAt: Date;
  readonly callId: string;
}

/** No call is longer (`max_duration_seconds`), with an hour for what precedes the answer. */
const longestCallMilliseconds = 25 * 3_600_000;

const audioReasons = sql.join(badAudioReasons.map((reason) => sql.lit(reason)));

/** `hasBadAudio` of a row with an outcome and an end reason; the index `calls_audio_problem_page` has the same condition. */
const endedWithBadAudio = sql<boolean>`(end_reason in (${audioReasons}) or (end_reason = 'media_failed' and outcome = 'completed'))`;

const hasBadAudio = sql<boolean>`(mos < ${sql.lit(leastMos)} or ${endedWithBadAudio})`;

/** Whose calls: of one organization, or `null`: calls to numbers that no organization has; or those of an outer query's row. */
export type Owner = string | null | RawBuilder<string>;

/** All matching calls of one owner, unordered. */
export function matchingCalls(database: Kysely<Database>, owner: Owner, filter: CallFilter, cursor?: Cursor) {
  let query = database.selectFrom('calls').select(columns);
  query =
    owner === null ? query.where('organization_id', 'is', null) : query.where('organization_id', '=', owner);
  if (filter.number !== undefined) query = query.where('number', '=', filter.number);
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction);
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome);
  if (filter.problem === 'audio') query = query.where(hasBadAudio);
  if (filter.problem === 'any') {
    query = query.where(
      sql<boolean>`((outcome in ('failed', 'refused') and continued_as is null) or ${hasBadAudio})`,
    );
  }
  if (filter.sipStatus !== undefined) query = query.where('sip_status', '=', filter.sipStatus);
  if (filter.startedAfter !== undefined) query = query.where('started_at', '>=', filter.startedAfter);
  if (filter.startedBefore !== undefined) query = query.where('started_at', '<', filter.startedBefore);
  if (filter.endedAfter !== undefined) {
    // Pages and indexes are ordered by the beginning of the call.
    const earliest = new Date(filter.endedAfter.getTime() - longestCallMilliseconds);
    query = query.where('ended_at', '>=', filter.endedAfter).where('started_at', '>=', earliest);
  }
  if (filter.endedBefore !== undefined) {
    query = query.where('ended_at', '<', filter.endedBefore).where('started_at', '<', filter.endedBefore);
  }
  if (filter.caller !== undefined) query = query.where('caller', 'in', filter.caller);
  if (filter.called !== undefined) query = query.where('called', 'in', filter.called);
  if (filter.endReason !== undefined) query = query.where('end_reason', '=', filter.endReason);
  if (filter.sipCallId !== undefined) query = query.where('sip_call_id', '=', filter.sipCallId);
  if (filter.sourceAddress !== undefined) {
    query = filter.sourceAddress.includes('/')
      ? query.where(isWithin(filter.sourceAddress))
      : query.where('source_address', '=', filter.sourceAddress);
  }
  if (filter.sourceAddresses !== undefined) {
    query = query.where('source_address', '=', sql<string>`any(${[...filter.sourceAddresses]}::text[])`);
  }
  if (filter.headerWords !== undefined) query = query.where(hasWords(owner, filter.headerWords));
  if (filter.metadata !== undefined) {
    let ordered = database
      .selectFrom('ordered_calls')
      .select('ordered_calls.call_id')
      .where(hasMetadata(filter.metadata));
    if (owner !== null) ordered = ordered.where('ordered_calls.organization_id', '=', owner);
    query = query.where('call_id', 'in', ordered);
  }
  if (cursor !== undefined) {
    // A row comparison lets PostgreSQL seek the index to the cursor instead of scanning up to it.
    query = query.where(sql<boolean>`(started_at, call_id) < (${cursor.startedAt}, ${cursor.callId})`);
  }
  return query;
}

export type CallRow = Awaited<ReturnType<ReturnType<typeof matchingCalls>['executeTakeFirstOrThrow']>>;

/** Whether the call can be found by each of these words. */
export const hasWords = (owner: Owner, words: readonly string[]) =>
  sql<boolean>`search_tokens @> call_tokens(${owner}, ${[...words]}::text[])`;

/** What is no address, as of calls that were given up as lost, is in no network. */
export const isWithin = (network: string) =>
  sql<boolean>`(case when source_address ~ '^(\\d{1,3}\\.){3}\\d{1,3}$' or source_address ~ '^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$'
    then source_address::inet <<= network(${network}::inet) else false end)`;

/** The query for a page of calls of one owner, newest first; `cursor` is the end of the previous page. */
export function pageQuery(
  database: Kysely<Database>,
  { owner, limit, ...filter }: CallFilter & { readonly owner: Owner; readonly limit: number },
  cursor?: Cursor,
) {
  return matchingCalls(database, owner, filter, cursor)
    .orderBy('started_at', 'desc')
    .orderBy('call_id', 'desc')
    .limit(limit);
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

/** Merges what each organization has, so that every filter reads the index that it reads for one organization. */
export async function readFleetPage(
  database: Kysely<Database>,
  callsOf: (owner: Owner) => Expression<CallRow>,
  limit: number,
): Promise<readonly CallRow[]> {
  const { rows } = await sql<CallRow>`
    select * from (
      select own.* from organizations cross join lateral ${callsOf(sql<string>`organizations.id`)} as own
      union all select * from ${callsOf(null)} as unassigned
    ) as fleet
    order by started_at desc, call_id desc limit ${limit}`.execute(database);
  return rows;
}
