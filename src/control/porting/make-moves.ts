import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { noticesOf } from './notices.js';
import { numbersOf, type PortRequest } from './port-rows.js';
import { type Actor, isFinal, type Move, type PortStatus, requestStatus, stateAfter } from './port-status.js';

export interface Mover {
  readonly actor: Actor;
  /** API key, mail address or carrier. */
  readonly name: string;
}

export interface WantedMove {
  /** E.164 digits; undefined: every number of the request. */
  readonly number?: string;
  readonly move: Move;
  readonly reason: string;
}

/**
 * Makes the moves that are possible, each with its audit row; the others, such as those of a webhook that came twice, change
 * nothing. When the state of the request changes, its notices are queued and the carrier's work is due at once. The request
 * must be locked. Returns the numbers that moved.
 */
export async function makeMoves(
  transaction: Transaction<Database>,
  request: PortRequest,
  wanted: readonly WantedMove[],
  mover: Mover,
): Promise<string[]> {
  const now = new Date();
  const numbers = await numbersOf(transaction, request.id);
  const statuses = new Map(numbers.map(({ number, status }) => [number, status]));
  const moved = new Set<string>();
  for (const { number: only, move, reason } of wanted) {
    for (const { number } of numbers) {
      if (only !== undefined && only !== number) continue;
      const from = statuses.get(number)!;
      const to = stateAfter(from, move, mover.actor);
      if (to === undefined) continue;
      statuses.set(number, to);
      moved.add(number);
      const isLost = to === 'failed' || to === 'canceled';
      await transaction
        .updateTable('port_numbers')
        .set({ status: to, updated_at: now, ...(isLost ? { reason } : {}) })
        .where('request_id', '=', request.id)
        .where('number', '=', number)
        .where('status', '=', from)
        .execute();
      await audit(transaction, { request, number, from, to, mover, reason });
    }
  }
  if (moved.size === 0) return [];
  const status = requestStatus([...statuses.values()]);
  await transaction
    .updateTable('port_requests')
    .set({
      status,
      updated_at: now,
      ...(isFinal(status) ? { ended_at: sql<Date>`coalesce(ended_at, now())` } : {}),
      carrier_due_at: now,
    })
    .where('id', '=', request.id)
    .execute();
  if (status !== request.status) {
    const reason = wanted.map((move) => move.reason).find((text) => text !== '') ?? '';
    await audit(transaction, { request, number: null, from: request.status, to: status, mover, reason });
    await noticesOf(transaction, { ...request, status, updated_at: now }, reason);
  }
  return [...moved];
}

export async function audit(
  transaction: Transaction<Database>,
  {
    request,
    number,
    from,
    to,
    mover,
    reason,
  }: {
    readonly request: Pick<PortRequest, 'id'>;
    readonly number: string | null;
    readonly from: PortStatus | null;
    readonly to: PortStatus;
    readonly mover: Mover;
    readonly reason: string;
  },
): Promise<void> {
  await transaction
    .insertInto('port_moves')
    .values({
      request_id: request.id,
      number,
      from_status: from,
      to_status: to,
      actor: mover.actor,
      actor_name: mover.name,
      reason,
    })
    .execute();
}
