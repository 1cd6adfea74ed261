import { type Kysely, type Selectable, sql } from 'kysely';
import type { AttemptRecord, EndReason } from '../../../contract/call-record.js';
import type { TransferRecord } from '../../../contract/transfer.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';
import { hasMetadata } from '../history/call-filter.js';
import { readCall } from '../history/call-page.js';
import type { CallsTable } from '../history/tables.js';

export interface OrderFilter {
  readonly number?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly batchId?: string | undefined;
  /** The end state, or `active`. */
  readonly state?: EndState | 'active' | undefined;
  readonly endReason?: EndReason | undefined;
  /** Metadata of the order, by name. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface OrderPage extends OrderFilter {
  readonly limit: number;
  readonly ascending: boolean;
  /** Id of the last call of the previous page. */
  readonly after?: string | undefined;
}

/** Matches `stateOf` in `view.ts`. */
const endStates = {
  completed: sql<boolean>`calls.outcome = 'completed'`,
  cancelled: sql<boolean>`calls.outcome = 'cancelled'`,
  busy: sql<boolean>`calls.outcome not in ('completed', 'cancelled') and calls.end_reason = 'trunk_refused' and calls.sip_status in (486, 600)`,
  no_answer: sql<boolean>`calls.outcome not in ('completed', 'cancelled') and (calls.end_reason = 'trunk_no_answer' or (calls.end_reason = 'trunk_refused' and calls.sip_status in (480, 408)))`,
  failed: sql<boolean>`calls.outcome not in ('completed', 'cancelled') and calls.end_reason <> 'trunk_no_answer' and not (calls.end_reason = 'trunk_refused' and calls.sip_status is not null and calls.sip_status in (486, 600, 480, 408))`,
} as const;
export type EndState = keyof typeof endStates | 'unknown';

/** A call starts after its order by this at least, whatever the clocks of edge and control say: so only the calls since then are looked through. */
const earlierMilliseconds = 86_400_000;

const joined = (database: Kysely<Database>) =>
  database
    .selectFrom('ordered_calls')
    .leftJoin('calls', (join) =>
      join
        .onRef('calls.call_id', '=', 'ordered_calls.call_id')
        .onRef('calls.organization_id', '=', 'ordered_calls.organization_id')
        .on(sql<boolean>`calls.started_at >= ordered_calls.created_at - interval '1 day'`),
    );

const isUnknown = sql<boolean>`coalesce(ordered_calls.lost->>'status' = 'unknown', false)`;

const filtered = (database: Kysely<Database>, organizationId: string, filter: OrderFilter) => {
  const isOfEnd =
    filter.endReason !== undefined ||
    (filter.state !== undefined && filter.state !== 'active' && filter.state !== 'unknown');
  // PostgreSQL cannot leave a join out that changes nothing, because `calls` has no unique index where it has partitions.
  const orders = isOfEnd
    ? joined(database)
    : (database.selectFrom('ordered_calls') as unknown as ReturnType<typeof joined>);
  let query = orders.where('ordered_calls.organization_id', '=', organizationId);
  if (filter.state === 'active') query = query.where('ordered_calls.settled', '=', false);
  else if (filter.state === 'unknown') query = query.where(isUnknown);
  else if (filter.state !== undefined) {
    query = query.where(endStates[filter.state]).where(sql<boolean>`not ${isUnknown}`);
  }
  if (filter.endReason !== undefined) query = query.where('calls.end_reason', '=', filter.endReason);
  if (filter.metadata !== undefined) query = query.where(hasMetadata(filter.metadata));
  if (filter.number !== undefined) query = query.where('ordered_calls.number', '=', filter.number);
  if (filter.phoneNumber !== undefined)
    query = query.where('ordered_calls.phone_number', '=', filter.phoneNumber);
  if (filter.batchId !== undefined) query = query.where('ordered_calls.batch_id', '=', filter.batchId);
  if (filter.createdAfter !== undefined) query = query.where('created_at', '>=', filter.createdAfter);
  if (filter.createdBefore !== undefined) query = query.where('created_at', '<', filter.createdBefore);
  return query;
};

/** Customers' request data may be long: a page of a thousand calls would fill control's memory. */
const maximumPageOctets = 4 * 1024 * 1024;

const octetsOf = sql<number>`octet_length(coalesce(request_data::text, '')) + octet_length(coalesce(metadata::text, ''))`;

/** How many calls of the page fit, at least one. */
async function roomFor(
  query: ReturnType<typeof filtered>,
  page: Pick<OrderPage, 'ascending' | 'limit'>,
): Promise<number> {
  const direction = page.ascending ? 'asc' : 'desc';
  const sizes = await query
    .select(octetsOf.as('octets'))
    .orderBy('created_at', direction)
    .orderBy('ordered_calls.call_id', direction)
    .limit(page.limit)
    .execute();
  return roomIn(
    sizes.map(({ octets }) => octets),
    page.limit,
  );
}

/**
 * How many calls of a page fit, at least one.
 * @param sizes octets of each, in the order of the page
 */
export function roomIn(sizes: readonly number[], limit: number): number {
  let sum = 0;
  const fitting = sizes.findIndex((octets) => {
    sum += octets;
    return sum > maximumPageOctets;
  });
  return fitting < 0 ? limit : Math.max(1, fitting);
}

