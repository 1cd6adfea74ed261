import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { noticesOf } from './notices.js';
import { planMoves, type WantedMove } from './planned-moves.js';
import { numbersOf, type PortRequest } from './port-rows.js';
import { type Actor, isFinal, type PortStatus } from './port-status.js';

export interface Mover {
  readonly actor: Actor;
  /** API key, mail address or carrier. */
  readonly name: string;
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
  const { moves, moved, status, reason: why } = planMoves(numbers, wanted, mover.actor);
  if (moves.length === 0) return [];
  for (const { number, from, to, reason } of moves) {
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
    await audit(transaction, { request, number: null, from: request.status, to: status, mover, reason: why });
    await noticesOf(transaction, { ...request, status, updated_at: now }, why);
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
