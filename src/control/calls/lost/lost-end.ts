import type { EndedBy, EndReason } from '../../../contract/call-record.js';
import { type OrderedCall, orderSeconds } from '../../../contract/commands.js';
import type { LiveState } from '../orders/live-state.js';

/** How an ordered call ended that no edge reported, as `GET /v1/calls/{call_id}` shows it. */
export interface LostResult {
  readonly status: 'failed' | 'canceled' | 'unknown';
  readonly queue_status: 'complete' | 'queue_error' | 'call_error' | 'complete_error';
  readonly error_message: string | null;
}

export interface LostEnd extends LostResult {
  readonly reason: EndReason;
  readonly by: EndedBy;
  /** Unix milliseconds; undefined: unknown. */
  readonly endedAt: number | undefined;
  /** An edge may have written a record that has not arrived yet. */
  readonly mayBeReported: boolean;
}

/** Margin after an order expires: an edge that read it at the last moment has claimed it by then. */
const lateMilliseconds = 10_000;

const notTaken = 'No edge took the order in time.';
const notItsTurn = 'The call waited too long in the queue: the number was at its limits.';
const forgotten = 'Redis lost the order, or never received it. Whether the call was dialled is unknown.';

/** Undefined: the call is active, may still be dialled, or Redis does not know. */
export function lostEnd(createdAt: Date, live: LiveState, now: number): LostEnd | undefined {
  if (live.kind === 'unknown') return undefined;
  const { call } = live;
  const created = createdAt.getTime();
  if (call.phase === 'expired') return expired(call, created);
  if (isForgotten(live)) return now - created > lateMilliseconds ? withoutOrder : undefined;
  if (live.kind === 'waiting') return waiting(call, created, now);
  return live.isEdgeAlive ? undefined : withoutEdge(call);
}

/** Redis has lost its data. An edge that has the call restores it within seconds, and so does one that takes the call over. */
export const isForgotten = (live: LiveState): boolean =>
  live.kind === 'waiting' && Object.keys(live.call).length === 0;

/** No edge will dial it. */
function expired({ command, until }: OrderedCall, created: number): LostEnd {
  if (command === undefined) return undialled('order_not_taken', notTaken, created + orderSeconds * 1_000);
  return undialled('order_expired', notItsTurn, Number(until));
}

const undialled = (
  reason: 'order_not_taken' | 'order_expired',
  message: string,
  endedAt: number,
): LostEnd => ({
  status: 'failed',
  queue_status: 'queue_error',
  error_message: message,
  reason,
  by: 'edge',
  endedAt,
  mayBeReported: false,
});

/** Edges never dial an order that ends here: neither a stopped one nor an expired one. */
function waiting(call: OrderedCall, created: number, now: number): LostEnd | undefined {
  const { command, until, stop } = call;
  if (stop !== undefined) {
    return {
      status: 'canceled',
      queue_status: 'complete',
      error_message: null,
      reason: 'stopped',
      by: 'api',
      endedAt: undefined,
      mayBeReported: true,
    };
  }
  if (command !== undefined)
    return now > Number(until) + lateMilliseconds ? expired(call, created) : undefined;
  const life = orderSeconds * 1_000;
  const age = now - created;
  return age > life + lateMilliseconds ? expired(call, created) : undefined;
}

const withoutOrder: LostEnd = {
  status: 'unknown',
  queue_status: 'call_error',
  error_message: forgotten,
  reason: 'edge_lost',
  by: 'edge',
  endedAt: undefined,
  mayBeReported: true,
};

function withoutEdge({ phase }: OrderedCall): LostEnd {
  const gone = 'The edge that had the call died. The call is not dialled again.';
  const end = { reason: 'edge_lost', by: 'edge', endedAt: undefined, mayBeReported: true } as const;
  if (phase === 'ended') {
    return { status: 'unknown', queue_status: 'complete_error', error_message: gone, ...end };
  }
  if (phase === 'answered') {
    return { status: 'unknown', queue_status: 'call_error', error_message: gone, ...end };
  }
  const message = `The call was not answered yet. ${gone}`;
  return { status: 'failed', queue_status: 'call_error', error_message: message, ...end };
}
