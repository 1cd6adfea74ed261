import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { checkWebhookUrl } from '../../deliveries/webhook/webhook-url.js';
import { InvalidRequest } from '../../http/validation.js';
import { requirePhoneNumber } from '../../numbers/number-access.js';
import { checkAgents } from '../../personas/index.js';
import {
  agentNamedBy,
  type OrderDeps,
  pendingColumns,
  prepareOrder,
  readOrderAgents,
  requireAhead,
  requireOutbound,
  requireRoom,
} from '../orders/order.js';
import { readVariableNames } from '../orders/order-variables.js';
import type { BatchOrder } from './batch-order.js';
import type { CallBatchesTable } from './tables.js';

export type BatchRow = Selectable<CallBatchesTable>;

const dayMilliseconds = 86_400_000;
/** Rows per INSERT: each takes about twenty of PostgreSQL's 65,535 parameters. */
const rowsAtOnce = 500;
/** The same expression as in the feeder; rows that the feeder holds are left to it. */
const ownTime = sql<Date>`coalesce(scheduled_at, created_at)`;

/**
 * Stores a batch with all its calls, or nothing; the feeder dials them. Idempotent for the same operation id.
 * Throws `InvalidRequest` or `DemarcError`
 * `TOO_MANY_UPCOMING_CALLS`.
 */
