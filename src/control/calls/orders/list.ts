import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import type { Database } from '../../database/tables.js';
import { type LiveState, readLive } from './live-state.js';
import { type EndState, type OrderPage, type OrderRow, readOrders } from './read.js';
import { callStates, type orderedCallSchema, viewOf } from './view.js';

/** State filter of the call list: one state, or all calls that have not ended. */
export const stateFilters = ['active', ...callStates] as const;
type StateFilter = (typeof stateFilters)[number];

const activeStates: ReadonlySet<StateFilter> = new Set([
  'active',
  'queued',
  'dialing',
  'ringing',
  'in_progress',
  'ending',
]);

/** Maximum number of orders without an end that are read for one page. */
const maximumActive = 2_000;

interface Deps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
}

/** One page of API-originated calls; `next` is the cursor of the next page. */
export async function listCalls(
  { database, redis }: Deps,
  organizationId: string,
  page: Omit<OrderPage, 'state'>,
  state: StateFilter | undefined,
) {
  const view = async (row: OrderRow) => {
    const live: LiveState = row.outcome === null ? await readLive(redis, row.call_id) : { kind: 'unknown' };
    return viewOf(row, live, null);
  };
  if (state === undefined || !activeStates.has(state)) {
    const ended = state as EndState | undefined;
    const { rows, total, hasMore } = await readOrders(database, organizationId, { ...page, state: ended });
    const calls = await Promise.all(rows.map(view));
    return { calls, total, next: hasMore ? (rows.at(-1)?.call_id ?? null) : null };
  }
  // Only the edges know the state of active calls, so the page is cut from all orders without an end.
  const all = { ...page, state: 'active', limit: maximumActive } as const;
  const { rows, hasMore } = await readOrders(database, organizationId, all);
  return activePage(await Promise.all(rows.map(view)), state, { limit: page.limit, hasMore });
}

/**
 * The calls of a state among orders without an end, and the cursor of the next page.
 * @param found all that were read, in the order of the page
 */
export function activePage<
  Call extends Pick<z.infer<typeof orderedCallSchema>, 'call_id' | 'completed' | 'state'>,
>(
  found: readonly Call[],
  state: StateFilter,
  { limit, hasMore }: { readonly limit: number; readonly hasMore: boolean },
): { readonly calls: Call[]; readonly total: number; readonly next: string | null } {
  const active = found.filter((call) => !call.completed && (state === 'active' || call.state === state));
  const calls = active.slice(0, limit);
  const last = active.length > calls.length ? calls.at(-1) : hasMore ? found.at(-1) : undefined;
  return { calls, total: active.length, next: last?.call_id ?? null };
}