/**
 * Ordered calls, with how they ended where that is known; fewer than wanted when they are more than four megabytes. Throws
 * `InvalidRequest` if `after` is not an ordered call of the organization.
 */
export async function readOrders(database: Kysely<Database>, organizationId: string, page: OrderPage) {
  const direction = page.ascending ? 'asc' : 'desc';
  let query = filtered(database, organizationId, page);
  if (page.after !== undefined) {
    const from = await createdAtOf(database, organizationId, page.after);
    const cursor = sql`(${from}::timestamptz, ${page.after}::text)`;
    const position = sql`(ordered_calls.created_at, ordered_calls.call_id)`;
    query = query.where(
      page.ascending ? sql<boolean>`${position} > ${cursor}` : sql<boolean>`${position} < ${cursor}`,
    );
  }
  const limit = await roomFor(query, { ...page, limit: page.limit + 1 });
  const orders = await query
    .select([
      'ordered_calls.call_id',
      'ordered_calls.number',
      'ordered_calls.phone_number',
      'ordered_calls.request_data',
      'ordered_calls.metadata',
      'ordered_calls.max_duration_minutes',
      'ordered_calls.created_at',
      'ordered_calls.lost',
      'ordered_calls.batch_id',
      'ordered_calls.scheduled_at',
      'ordered_calls.given_at',
      sql<boolean>`ordered_calls.pending is not null`.as('is_pending'),
    ])
    .orderBy('created_at', direction)
    .orderBy('ordered_calls.call_id', direction)
    .limit(limit)
    .execute();
  const ends = await readEnds(database, organizationId, orders);
  const rows = orders.map((order) => ({ ...order, ...(ends.get(order.call_id) ?? nothing) }));
  const { total } = await filtered(database, organizationId, page)
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  // One row more than requested shows whether there is another page; if the page was cut by size, there is.
  const hasMore = rows.length > page.limit || limit <= page.limit;
  return { rows: rows.slice(0, page.limit), total: Number(total), hasMore };
}

/** How these orders' calls ended, by call id; those that have not are missing. */
async function readEnds(
  database: Kysely<Database>,
  organizationId: string,
  orders: readonly { readonly call_id: string; readonly created_at: Date }[],
): Promise<ReadonlyMap<string, CallEnd>> {
  if (orders.length === 0) return new Map();
  const earliest = Math.min(...orders.map(({ created_at }) => created_at.getTime()));
  const rows = await database
    .selectFrom('calls')
    .select(['call_id', ...endColumns])
    .where('organization_id', '=', organizationId)
    .where(
      'call_id',
      'in',
      orders.map(({ call_id }) => call_id),
    )
    .where('started_at', '>=', new Date(earliest - earlierMilliseconds))
    .execute();
  return new Map(rows.map(({ call_id, ...end }) => [call_id, end]));
}

async function createdAtOf(database: Kysely<Database>, organizationId: string, callId: string) {
  const row = await database
    .selectFrom('ordered_calls')
    .select('created_at')
    .where('call_id', '=', callId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined)
    throw InvalidRequest.at('after', 'Must be the call_id of a call placed through the API');
  return row.created_at;
}

export type OrderRow = Awaited<ReturnType<typeof readOrders>>['rows'][number];

export interface FoundOrder {
  readonly row: OrderRow & {
    readonly organization_id: string;
    readonly task: string;
    readonly tools: readonly string[] | null;
    readonly persona_id: string | null;
    readonly pathway_id: string | null;
    readonly pathway_version: number | null;
    readonly voice: string | null;
  };
  readonly detail: string | null;
  readonly ringingAt: string | null;
  readonly attempts: readonly AttemptRecord[];
  readonly transfers: readonly TransferRecord[];
}

/** One ordered call of the organization; undefined if it has no such call. Fields outside the row come from the record. */
export async function readOrder(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<FoundOrder | undefined> {
  const order = await database
    .selectFrom('ordered_calls')
    .selectAll()
    .where('call_id', '=', callId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (order === undefined) return undefined;
  const startedAfter = new Date(order.created_at.getTime() - earlierMilliseconds);
  const ended = await readCall(database, organizationId, callId, { startedAfter });
  const { started_at, answered_at, ended_at, duration_milliseconds } = ended?.row ?? nothing;
  const { outcome, sip_status, sip_reason, ended_by, end_reason } = ended?.row ?? nothing;
  const row = {
    ...order,
    is_pending: order.pending !== null,
    started_at,
    answered_at,
    ended_at,
    duration_milliseconds,
    outcome,
    sip_status,
    sip_reason,
    ended_by,
    end_reason,
  };
  const { detail = null, ringing_at: ringingAt = null, attempts = [], transfers = [] } = ended?.record ?? {};
  return { row, detail, ringingAt, attempts, transfers };
}

const endColumns = [
  ...(['started_at', 'answered_at', 'ended_at', 'duration_milliseconds', 'outcome'] as const),
  ...(['sip_status', 'sip_reason', 'ended_by', 'end_reason'] as const),
] as const;

/** Null where the call has not ended. */
type CallEnd = {
  readonly [Column in (typeof endColumns)[number]]: Selectable<CallsTable>[Column] | null;
};

const nothing: CallEnd = {
  started_at: null,
  answered_at: null,
  ended_at: null,
  duration_milliseconds: null,
  outcome: null,
  sip_status: null,
  sip_reason: null,
  ended_by: null,
  end_reason: null,
};
