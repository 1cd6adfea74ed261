import { isRedisDown, type Redis } from '../../../base/redis.js';
import { RedisScript } from '../../../base/redis-script.js';
import { type CallCommand, lineScoreFactor, orderedCallSeconds } from '../../../contract/commands.js';
import {
  commandStream,
  orderedCallKey,
  orderLineKey,
  readyEdgesKey,
  stopChannel,
  waitingOrdersKey,
} from '../../../contract/keys.js';
import { DemarcError, type ErrorCode } from '../../../errors.js';

/** Maximum number of unread orders in the stream; edges read orders immediately, regardless of trunk limits. */
const maximumUnread = 1_000;
/** Queued orders of all numbers: about 10 MB of Redis memory. */
const maximumWaiting = 10_000;
/** Expiry of queue entries that are orphaned when Redis loses data. */
const forgottenMilliseconds = 60_000;

const giveOrder = new RedisScript<
  [stream: string, line: string, waiting: string, readyEdges: string, call: string]
>('giveOrder', import.meta.url, ['give-order.lua']);

export interface OrderBounds {
  /** Maximum number of queued orders for the number; undefined: the number has no own limits. */
  readonly lineLength: number | undefined;
}

/**
 * Returns `stopped` for a call that was stopped before. Throws `DemarcError`: `NO_EDGE_READY`, `TOO_MANY_CALLS_WAITING`,
 * `NUMBER_QUEUE_FULL`; nothing was ordered then. Or `CALLS_UNAVAILABLE`.
 */
export async function giveToEdges(
  redis: Redis,
  command: CallCommand,
  { lineLength }: OrderBounds,
): Promise<'ordered' | 'stopped'> {
  const { call_id: id, number } = command;
  const until = Date.parse(command.wait_until ?? command.expires_at);
  const constants = [
    maximumUnread,
    maximumWaiting,
    forgottenMilliseconds,
    lineScoreFactor,
    orderedCallSeconds,
  ];
  const outcome = await unlessRedisDown(() =>
    giveOrder.run(
      redis,
      [commandStream, orderLineKey(number), waitingOrdersKey, readyEdgesKey, orderedCallKey(id)],
      ...[JSON.stringify(command), id, lineLength ?? -1, until, ...constants],
    ),
  );
  if (outcome === 'no_edge') throw new DemarcError('NO_EDGE_READY');
  if (outcome === 'full') throw new DemarcError('TOO_MANY_CALLS_WAITING');
  if (outcome === 'line_full') throw new DemarcError('NUMBER_QUEUE_FULL');
  return outcome === 'stopped' ? 'stopped' : 'ordered';
}

/** Tells the edge that has or will claim the call to end it. Throws `DemarcError` `CALLS_UNAVAILABLE`. */
export async function stopCall(redis: Redis, callId: string): Promise<void> {
  const key = orderedCallKey(callId);
  await unlessRedisDown(async () => {
    // Set the mark before publishing: an edge that claims the call in between reads the mark.
    await redis.multi().hset(key, 'stop', '1').expire(key, orderedCallSeconds).exec();
    await redis.publish(stopChannel, callId);
  });
}

/** The reply from Redis. Throws `DemarcError` with the code when Redis is down; other errors are ours and stay what they are. */
export async function unlessRedisDown<Result>(
  act: () => Promise<Result>,
  code: ErrorCode = 'CALLS_UNAVAILABLE',
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isRedisDown(error)) throw error;
    throw new DemarcError(code, { cause: error });
  }
}