export async function createBatch(
  deps: Pick<OrderDeps, 'database' | 'settings' | 'secrets'>,
  organizationId: string,
  operationId: string,
  { calls, from, name, scheduled_at: scheduledAt, until: givenUntil, ...shared }: BatchOrder,
): Promise<BatchRow> {
  const { database, settings } = deps;
  const number = requirePhoneNumber(from, 'from');
  checkWebhookUrl(settings.notices, shared.webhook, 'webhook');
  if (scheduledAt !== undefined) requireAhead(scheduledAt);
  const createdAt = new Date();
  const { start, until } = batchPeriod(createdAt, scheduledAt, givenUntil);
  await requireOutbound(database, organizationId, number);
  await requireRoom(database, organizationId, calls.length);
  const knowledge = await checkAgents(
    database,
    organizationId,
    calls.map((call, position) => agentNamedBy(completed(shared, call), `calls.${position}.`)),
  );
  const agents = await readOrderAgents(
    deps,
    organizationId,
    calls.map((call, position) => ({ agent: call.agent ?? shared.agent, path: `calls.${position}.` })),
  );
  const variableNames = await readVariableNames(database, number);
  const id = `bat_${operationId.replaceAll('-', '')}`;
  const rows = calls.map((call, position) => {
    const path = `calls.${position}.`;
    const task = call.task ?? shared.task;
    if (task === undefined) {
      throw InvalidRequest.at(`${path}task`, 'task is required, in the call or for the whole batch.');
    }
    const order = { ...completed(shared, call), task };
    const { row, command } = prepareOrder({
      callId: randomUUID(),
      organizationId,
      number,
      variableNames,
      order,
      knowledgeIds: knowledge[position],
      agent: agents[position],
      path,
    });
    const columns = pendingColumns(command, start, until);
    return {
      ...row,
      ...columns,
      created_at: createdAt,
      scheduled_at: scheduledAt ?? null,
      batch_id: id,
      position,
    };
  });
  return database.transaction().execute(async (transaction) => {
    const batch = await transaction
      .insertInto('call_batches')
      .values({
        id,
        organization_id: organizationId,
        number,
        name,
        total: rows.length,
        scheduled_at: scheduledAt ?? null,
        until,
        stopped_at: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returningAll()
      .executeTakeFirst();
    // Already stored by an earlier attempt at the same request.
    if (batch === undefined) return existingBatch(transaction, id);
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await transaction
        .insertInto('ordered_calls')
        .values(rows.slice(at, at + rowsAtOnce))
        .execute();
    }
    return batch;
  });
}

const existingBatch = (database: Kysely<Database>, id: string): Promise<BatchRow> =>
  database.selectFrom('call_batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** When the calls of a batch may be dialled. Throws `InvalidRequest` for an end that is no later than the start, or much later. */
export function batchPeriod(
  createdAt: Date,
  scheduledAt: Date | undefined,
  givenUntil: Date | undefined,
): { readonly start: Date; readonly until: Date } {
  const start = scheduledAt ?? createdAt;
  const until = givenUntil ?? new Date(start.getTime() + dayMilliseconds);
  if (until <= start || until.getTime() - start.getTime() > 7 * dayMilliseconds) {
    throw InvalidRequest.at('until', 'until must be after the start of the batch, at most 7 days later.');
  }
  return { start, until };
}

/** A call's own fields override the batch's defaults. The version of another pathway is none of the call's. */
export function completed<Shared extends PathwayFields, Own extends PathwayFields>(
  shared: Shared,
  call: Own,
) {
  const own = definedOf(call);
  if (own.pathway_id === undefined) return { ...shared, ...own };
  const { pathway_version: _, ...rest } = shared;
  return { ...rest, ...own };
}

type PathwayFields = Pick<BatchOrder, 'pathway_id' | 'pathway_version'>;

const definedOf = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;

/** The batch's calls counted by state. */
export interface BatchCounts {
  /** Not yet handed to an edge. */
  readonly waiting: number;
  /** Handed to an edge: dialled, or waiting in the number's queue. */
  readonly active: number;
  readonly completed: number;
  readonly cancelled: number;
  readonly failed: number;
}

const nothing: BatchCounts = { waiting: 0, active: 0, completed: 0, cancelled: 0, failed: 0 };

export interface BatchWithCounts {
  readonly batch: BatchRow;
  readonly counts: BatchCounts;
}

export async function readBatch(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<BatchWithCounts | undefined> {
  const batch = await database
    .selectFrom('call_batches')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (batch === undefined) return undefined;
  return { batch, counts: (await readCounts(database, [id])).get(id) ?? nothing };
}

/** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
export async function readBatches(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: BatchWithCounts[]; readonly hasMore: boolean } | undefined> {
  let query = database.selectFrom('call_batches').selectAll().where('organization_id', '=', organizationId);
  if (after !== undefined) {
    const last = await database
      .selectFrom('call_batches')
      .select('created_at')
      .where('id', '=', after)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (last === undefined) return undefined;
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${after})`);
  }
  const found = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  const counts = await readCounts(
    database,
    page.map(({ id }) => id),
  );
  return {
    rows: page.map((batch) => ({ batch, counts: counts.get(batch.id) ?? nothing })),
    hasMore: found.length > limit,
  };
}

async function readCounts(
  database: Kysely<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BatchCounts>> {
  const { rows } = await sql<BatchCounts & { batch_id: string }>`
    select batch_id,
      count(*) filter (where pending is not null)::int as waiting,
      count(*) filter (where pending is null and not settled)::int as active,
      count(*) filter (where settled and outcome = 'completed')::int as completed,
      count(*) filter (where settled and outcome = 'cancelled')::int as cancelled,
      count(*) filter (where settled and outcome in ('failed', 'refused'))::int as failed
    from ordered_calls left join calls on calls.call_id = ordered_calls.call_id
      and calls.started_at >= ordered_calls.created_at - interval '1 day'
    where batch_id = any(${[...ids]}::text[]) group by batch_id`.execute(database);
  return new Map(rows.map(({ batch_id: id, ...counts }) => [id, counts]));
}

/**
 * Stops dialling the batch; active calls continue. Returns the calls that are queued or active at an edge. Undefined:
 * there is no such batch.
 */
export function stopBatch(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<readonly string[] | undefined> {
  return database.transaction().execute(async (transaction) => {
    const batch = await transaction
      .updateTable('call_batches')
      .set({ stopped_at: sql<Date>`coalesce(stopped_at, now())` })
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .returning('id')
      .executeTakeFirst();
    if (batch === undefined) return undefined;
    await transaction
      .updateTable('ordered_calls')
      .set({
        pending_until: sql<Date>`now()`,
        // A row leased by a feeder is left to it until the lease expires.
        take_at: sql<Date>`case when take_at > ${ownTime} then take_at else now() end`,
      })
      .where('batch_id', '=', id)
      .where('pending', 'is not', null)
      .execute();
    const given = await transaction
      .selectFrom('ordered_calls')
      .select('call_id')
      .where('batch_id', '=', id)
      .where('pending', 'is', null)
      .where('settled', '=', false)
      .execute();
    return given.map(({ call_id }) => call_id);
  });
}
